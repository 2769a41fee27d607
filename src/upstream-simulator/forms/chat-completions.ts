// Chat completions: the documents and the stream of an OpenAI-compatible upstream.

import { errorTypeOf } from "../../core/failure.ts";
import type { AnswerForms, JsonObject, SentEvent } from "../answer-forms.ts";
import type { Asked } from "../asked.ts";
import { wholeOf, type Said, type SaidCall, type SaidEnd, type SaidPart, type SaidUsage } from "../said.ts";
import { chatEnvelope, deltaEvent, done, event, finishEvent, roleEvent } from "./chat-events.ts";

const finishReasons: Readonly<Record<SaidEnd, string>> = {
  stop: "stop",
  "stop-sequence": "stop",
  length: "length",
  calls: "tool_calls",
  filter: "content_filter",
  refusal: "stop",
  error: "error",
};

/** A chat answer with this message; the parts given in `change` replace the right ones. */
export function chatDocument(asked: Asked, message: unknown, finishReason: string, usage: SaidUsage): JsonObject {
  return {
    ...chatEnvelope(asked, "chat.completion"),
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason }],
    usage: usageMembers(usage),
  };
}

function usageMembers({ input, output, cached, reasoning }: SaidUsage): JsonObject {
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: input + output,
    ...(cached !== undefined && { prompt_tokens_details: { cached_tokens: cached } }),
    ...(reasoning !== undefined && { completion_tokens_details: { reasoning_tokens: reasoning } }),
  };
}

function messageOf({ parts, isPlain = false }: Said): JsonObject {
  const joined = (kind: SaidPart["kind"]): string | undefined => {
    const found = parts.filter((part) => part.kind === kind);
    return found.length === 0 ? undefined : found.map(wholeOf).join("");
  };
  const calls = parts.flatMap((part) => (part.kind === "call" ? [callOf(part, wholeOf(part))] : []));
  const content = joined("text") ?? null;
  const reasoning = joined("reasoning");
  const refusal = joined("refusal");
  return {
    role: "assistant",
    content,
    ...(reasoning !== undefined && { reasoning_content: reasoning }),
    ...((refusal !== undefined || isPlain) && { refusal: refusal ?? null }),
    ...(calls.length > 0 && { tool_calls: calls }),
  };
}

function callOf({ id, name }: SaidCall, args: string): JsonObject {
  return { id, type: "function", function: { name, arguments: args } };
}

/** The call's name comes in front of its arguments, or, for calls behind the first, with the first piece of them. */
function callDeltas(calls: readonly SaidCall[]): { readonly delta: object; readonly isPiece: boolean }[] {
  const deltas = calls.map((call, index) => {
    const start = (args: string): object => ({ tool_calls: [{ index, ...callOf(call, args) }] });
    const pieces = call.pieces.map((args, position) => ({
      delta: position === 0 && index > 0 ? start(args) : { tool_calls: [{ index, function: { arguments: args } }] },
      isPiece: true,
    }));
    return index === 0 ? [{ delta: start(""), isPiece: false }, ...pieces] : pieces;
  });
  const longest = Math.max(...deltas.map(({ length }) => length));
  return Array.from({ length: longest }, (_, round) => deltas.flatMap((own) => own.slice(round, round + 1))).flat();
}

function eventsOf(asked: Asked, { parts, end, usage }: Said): SentEvent[] {
  const members = { text: "content", reasoning: "reasoning_content", refusal: "refusal" } as const;
  const words = parts.flatMap((part) =>
    part.kind === "call" ? [] : part.pieces.map((piece) => ({ delta: { [members[part.kind]]: piece }, isPiece: true })),
  );
  const calls = parts.filter((part) => part.kind === "call");
  const deltas = calls.length === 0 ? words : [...words, ...callDeltas(calls)];
  return [
    { place: "around", text: roleEvent(asked) },
    ...deltas.map(({ delta, isPiece }): SentEvent => ({
      place: isPiece ? "piece" : "around",
      text: deltaEvent(asked, delta),
    })),
    { place: "finish", text: finishEvent(asked, finishReasons[end]) },
    ...usageEvents(asked, usage),
    { place: "end", text: done },
  ];
}

/** The event with the usage alone, when it was asked for. */
export function usageEvents(asked: Asked, usage: SaidUsage): SentEvent[] {
  if (!asked.includeUsage) return [];
  return [{ place: "usage", text: deltaEvent(asked, {}, { choices: [], usage: usageMembers(usage) }) }];
}

function errorValue(message: string, word: string): unknown {
  if (word === "text") return message;
  if (word === "uncoded") return { message };
  if (word === "worded") return { message, code: "server_overloaded" };
  if (word === "named") return { message, type: "overloaded_error", code: "server_overloaded" };
  return { message, code: word.startsWith("quoted-") ? word.slice("quoted-".length) : Number(word) };
}

export const chatCompletionsForms: AnswerForms = {
  document: (asked, said) => chatDocument(asked, messageOf(said), finishReasons[said.end], said.usage),
  events: eventsOf,
  error: ({ message, status, code, type }) => ({
    error: { message, type: type ?? errorTypeOf(status), param: null, code },
  }),
  errorAround: (error) => ({ error }),
  errorValue,
  errorEvent: (message, word) => event({ error: errorValue(message, word) }),
  bookkeptError: (asked, message, code) => ({
    id: "gen-1",
    object: "chat.completion",
    created: 1,
    model: asked.model,
    choices: [],
    usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 },
    error: { message, code },
    user_id: "user_1",
  }),
  rawEvent: (data) => `data: ${data}\n\n`,
  heartbeat: ": heartbeat\n\n",
  listMember: "choices",
  usageMember: "usage",
  usage: usageMembers,
  listWithText: (content) => chatChoices({ role: "assistant", content }),
  listWithMessage: chatChoices,
  lineBreaks: /,(?="(?:object|model|choices)")/g,
};

function chatChoices(message: unknown): readonly unknown[] {
  return [{ index: 0, message, logprobs: null, finish_reason: "stop" }];
}
