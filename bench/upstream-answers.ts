// What the benchmark's upstream answers, as whole HTTP messages made once.

import type { BenchDialect } from "./dialect.ts";
import { messagesAnswer, messagesEvents, responsesAnswer, responsesEvents, type SaidText } from "./dialect-answers.ts";

/** Words of a stream's text; with the role and the finish reason it has 50 events before `[DONE]`. */
const streamedWords = 48;

const fields = [
  "date: Mon, 30 Nov 2026 12:00:00 GMT",
  "x-request-id: req_0123456789abcdef0123456789abcdef",
  "openai-processing-ms: 12",
  "openai-version: 2020-10-01",
  "x-ratelimit-limit-requests: 10000",
  "x-ratelimit-remaining-requests: 9999",
].join("\r\n");

const usage = {
  prompt_tokens: 120,
  completion_tokens: 64,
  total_tokens: 184,
  prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
  completion_tokens_details: { reasoning_tokens: 0, audio_tokens: 0 },
};

const text =
  "A gateway stands between programs and the models that they ask. It forwards each question, watches how the answer " +
  "comes back, and asks another model when the first one is in trouble.";

const said: SaidText = { text, pieces: wordsOf };

const plainChatAnswer = whole("200 OK", {
  id: "chatcmpl-0123456789abcdef",
  object: "chat.completion",
  created: 1_790_000_000,
  model: "gpt-4o-mini-2024-07-18",
  choices: [{ index: 0, message: { role: "assistant", content: text, refusal: null }, finish_reason: "stop" }],
  usage,
  service_tier: "default",
  system_fingerprint: "fp_0123456789",
});

export const plainAnswers: Readonly<Record<BenchDialect, Buffer>> = {
  "chat-completions": plainChatAnswer,
  messages: whole("200 OK", messagesAnswer(said)),
  responses: whole("200 OK", responsesAnswer(said)),
};

export const brokenAnswer = whole("500 Internal Server Error", {
  error: { message: "The server had an error", type: "server_error", param: null, code: null },
});

export const modelListing = whole("200 OK", {
  object: "list",
  data: [
    { id: "gpt-4o-mini", object: "model", created: 1_721_172_741, owned_by: "system" },
    { id: "claude-haiku-4-5", type: "model", display_name: "Claude Haiku 4.5", created_at: "2025-10-01T00:00:00Z" },
  ],
  has_more: false,
});

export const streamHead = Buffer.from(
  `HTTP/1.1 200 OK\r\n${fields}\r\ncontent-type: text/event-stream; charset=utf-8\r\ntransfer-encoding: chunked\r\n\r\n`,
);

/** An HTTP chunk per event, as servers send them that write each event when it is there; the last one ends the body. */
export const streamEvents: readonly Buffer[] = events(false);
/** The same with the usage event that was asked for. */
export const streamEventsWithUsage: readonly Buffer[] = events(true);

/** The other dialects tell their usage unasked. */
export const dialectBursts: Readonly<Record<Exclude<BenchDialect, "chat-completions">, Buffer>> = {
  messages: burstOf(messagesEvents(said)),
  responses: burstOf(responsesEvents(said)),
};

function burstOf(lines: readonly string[]): Buffer {
  return Buffer.concat([streamHead, ...lines.map(chunk), Buffer.from("0\r\n\r\n")]);
}

function whole(status: string, body: unknown): Buffer {
  const json = JSON.stringify(body);
  const head = `HTTP/1.1 ${status}\r\n${fields}\r\ncontent-type: application/json\r\ncontent-length: ${json.length}\r\n\r\n`;
  return Buffer.from(head + json);
}

function events(withUsage: boolean): readonly Buffer[] {
  const contents = wordsOf(streamedWords);
  const lines = [
    event([choice({ role: "assistant", content: "", refusal: null }, null)], withUsage ? null : undefined),
    ...contents.map((content) => event([choice({ content }, null)], withUsage ? null : undefined)),
    event([choice({}, "stop")], withUsage ? null : undefined),
    ...(withUsage ? [event([], usage)] : []),
  ];
  return [...lines.map(chunk), Buffer.concat([chunk("data: [DONE]\n\n"), Buffer.from("0\r\n\r\n")])];
}

/** So many of them, from the beginning again when the text has no more. */
function wordsOf(count: number): readonly string[] {
  const words = text.split(" ");
  return Array.from({ length: count }, (_, index) => ` ${words[index % words.length]}`);
}

function choice(delta: unknown, finishReason: string | null): unknown {
  return { index: 0, delta, logprobs: null, finish_reason: finishReason };
}

/** `usageField` undefined: the field is left out. */
function event(choices: readonly unknown[], usageField: unknown): string {
  const data = {
    id: "chatcmpl-0123456789abcdef",
    object: "chat.completion.chunk",
    created: 1_790_000_000,
    model: "gpt-4o-mini-2024-07-18",
    service_tier: "default",
    system_fingerprint: "fp_0123456789",
    choices,
    usage: usageField,
  };
  return `data: ${JSON.stringify(data)}\n\n`;
}

function chunk(data: string): Buffer {
  return Buffer.from(`${Buffer.byteLength(data).toString(16)}\r\n${data}\r\n`);
}
