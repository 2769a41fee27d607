// Responses: the documents and the stream of OpenAI's second dialect.
// Members: https://platform.openai.com/docs/api-reference/responses/object and .../responses-streaming

import { errorTypeOf } from "../../core/failure.ts";
import type { AnswerForms, JsonObject, SentEvent } from "../answer-forms.ts";
import type { Asked } from "../asked.ts";
import type { Said, SaidEnd, SaidUsage } from "../said.ts";
import { created } from "./chat-events.ts";
import { namedEvent } from "./named-event.ts";
import { responseItem, type ResponseItem } from "./responses-items.ts";

/** How a response ends: its status, and what it says about it. */
const endings: Readonly<Record<SaidEnd, { readonly status: string; readonly details: JsonObject }>> = {
  stop: { status: "completed", details: {} },
  "stop-sequence": { status: "completed", details: {} },
  calls: { status: "completed", details: {} },
  refusal: { status: "completed", details: {} },
  length: { status: "incomplete", details: { incomplete_details: { reason: "max_output_tokens" } } },
  filter: { status: "incomplete", details: { incomplete_details: { reason: "content_filter" } } },
  error: { status: "failed", details: { error: { code: "server_error", message: "the simulated model broke" } } },
};

/** The code that OpenAI gives an error of this status. */
function codeOf(status: number): string {
  if (status === 401) return "invalid_api_key";
  if (status === 429) return "rate_limit_exceeded";
  if (status === 503) return "server_is_overloaded";
  return status >= 500 ? "server_error" : "invalid_prompt";
}

function responseOf(asked: Asked, status: string, members: JsonObject): JsonObject {
  return {
    id: `resp_simulated_${asked.model}`,
    object: "response",
    created_at: created,
    status,
    background: false,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: asked.model,
    output: [],
    parallel_tool_calls: true,
    previous_response_id: null,
    reasoning: { effort: null, summary: null },
    store: false,
    temperature: 1,
    text: { format: { type: "text" } },
    tool_choice: "auto",
    tools: [],
    top_p: 1,
    truncation: "disabled",
    usage: null,
    metadata: {},
    ...members,
  };
}

function usageMembers({ input, output, cached = 0, reasoning = 0 }: SaidUsage): JsonObject {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: input + output,
  };
}

function itemsOf({ parts, end }: Said): ResponseItem[] {
  const isCut = endings[end].status !== "completed";
  return parts.map((part, index) => responseItem(part, index, isCut ? "incomplete" : "completed"));
}

function documentOf(asked: Asked, said: Said): JsonObject {
  const { status, details } = endings[said.end];
  const output = itemsOf(said).map(({ whole }) => whole);
  return responseOf(asked, status, { ...details, output, usage: usageMembers(said.usage) });
}

/** Every event has the number of those before it. */
function eventsOf(asked: Asked, said: Said): SentEvent[] {
  const begun = responseOf(asked, "in_progress", {});
  const { status } = endings[said.end];
  const events = [
    { place: "around" as const, data: { type: "response.created", response: begun } },
    { place: "around" as const, data: { type: "response.in_progress", response: begun } },
    ...itemsOf(said).flatMap((item) =>
      item.events.map(({ isPiece, data }) => ({ place: isPiece ? ("piece" as const) : ("around" as const), data })),
    ),
    { place: "end" as const, data: { type: `response.${status}`, response: documentOf(asked, said) } },
  ];
  return events.map(({ place, data: { type, ...members } }, index) => ({
    place,
    text: namedEvent({ type, sequence_number: index, ...members }),
  }));
}

function errorValue(message: string, word: string): unknown {
  if (word === "text") return message;
  if (word === "uncoded") return { message };
  if (word === "named" || word === "worded") return { message, type: "server_error", code: "server_overloaded" };
  if (word.startsWith("quoted-")) return { message, code: word.slice("quoted-".length) };
  return { message, type: errorTypeOf(Number(word)), code: codeOf(Number(word)), param: null };
}

/** The error's members beside `type`, as documented; a named one inside `error`, as is seen as well. */
function errorEvent(message: string, word: string, eventsBefore: number): string {
  const value = errorValue(message, word);
  const nested = { type: "error", error: value, sequence_number: eventsBefore };
  if (word === "named" || word === "text") return namedEvent(nested);
  const code = word === "uncoded" ? null : word.startsWith("quoted-") ? word.slice(7) : codeOf(Number(word));
  return namedEvent({ type: "error", code, message, param: null, sequence_number: eventsBefore });
}

const outputOf = (content: unknown): readonly unknown[] => [
  { id: "msg_1", type: "message", status: "completed", content, role: "assistant" },
];

export const responsesForms: AnswerForms = {
  document: documentOf,
  events: eventsOf,
  error: ({ message, status, code, type }) => ({
    error: { message, type: type ?? errorTypeOf(status), param: null, code },
  }),
  errorAround: (error) => ({ error }),
  errorValue,
  errorEvent,
  bookkeptError: (asked, message, status) =>
    responseOf(asked, "failed", { error: { code: codeOf(status), message }, output: [] }),
  rawEvent: (data) => `event: response.output_text.delta\ndata: ${data}\n\n`,
  heartbeat: ": heartbeat\n\n",
  listMember: "output",
  usageMember: "usage",
  usage: usageMembers,
  listWithText: (text) => outputOf([{ type: "output_text", annotations: [], text }]),
  listWithMessage: outputOf,
  lineBreaks: /,(?="(?:response|item|item_id|delta|part|output_index)")/g,
};
