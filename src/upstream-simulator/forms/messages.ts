// Messages: the documents and the stream of Anthropic's dialect.
// Members: https://docs.anthropic.com/en/api/messages, .../messages-streaming and .../errors

import type { AnswerForms, JsonObject, SentEvent } from "../answer-forms.ts";
import type { Asked } from "../asked.ts";
import { argumentsOf, stopSequence, wholeOf, type Said, type SaidEnd, type SaidPart, type SaidUsage } from "../said.ts";
import { namedEvent } from "./named-event.ts";

/** What only the provider can check; it decodes as base64. */
const signature = "EqQBc2ltdWxhdGVkIHNpZ25hdHVyZQ==";

const stopReasons: Readonly<Record<SaidEnd, string>> = {
  stop: "end_turn",
  "stop-sequence": "stop_sequence",
  length: "max_tokens",
  calls: "tool_use",
  filter: "refusal",
  refusal: "refusal",
  error: "error",
};

const errorTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  413: "request_too_large",
  429: "rate_limit_error",
  504: "timeout_error",
  529: "overloaded_error",
};

function errorTypeOf(status: number): string {
  return errorTypes[status] ?? (status >= 400 && status < 500 ? "invalid_request_error" : "api_error");
}

function usageMembers({ input, output, cached = 0, written = 0 }: SaidUsage): JsonObject {
  return {
    input_tokens: input - cached - written,
    cache_creation_input_tokens: written,
    cache_read_input_tokens: cached,
    output_tokens: output,
  };
}

/** A block as it begins, the deltas of its pieces, those behind them, and the block as a whole. */
interface Block {
  readonly start: JsonObject;
  readonly pieces: readonly JsonObject[];
  readonly last: readonly JsonObject[];
  readonly whole: JsonObject;
}

function blockOf(part: SaidPart): Block {
  const whole = wholeOf(part);
  switch (part.kind) {
    case "text":
    case "refusal":
      return {
        start: { type: "text", text: "" },
        pieces: part.pieces.map((text) => ({ type: "text_delta", text })),
        last: [],
        whole: { type: "text", text: whole },
      };
    case "reasoning":
      return {
        start: { type: "thinking", thinking: "", signature: "" },
        pieces: part.pieces.map((thinking) => ({ type: "thinking_delta", thinking })),
        last: [{ type: "signature_delta", signature }],
        whole: { type: "thinking", thinking: whole, signature },
      };
    case "call": {
      const start = { type: "tool_use", id: part.id.replace("call", "toolu"), name: part.name };
      return {
        start: { ...start, input: {} },
        pieces: part.pieces.map((text) => ({ type: "input_json_delta", partial_json: text })),
        last: [],
        whole: { ...start, input: argumentsOf(part) },
      };
    }
  }
}

function messageOf(asked: Asked, members: JsonObject): JsonObject {
  return {
    id: `msg_simulated_${asked.model}`,
    type: "message",
    role: "assistant",
    model: asked.model,
    content: [],
    stop_reason: null,
    stop_sequence: null,
    ...members,
  };
}

const stopOf = (end: SaidEnd): JsonObject => ({
  stop_reason: stopReasons[end],
  stop_sequence: end === "stop-sequence" ? stopSequence : null,
});

/** The ping follows the first block's begin, where Anthropic sends it. */
function eventsOf(asked: Asked, { parts, end, usage }: Said): SentEvent[] {
  const around = (data: { readonly type: string } & JsonObject): SentEvent => ({
    place: "around",
    text: namedEvent(data),
  });
  const blocks = blocksOf(parts).flatMap(({ start, pieces, last }, index): SentEvent[] => [
    around({ type: "content_block_start", index, content_block: start }),
    ...(index === 0 ? [around({ type: "ping" })] : []),
    ...pieces.map((delta): SentEvent => ({
      place: "piece",
      text: namedEvent({ type: "content_block_delta", index, delta }),
    })),
    ...last.map((delta) => around({ type: "content_block_delta", index, delta })),
    around({ type: "content_block_stop", index }),
  ]);
  const message = messageOf(asked, { usage: usageMembers({ ...usage, output: 1 }) });
  // Anthropic repeats the tokens in with the sum of those out; older and compatible servers send the latter alone.
  const total = usage.cached === undefined ? { output_tokens: usage.output } : usageMembers(usage);
  const delta = { type: "message_delta", delta: stopOf(end), usage: total };
  return [
    around({ type: "message_start", message }),
    ...blocks,
    { place: "finish", text: namedEvent(delta) },
    { place: "end", text: namedEvent({ type: "message_stop" }) },
  ];
}

/** A text without a word is no block. */
function blocksOf(parts: readonly SaidPart[]): Block[] {
  return parts.filter(({ pieces }) => pieces.length > 0).map(blockOf);
}

function errorValue(message: string, word: string): unknown {
  if (word === "text") return message;
  if (word === "uncoded") return { message };
  if (word === "named" || word === "worded") return { type: "overloaded_error", message };
  return { type: errorTypeOf(Number(word.replace("quoted-", ""))), message };
}

const errorAround = (error: unknown): { readonly type: string } & JsonObject => ({ type: "error", error });

export const messagesForms: AnswerForms = {
  document: (asked, { parts, end, usage }) =>
    messageOf(asked, {
      content: blocksOf(parts).map(({ whole }) => whole),
      ...stopOf(end),
      usage: usageMembers(usage),
    }),
  events: eventsOf,
  error: ({ message, status, type }) => ({
    ...errorAround({ type: type ?? errorTypeOf(status), message }),
    request_id: "req_simulated",
  }),
  errorAround,
  errorValue,
  errorEvent: (message, word) => namedEvent(errorAround(errorValue(message, word))),
  bookkeptError: () => undefined,
  rawEvent: (data) => `event: content_block_delta\ndata: ${data}\n\n`,
  heartbeat: namedEvent({ type: "ping" }),
  listMember: "content",
  usageMember: "usage",
  usage: usageMembers,
  listWithText: (text) => [{ type: "text", text }],
  listWithMessage: (text) => [{ type: "text", text }],
  lineBreaks: /,(?="(?:message|index|delta|content_block|usage|content)")/g,
};
