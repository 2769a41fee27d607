// Reads a caller's stream as strictly as no client does: whatever a stream of its dialect must not be is an error here.

import type { CallerDialect } from "../support/translated-exchange.ts";

type Event = Readonly<Record<string, unknown>>;

/** `whole`: it ends as a complete answer does; otherwise it ends in the dialect's error. Throws an `Error` that names the rule broken. */
export function readStrictly(caller: CallerDialect, text: string, whole: boolean): void {
  switch (caller) {
    case "chat-completions":
      return readChat(text, whole);
    case "messages":
      return readMessages(text, whole);
    case "responses":
      return readResponses(text, whole);
  }
}

function fail(rule: string, event: unknown): never {
  throw new Error(`${rule}: ${JSON.stringify(event)}`);
}

function must(holds: boolean, rule: string, event: unknown): void {
  if (!holds) fail(rule, event);
}

function objectOf(value: unknown): Event {
  if (typeof value !== "object" || value === null || Array.isArray(value)) fail("no object", value);
  return Object.fromEntries(Object.entries(value));
}

/** Data of each event; `[DONE]` stays a text. A named event says its type in both places. */
function eventsOf(text: string, named: boolean): (Event | "[DONE]")[] {
  must(text.endsWith("\n\n"), "the last event is not whole", text.slice(-80));
  return text
    .slice(0, -2)
    .split("\n\n")
    .map((block) => {
      if (block === "data: [DONE]") return "[DONE]";
      const [, name, data] = /^(?:event: (\S+)\n)?data: ([^\r\n]*)$/.exec(block) ?? fail("no event", block);
      const event = objectOf(JSON.parse(data ?? ""));
      must((name !== undefined) === named && (!named || name === event.type), "another name than its type", block);
      return event;
    });
}

const isText = (value: unknown): value is string => typeof value === "string";
const isFilled = (value: unknown): boolean => isText(value) && value !== "";
const isCount = (value: unknown): boolean => Number.isInteger(value) && Number(value) >= 0;
const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : fail("no list", value));

interface ChatChoice {
  calls: number;
  hasEnded: boolean;
}

function readChat(text: string, whole: boolean): void {
  const events = eventsOf(text, false);
  const last = events.pop();
  if (whole) must(last === "[DONE]", "no [DONE] at the end", last);
  else must(isFilled(objectOf(objectOf(last).error).message), "no error at the end", last);
  const choices = new Map<unknown, ChatChoice>();
  const ids = new Set<unknown>();
  for (const [at, event] of events.entries()) {
    if (event === "[DONE]") fail("[DONE] before the end", at);
    must(event.object === "chat.completion.chunk", "no chunk", event);
    must(isFilled(event.id) && isText(event.model) && isCount(event.created), "a head that is not whole", event);
    ids.add(event.id);
    const list = listOf(event.choices);
    if (list.length === 0) must(at === events.length - 1 && whole, "usage before the end", event);
    if (event.usage !== undefined) must(isCount(objectOf(event.usage).total_tokens), "usage without counts", event);
    for (const choice of list) readChatChoice(objectOf(choice), choices);
  }
  must(ids.size === 1, "another id than before", [...ids]);
  if (whole)
    must(
      [...choices.values()].every(({ hasEnded }) => hasEnded),
      "a choice without its end",
      text,
    );
}

function readChatChoice(choice: Event, choices: Map<unknown, ChatChoice>): void {
  const { index, finish_reason: reason } = choice;
  const delta = objectOf(choice.delta);
  let state = choices.get(index);
  if (state === undefined) {
    must(isCount(index) && delta.role === "assistant", "a choice that does not begin with its role", choice);
    choices.set(index, (state = { calls: 0, hasEnded: false }));
  }
  must(!state.hasEnded, "something behind the end of a choice", choice);
  for (const key of ["content", "refusal", "reasoning_content"]) {
    must(delta[key] === undefined || isText(delta[key]), `${key} is no text`, choice);
  }
  for (const one of delta.tool_calls === undefined ? [] : listOf(delta.tool_calls)) {
    const call = objectOf(one);
    const body = objectOf(call.function ?? call.custom);
    if (call.index === state.calls) {
      must(isFilled(call.id) && isFilled(call.type) && isText(body.name), "a call without id, type and name", choice);
      state.calls++;
    } else must(isCount(call.index) && Number(call.index) < state.calls, "a piece of no call", choice);
    must(isText(body.arguments ?? body.input), "a piece without text", choice);
  }
  if (reason === null) return;
  must(isFilled(reason), "an end without a reason", choice);
  state.hasEnded = true;
}

const deltasOf: Readonly<Record<string, readonly string[]>> = {
  text: ["text_delta", "citations_delta"],
  thinking: ["thinking_delta", "signature_delta"],
  tool_use: ["input_json_delta"],
  redacted_thinking: [],
};

function readMessages(text: string, whole: boolean): void {
  const events = eventsOf(text, true).map(objectOf);
  if (!whole) {
    const { type, error } = events.pop() ?? {};
    must(type === "error" && isFilled(objectOf(error).message), "no error at the end", error);
  }
  let open: string | undefined;
  let blocks = 0;
  const calls = new Set<unknown>();
  for (const [at, event] of events.entries()) {
    const { type, index } = event;
    switch (type) {
      case "message_start": {
        const { id, role, content, usage } = objectOf(event.message);
        must(at === 0 && isFilled(id) && role === "assistant", "no beginning", event);
        must(listOf(content).length === 0 && isCount(objectOf(usage).input_tokens), "a beginning with content", event);
        break;
      }
      case "content_block_start": {
        const block = objectOf(event.content_block);
        must(at > 0 && open === undefined && index === blocks++, "a block in another or out of order", event);
        must(Object.hasOwn(deltasOf, String(block.type)), "a block of no kind", event);
        open = String(block.type);
        if (open !== "tool_use") break;
        must(isFilled(block.id) && isText(block.name) && !calls.has(block.id), "a call without its own id", event);
        calls.add(block.id);
        break;
      }
      case "content_block_delta": {
        const delta = String(objectOf(event.delta).type);
        must(open !== undefined && index === blocks - 1, "a piece of no open block", event);
        must(deltasOf[open ?? ""]?.includes(delta) === true, `a piece that is none of ${open}`, event);
        break;
      }
      case "content_block_stop":
        must(open !== undefined && index === blocks - 1, "the end of no open block", event);
        open = undefined;
        break;
      case "message_delta": {
        must(open === undefined && at === events.length - 2, "the end in the middle", event);
        must(isFilled(objectOf(event.delta).stop_reason), "an end without a reason", event);
        must(isCount(objectOf(event.usage).output_tokens), "an end without usage", event);
        break;
      }
      case "message_stop":
        must(whole && at === events.length - 1 && events.at(-2)?.type === "message_delta", "stopped too early", event);
        break;
      default:
        fail("an event of no kind", event);
    }
  }
  must(events[0]?.type === "message_start", "does not begin", events[0]);
  if (whole) must(events.at(-1)?.type === "message_stop", "does not end", events.at(-1));
}

function readResponses(text: string, whole: boolean): void {
  const all = eventsOf(text, true);
  if (whole) must(all.pop() === "[DONE]", "no [DONE] at the end", text.slice(-80));
  const events = all.map(objectOf);
  for (const [at, event] of events.entries()) must(event.sequence_number === at, `not number ${at}`, event);
  const terminal = events.pop() ?? {};
  const response = objectOf(terminal.response);
  if (whole) {
    must(/^response\.(?:completed|incomplete)$/.test(String(terminal.type)), "no terminal", terminal);
    must(isCount(objectOf(response.usage).total_tokens), "an end without usage", terminal);
  } else {
    must(terminal.type === "response.failed" && isFilled(objectOf(response.error).message), "no failure", terminal);
    must(events.pop()?.type === "error", "no error before the failure", terminal);
  }
  must(`response.${String(response.status)}` === terminal.type, "another status than its type", terminal);
  const [created, running, ...rest] = events;
  must(created?.type === "response.created" && running?.type === "response.in_progress", "does not begin", created);
  must(objectOf(created?.response).id === response.id, "another id than before", terminal);
  const output = readItems(rest, whole);
  must(JSON.stringify(response.output) === JSON.stringify(output), "another output than was told", terminal);
}

interface OpenItem {
  readonly id: unknown;
  said: string;
  parts: number;
}

/** Gives the finished items in order. */
function readItems(events: readonly Event[], whole: boolean): readonly unknown[] {
  const open = new Map<unknown, OpenItem>();
  const finished: unknown[] = [];
  let begun = 0;
  for (const event of events) {
    const { type, output_index: index } = event;
    if (type === "response.output_item.added") {
      must(index === begun++, "an item out of order", event);
      open.set(index, { id: objectOf(event.item).id, said: "", parts: 0 });
      continue;
    }
    const item = open.get(index) ?? fail("of no open item", event);
    if (type === "response.output_item.done") {
      must(objectOf(event.item).id === item.id && isFilled(item.id), "another item ends", event);
      finished[Number(index)] = event.item;
      open.delete(index);
      continue;
    }
    must(event.item_id === item.id, "of another item", event);
    if (type === "response.content_part.added")
      must(event.content_index === item.parts++, "a part out of order", event);
    if (isText(event.delta)) item.said += event.delta;
    const all = event.text ?? event.refusal ?? event.arguments ?? event.input;
    if (!String(type).endsWith(".done") || !isText(all)) continue;
    must(all === item.said, "another whole than its pieces", event);
    item.said = "";
  }
  if (whole) must(open.size === 0, "an item that does not end", [...open.keys()]);
  return finished.filter((item) => item !== undefined);
}
