// Breaks a Messages stream, lets other targets go on with it as the gateway does, and says what is wrong with what the caller got.

import { createParser } from "eventsource-parser";
import type { AnswerReader } from "../../src/core/provider.ts";
import type { ResumedReader } from "../../src/core/stream-recovery.ts";
import { followMessagesStream } from "../../src/dialects/messages/delivered-stream.ts";
import { createMessagesStreamReader } from "../../src/dialects/messages/stream-reader.ts";
import {
  blockStart,
  blockStop,
  errorEventOf,
  messageDelta,
  messageStart,
  messageStop,
  ping,
  textDelta,
} from "../support/messages-events.ts";
import { messagesRequest } from "../support/messages-request.ts";
import { type Draw, drawFrom } from "../support/seeded-random.ts";

const encoder = new TextEncoder();

type Behaviour = "whole" | "cut" | "error" | "echo" | "differs" | "ends-early" | "tool" | "thinks";
const behaviours: readonly Behaviour[] = ["whole", "cut", "error", "echo", "differs", "ends-early", "tool", "thinks"];

/** Those that say the same text as far as they go. */
const fittingBehaviours: readonly Behaviour[] = ["whole", "cut", "error", "echo"];

/** The answer of one target, in pieces that may end anywhere, broken or not. */
function writeAnswer(behaviour: Behaviour, name: string, text: string, draw: Draw): Uint8Array {
  const first = draw(4) === 0 ? 3 : 0;
  let index = first;
  const pieces: string[] = [];
  for (let from = 0; from < text.length;) {
    const to = from + 1 + draw(6);
    pieces.push(textDelta(text.slice(from, to), index));
    if (draw(8) === 0) pieces.push(ping);
    if (draw(12) === 0) pieces.push(blockStop(index), blockStart(++index));
    from = to;
  }
  const intruder =
    behaviour === "tool"
      ? [blockStart(9, { type: "tool_use", id: "t", name: "f", input: {} }), blockStop(9)]
      : behaviour === "thinks"
        ? [blockStart(9, { type: "thinking", thinking: "" }), blockStop(9)]
        : [];
  const events = [
    messageStart(name, { input_tokens: 5, output_tokens: 1 }),
    ...intruder,
    blockStart(first),
    ...pieces,
    blockStop(index),
    messageDelta("end_turn", { output_tokens: 1 + pieces.length }),
    messageStop,
  ];
  if (behaviour === "error")
    events.splice(1 + draw(events.length - 1), 0, errorEventOf("overloaded_error", "Overloaded"));
  const sent = events.join("");
  const bytes = encoder.encode(draw(5) === 0 ? sent.replaceAll("\n", "\r\n") : sent);
  return behaviour === "cut" ? bytes.slice(0, draw(bytes.length)) : bytes;
}

interface Seen {
  readonly text: string;
  readonly stops: number;
  readonly starts: readonly string[];
  readonly usage: { readonly output_tokens?: number } | undefined;
}

/** Read by an independent parser. Throws for what makes a client fail. */
function seenByClient(bytes: Uint8Array): Seen {
  const events: { readonly event: string | undefined; readonly data: string }[] = [];
  const parser = createParser({
    onEvent: ({ event, data }) => void events.push({ event, data }),
    onError(error) {
      throw error;
    },
  });
  parser.feed(`${new TextDecoder("utf-8", { fatal: true }).decode(bytes)}:`);
  let text = "";
  let stops = 0;
  let open: number | undefined;
  let next = 0;
  let usage: Seen["usage"];
  const starts: string[] = [];
  for (const { event, data } of events) {
    const parsed = JSON.parse(data);
    if (stops > 0 || event !== parsed.type) throw new Error(`out of place: ${event} ${data}`);
    switch (parsed.type) {
      case "message_start":
        starts.push(parsed.message.id);
        break;
      case "content_block_start":
        if (open !== undefined || parsed.index < next) throw new Error(`a block in a block: ${data}`);
        open = parsed.index;
        next = parsed.index + 1;
        break;
      case "content_block_delta":
        if (open !== parsed.index) throw new Error(`no block for ${data}`);
        text += parsed.delta.text;
        break;
      case "content_block_stop":
        if (open !== parsed.index) throw new Error(`no block ends with ${data}`);
        open = undefined;
        break;
      case "message_delta":
        if (open !== undefined) throw new Error("the answer ends within a block");
        ({ usage } = parsed);
        break;
      case "message_stop":
        stops++;
    }
  }
  return { text, stops, starts, usage };
}

/** One answer, `text`, at the hands of several targets. Gives how it came out. Throws when the caller got a wrong byte. */
export function recoverMessages(text: string, seed: number): string {
  const draw = drawFrom(seed);
  const delivered = followMessagesStream(messagesRequest('{"messages":[{"role":"user","content":"hi"}]}'));
  const got: Uint8Array[] = [];
  let sent = writeAnswer(draw(3) === 0 ? "error" : "cut", "first", text, draw);
  let reader: AnswerReader = createMessagesStreamReader({ providerName: "up", skipMalformed: true });
  let resumed: ResumedReader | undefined;
  let mayPrefill = draw(2) === 0;
  let behaviour: Behaviour = "cut";
  for (let turn = 1; ; turn++) {
    let complete = false;
    for (let from = 0, isOver = false; !isOver;) {
      const piece = sent.slice(from, from + 1 + draw(300));
      const step = from >= sent.length ? reader.end() : reader.push(piece);
      from += piece.length;
      const good = step.relay?.slice(0, step.relay.length - (step.brokenBytes ?? 0)) ?? new Uint8Array(0);
      if (good.length > 0) {
        got.push(good);
        delivered.took(good);
      }
      ({ complete } = step);
      isOver = complete || step.failure !== undefined;
    }
    const seen = seenByClient(Buffer.concat(got));
    if (!text.startsWith(seen.text)) throw new Error(`seed ${seed}: the caller has ${JSON.stringify(seen.text)}`);
    if (seen.starts.length > 1) throw new Error(`seed ${seed}: begun twice`);
    if (seen.stops !== (complete ? 1 : 0)) throw new Error(`seed ${seed}: ${seen.stops} ends`);
    if (complete) {
      if (seen.text !== text) throw new Error(`seed ${seed}: text is missing: ${JSON.stringify(seen.text)}`);
      const all = [...delivered.brokenParts(), reader.facts()].map(({ usage }) => usage?.outputTokens ?? 0);
      const total = all.reduce((sum, each) => sum + each, 0);
      if (seen.usage?.output_tokens !== total)
        throw new Error(`seed ${seed}: ${seen.usage?.output_tokens} of ${total}`);
      return resumed === undefined ? "unbroken" : "whole";
    }
    if (resumed?.state === "diverged") {
      if (fittingBehaviours.includes(behaviour)) throw new Error(`seed ${seed}: an answer that fits was refused`);
      return "diverged";
    }
    if (resumed?.state === "repeats-prefill") mayPrefill = false;
    if (delivered.obstacle() !== undefined) return delivered.obstacle() ?? "";
    if (turn > 4) return "given up";
    const asked = mayPrefill ? delivered.continuation() : undefined;
    // Of those that may be asked to go on, and with nothing delivered, only these come to the same text.
    const fitting = asked !== undefined ? 4 : seen.text === "" ? 3 : behaviours.length;
    behaviour = draw(2) === 0 ? "whole" : (behaviours[draw(fitting)] ?? "whole");
    resumed = delivered.resume(
      createMessagesStreamReader({ providerName: "up", skipMalformed: true }),
      asked === undefined ? "fresh" : "prefill",
      reader.facts(),
    );
    reader = resumed;
    const rest = asked === undefined || behaviour === "echo" ? text : text.slice(seen.text.length);
    const at = draw(Math.max(1, seen.text.length));
    const said =
      behaviour === "differs"
        ? `${text.slice(0, at)}${text[at] === "#" ? "%" : "#"}${text.slice(at + 1)}`
        : behaviour === "ends-early"
          ? text.slice(0, at)
          : rest;
    sent = writeAnswer(behaviour, `next-${turn}`, said, draw);
  }
}
