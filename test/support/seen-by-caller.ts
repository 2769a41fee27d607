// What a caller of each dialect makes of one stream, read by the official SDK of the dialect, and what is wrong with its events.

import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";

export type CallerDialect = "chat-completions" | "responses" | "messages";

export const callerDialects: readonly CallerDialect[] = ["chat-completions", "responses", "messages"];

export const callerPaths: Readonly<Record<CallerDialect, string>> = {
  "chat-completions": "/v1/chat/completions",
  responses: "/v1/responses",
  messages: "/v1/messages",
};

/** The same in every dialect. */
interface SeenByCaller {
  /** Of the pieces. */
  readonly text: string;
  /** Of the object that the SDK gives in the end; undefined when it gives an error. */
  readonly finalText: string | undefined;
  readonly id: string | undefined;
  readonly model: string | undefined;
  /** Input with what was cached, and output. */
  readonly usage: { readonly input: number; readonly output: number } | undefined;
  /** What the SDK threw. */
  readonly error: unknown;
  /** `[DONE]`, `response.completed`, `message_stop` and errors, in order. */
  readonly terminals: readonly string[];
  /** Comments and pings. */
  readonly heartbeats: number;
  /** What no caller may see. */
  readonly problems: readonly string[];
}

/** With what is told of it where a test fails left out of the comparison. */
interface SeenAnswer extends SeenByCaller {
  raw(): string;
  header(name: string): string | null;
}

type Json = Readonly<Record<string, unknown>>;

interface Event {
  readonly name: string | undefined;
  readonly data: string;
}

/** Asks for a stream with the SDK and reads it to its end. `fields` are more of the body. Throws for an error before the stream. */
export async function seenByCaller(
  url: string,
  dialect: CallerDialect,
  model: string,
  fields: Json = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<SeenAnswer> {
  let raw = "";
  let answered = new Headers();
  const recording = async (input: string | URL | Request, init?: RequestInit): Promise<Response> => {
    const response = await fetch(input, init);
    raw = await response.text();
    answered = response.headers;
    return new Response(raw, { status: response.status, headers: response.headers });
  };
  const tools: SdkTools = { url, model, fields, options: { fetch: recording, headers } };
  let final: Final & Pick<SeenByCaller, "error"> = {
    finalText: undefined,
    id: undefined,
    model: undefined,
    usage: undefined,
    error: undefined,
  };
  try {
    final = { ...(await finals[dialect](tools)), error: undefined };
  } catch (error) {
    final = { ...final, error };
  }
  const { events, heartbeats } = eventsIn(raw);
  return {
    ...final,
    ...readers[dialect](events),
    heartbeats: heartbeats + pingsIn(events),
    raw: () => raw,
    header: (name) => answered.get(name),
  };
}

interface SdkTools {
  readonly url: string;
  readonly model: string;
  readonly fields: Json;
  readonly options: {
    readonly fetch: (input: string | URL | Request, init?: RequestInit) => Promise<Response>;
    readonly headers: Readonly<Record<string, string>>;
  };
}

type Final = Pick<SeenByCaller, "finalText" | "id" | "model" | "usage">;

const finals: Readonly<Record<CallerDialect, (tools: SdkTools) => Promise<Final>>> = {
  async "chat-completions"({ url, model, fields, options: { fetch, headers } }) {
    const sdk = new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0, fetch, defaultHeaders: headers });
    const final = await sdk.chat.completions
      .stream({
        model,
        messages: [{ role: "user", content: "Hello" }],
        stream_options: { include_usage: true },
        ...fields,
      })
      .finalChatCompletion();
    const { usage } = final;
    return {
      finalText: final.choices[0]?.message.content ?? "",
      id: final.id,
      model: final.model,
      usage: usage && { input: usage.prompt_tokens, output: usage.completion_tokens },
    };
  },
  async responses({ url, model, fields, options: { fetch, headers } }) {
    const sdk = new OpenAI({ apiKey: "k", baseURL: `${url}/v1`, maxRetries: 0, fetch, defaultHeaders: headers });
    const final = await sdk.responses.stream({ model, input: "Hello", ...fields }).finalResponse();
    if (final.status === "failed") throw new Error(final.error?.message);
    const { usage } = final;
    return {
      finalText: final.output_text,
      id: final.id,
      model: final.model,
      usage: usage && { input: usage.input_tokens, output: usage.output_tokens },
    };
  },
  async messages({ url, model, fields, options: { fetch, headers } }) {
    const sdk = new Anthropic({ apiKey: "k", baseURL: url, maxRetries: 0, fetch, defaultHeaders: headers });
    const final = await sdk.messages
      .stream({ model, max_tokens: 1000, messages: [{ role: "user", content: "Hello" }], ...fields })
      .finalMessage();
    const { usage } = final;
    const cached = (usage.cache_read_input_tokens ?? 0) + (usage.cache_creation_input_tokens ?? 0);
    return {
      finalText: final.content.map((block) => (block.type === "text" ? block.text : "")).join(""),
      id: final.id,
      model: final.model,
      usage: { input: usage.input_tokens + cached, output: usage.output_tokens },
    };
  },
};

function eventsIn(raw: string): { readonly events: readonly Event[]; readonly heartbeats: number } {
  const blocks = raw.split("\n\n");
  if (blocks.pop() !== "")
    return { events: [{ name: undefined, data: `half an event: ${raw.slice(-80)}` }], heartbeats: 0 };
  const said = blocks.filter((block) => !block.startsWith(":"));
  return {
    events: said.map((block) => ({
      name: /^event: (.*)$/m.exec(block)?.[1],
      data: /^data: (.*)$/m.exec(block)?.[1] ?? "",
    })),
    heartbeats: blocks.length - said.length,
  };
}

function pingsIn(events: readonly Event[]): number {
  return events.filter(({ name }) => name === "ping").length;
}

type Read = Pick<SeenByCaller, "text" | "terminals" | "problems">;

const readers: Readonly<Record<CallerDialect, (events: readonly Event[]) => Read>> = {
  "chat-completions": readChat,
  responses: readResponses,
  messages: readMessages,
};

function objectOf({ data }: Event): Json {
  try {
    const value: unknown = JSON.parse(data);
    return typeof value === "object" && value !== null ? { ...value } : { unreadable: data };
  } catch {
    return { unreadable: data };
  }
}

/** What comes behind the end. */
function behind(terminals: readonly string[], what: string): readonly string[] {
  return terminals.length > 0 ? [`${what} behind ${terminals.at(-1)}`] : [];
}

function readChat(events: readonly Event[]): Read {
  const terminals: string[] = [];
  const problems: string[] = [];
  const heads = new Set<string>();
  let text = "";
  let roles = 0;
  let finishes = 0;
  for (const event of events) {
    problems.push(...behind(terminals, event.data));
    if (event.data === "[DONE]") {
      terminals.push("[DONE]");
      continue;
    }
    const chunk = objectOf(event) as {
      id?: string;
      model?: string;
      created?: number;
      object?: string;
      error?: { code?: unknown };
      unreadable?: string;
      choices?: { delta: { role?: string; content?: string | null }; finish_reason: string | null }[];
    };
    if (chunk.error !== undefined) {
      terminals.push(`error ${String(chunk.error.code)}`);
      continue;
    }
    if (chunk.choices === undefined || chunk.object !== "chat.completion.chunk")
      problems.push(`no chunk: ${event.data}`);
    heads.add(`${chunk.id} ${chunk.model} ${chunk.created}`);
    for (const { delta, finish_reason: reason } of chunk.choices ?? []) {
      if (finishes > 0 && (delta.content ?? "") !== "") problems.push(`text behind the finish reason: ${event.data}`);
      text += delta.content ?? "";
      if (delta.role !== undefined) roles++;
      if (reason !== null && reason !== undefined) finishes++;
    }
  }
  if (roles !== 1) problems.push(`${roles} roles`);
  if (heads.size !== 1) problems.push(`several heads: ${[...heads].join(", ")}`);
  if (terminals[0] === "[DONE]" && finishes !== 1) problems.push(`${finishes} finish reasons`);
  return { text, terminals, problems };
}

function readMessages(events: readonly Event[]): Read {
  const terminals: string[] = [];
  const problems: string[] = [];
  let text = "";
  let open: number | undefined;
  let next = 0;
  let starts = 0;
  let deltas = 0;
  for (const event of events) {
    problems.push(...behind(terminals, event.data));
    const said = objectOf(event) as {
      type?: string;
      index?: number;
      delta?: { type?: string; text?: string; stop_reason?: string | null };
      error?: { type?: string; message?: string };
    };
    if (event.name !== said.type) problems.push(`${event.name} names ${said.type}`);
    if (starts === 0 && said.type !== "message_start" && said.type !== "ping" && said.type !== "error") {
      problems.push(`${said.type} before message_start`);
    }
    if (deltas > 0 && said.type?.startsWith("content_block") === true)
      problems.push(`${said.type} behind message_delta`);
    switch (said.type) {
      case "message_start":
        if (starts++ > 0) problems.push("a second message_start");
        break;
      case "content_block_start":
        if (open !== undefined) problems.push(`block ${said.index} begins in block ${open}`);
        if (said.index !== next) problems.push(`block ${said.index} instead of ${next}`);
        next++;
        open = said.index;
        break;
      case "content_block_delta":
        if (said.index !== open) problems.push(`a piece of block ${said.index} in ${open}`);
        text += said.delta?.text ?? "";
        break;
      case "content_block_stop":
        if (said.index !== open) problems.push(`block ${said.index} ends in ${open}`);
        open = undefined;
        break;
      case "message_delta":
        if (open !== undefined) problems.push(`message_delta in block ${open}`);
        if (typeof said.delta?.stop_reason === "string" && deltas++ > 0) problems.push("a second stop reason");
        break;
      case "message_stop":
        if (deltas !== 1) problems.push(`${deltas} stop reasons`);
        terminals.push("message_stop");
        break;
      case "error":
        terminals.push(`error ${said.error?.type}`);
        break;
      case "ping":
        break;
      case undefined:
      default:
        problems.push(`unknown: ${event.data}`);
    }
  }
  return { text, terminals, problems };
}

function readResponses(events: readonly Event[]): Read {
  const terminals: string[] = [];
  const problems: string[] = [];
  let text = "";
  const ids = new Set<unknown>();
  const models = new Set<unknown>();
  const open = new Map<number, string>();
  let items = 0;
  for (const [at, event] of events.entries()) {
    // The sign that translated answers end with, besides.
    if (event.data === "[DONE]" && at === events.length - 1 && terminals[0] === "response.completed") continue;
    const said = objectOf(event) as {
      type?: string;
      sequence_number?: number;
      output_index?: number;
      item_id?: string;
      delta?: string;
      text?: string;
      code?: unknown;
      part?: { text?: string };
      item?: { id?: string; type?: string; content?: { text?: string }[] };
      response?: {
        id?: string;
        model?: string;
        status?: string;
        error?: { code?: unknown } | null;
        output?: unknown[];
      };
    };
    const { type = "", response, output_index: index = -1 } = said;
    if (!(type === "response.failed" && terminals.at(-1)?.startsWith("error") === true)) {
      problems.push(...behind(terminals, event.data));
    }
    if (event.name !== type) problems.push(`${event.name} names ${type}`);
    if (said.sequence_number !== at) problems.push(`number ${said.sequence_number} at ${at}`);
    if (response !== undefined) {
      ids.add(response.id);
      models.add(response.model);
    }
    switch (type) {
      case "response.output_item.added":
        if (index !== items++) problems.push(`item ${index} is the ${items}th`);
        open.set(index, said.item?.id ?? "");
        break;
      case "response.output_item.done":
        if (open.get(index) !== said.item?.id) problems.push(`item ${index} ends as ${said.item?.id}`);
        if (said.item?.type === "message" && said.item.content?.map((part) => part.text).join("") !== text) {
          problems.push(`the item says ${JSON.stringify(said.item.content)}`);
        }
        open.delete(index);
        break;
      case "response.output_text.delta":
        if (open.get(index) !== said.item_id) problems.push(`text of ${said.item_id} in ${open.get(index)}`);
        text += said.delta;
        break;
      case "response.output_text.done":
        if (said.text !== text) problems.push(`the text is ${said.text}`);
        break;
      case "response.content_part.done":
        if (said.part?.text !== text) problems.push(`the part is ${said.part?.text}`);
        break;
      case "error":
        terminals.push(`error ${String(said.code)}`);
        break;
      case "response.failed":
        terminals.push(`${type} ${String(response?.error?.code)}`);
        break;
      case "response.completed":
      case "response.incomplete":
        if (open.size > 0) problems.push(`open items at the end: ${[...open.keys()].join(", ")}`);
        if (response?.output?.length !== items) problems.push(`${response?.output?.length} items instead of ${items}`);
        terminals.push(type);
        break;
    }
  }
  if (ids.size !== 1) problems.push(`several ids: ${[...ids].join(", ")}`);
  if (models.size !== 1) problems.push(`several models: ${[...models].join(", ")}`);
  return { text, terminals, problems };
}
