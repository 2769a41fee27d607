// Gemini: the documents and the stream of Google's generateContent.
// Members: https://ai.google.dev/api/generate-content, .../gemini-api/docs/thought-signatures, https://cloud.google.com/apis/design/errors

import type { AnswerForms, JsonObject, SentEvent } from "../answer-forms.ts";
import type { Asked } from "../asked.ts";
import { argumentsOf, wholeOf, type Said, type SaidEnd, type SaidPart, type SaidUsage } from "../said.ts";

/** What only the provider can read; it decodes as base64. */
const thoughtSignature = "CiQBc2ltdWxhdGVkIHRob3VnaHQ=";

const finishReasons: Readonly<Record<SaidEnd, string>> = {
  stop: "STOP",
  "stop-sequence": "STOP",
  calls: "STOP",
  length: "MAX_TOKENS",
  filter: "SAFETY",
  refusal: "PROHIBITED_CONTENT",
  error: "OTHER",
};

const statusNames: Readonly<Record<number, string>> = {
  400: "INVALID_ARGUMENT",
  401: "UNAUTHENTICATED",
  403: "PERMISSION_DENIED",
  404: "NOT_FOUND",
  409: "ABORTED",
  429: "RESOURCE_EXHAUSTED",
  499: "CANCELLED",
  500: "INTERNAL",
  501: "UNIMPLEMENTED",
  503: "UNAVAILABLE",
  504: "DEADLINE_EXCEEDED",
};

function statusName(status: number): string {
  return statusNames[status] ?? (status >= 400 && status < 500 ? "FAILED_PRECONDITION" : "UNKNOWN");
}

function usageMembers({ input, output, cached, reasoning = 0 }: SaidUsage): JsonObject {
  return {
    promptTokenCount: input,
    candidatesTokenCount: output - reasoning,
    totalTokenCount: input + output,
    ...(cached !== undefined && { cachedContentTokenCount: cached }),
    ...(reasoning > 0 && { thoughtsTokenCount: reasoning }),
  };
}

function chunkOf(asked: Asked, members: JsonObject, usage: JsonObject): JsonObject {
  const envelope = { usageMetadata: usage, modelVersion: asked.model, responseId: `simulated-${asked.model}` };
  return { ...members, ...envelope };
}

function candidate(parts: readonly JsonObject[], finishReason?: string): JsonObject {
  const content = { ...(parts.length > 0 && { parts }), role: "model" };
  return { candidates: [{ content, ...(finishReason !== undefined && { finishReason }), index: 0 }] };
}

/** A prompt that is refused has no candidates. */
const blocked: JsonObject = {
  promptFeedback: { blockReason: "PROHIBITED_CONTENT", safetyRatings: [] },
};

/** A call comes in one piece; the first of several carries the signature of the thought behind all of them. */
function callParts(parts: readonly SaidPart[]): JsonObject[] {
  return parts
    .filter((part) => part.kind === "call")
    .map((call, index) => ({
      functionCall: { name: call.name, args: argumentsOf(call) },
      ...(index === 0 && { thoughtSignature }),
    }));
}

const textPart = (kind: SaidPart["kind"], text: string): JsonObject =>
  kind === "reasoning" ? { text, thought: true } : { text };

function documentOf(asked: Asked, { parts, end, usage }: Said): JsonObject {
  const total = usageMembers(usage);
  if (end === "refusal") return chunkOf(asked, blocked, total);
  const thinks = parts.some(({ kind }) => kind === "reasoning");
  const texts = parts
    .filter((part) => part.kind !== "call" && part.pieces.length > 0)
    .map((part) => ({
      ...textPart(part.kind, wholeOf(part)),
      ...(thinks && part.kind === "text" && { thoughtSignature }),
    }));
  return chunkOf(asked, candidate([...texts, ...callParts(parts)], finishReasons[end]), total);
}

/** Every chunk counts what was said so far; the last one has the reason, and the signature where there were thoughts. */
function eventsOf(asked: Asked, { parts, end, usage }: Said): SentEvent[] {
  if (end === "refusal") return [{ place: "finish", text: event(chunkOf(asked, blocked, usageMembers(usage))) }];
  const texts = parts.flatMap((part) =>
    part.kind === "call" ? [] : part.pieces.map((piece) => textPart(part.kind, piece)),
  );
  const pieces = [...texts, ...callParts(parts)].map((part, index): SentEvent => {
    const sofar = usageMembers({ input: usage.input, output: Math.min(index + 1, usage.output) });
    return { place: "piece", text: event(chunkOf(asked, candidate([part]), sofar)) };
  });
  const thinks = parts.some(({ kind }) => kind === "reasoning");
  const lastParts = pieces.length === 0 ? [] : [{ text: "", ...(thinks && { thoughtSignature }) }];
  const last = chunkOf(asked, candidate(lastParts, finishReasons[end]), usageMembers(usage));
  return [...pieces, { place: "finish", text: event(last) }];
}

function event(data: unknown): string {
  return `data: ${JSON.stringify(data)}\n\n`;
}

function errorValue(message: string, word: string): unknown {
  if (word === "text") return message;
  if (word === "uncoded") return { message };
  if (word === "named" || word === "worded") return { message, status: "UNAVAILABLE" };
  const code = word.replace("quoted-", "");
  return { code: word === code ? Number(code) : code, message, status: statusName(Number(code)) };
}

/** A reason of its own, such as `API_KEY_INVALID`, stands among the details. */
function errorDetails(code: string | number | null): JsonObject {
  if (code === null) return {};
  const info = { "@type": "type.googleapis.com/google.rpc.ErrorInfo", reason: String(code) };
  return { details: [{ ...info, domain: "googleapis.com" }] };
}

const candidates = (content: unknown): readonly unknown[] => [{ content, finishReason: "STOP", index: 0 }];

export const geminiForms: AnswerForms = {
  document: documentOf,
  events: eventsOf,
  error: ({ message, status, code, type }) => ({
    error: { code: status, message, status: type ?? statusName(status), ...errorDetails(code) },
  }),
  errorAround: (error) => ({ error }),
  errorValue,
  errorEvent: (message, word) => event({ error: errorValue(message, word) }),
  bookkeptError: () => undefined,
  rawEvent: (data) => `data: ${data}\n\n`,
  heartbeat: ": heartbeat\n\n",
  listMember: "candidates",
  usageMember: "usageMetadata",
  usage: usageMembers,
  listWithText: (text) => candidates({ parts: [{ text }], role: "model" }),
  listWithMessage: candidates,
  lineBreaks: /,(?="(?:usageMetadata|modelVersion|responseId|index)")/g,
};
