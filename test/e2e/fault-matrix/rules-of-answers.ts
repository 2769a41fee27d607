// The rules of faults that show in both modes: connections, statuses, framing, and errors behind a success.

import type { Dialect } from "../../../src/core/chat-request.ts";
import {
  brokenAtEnd,
  endObstacle,
  inBand,
  status,
  timeout,
  transport,
  truncated,
  unusable,
  whole,
  words,
  type Ending,
} from "./ending.ts";
import type { Form, Rule } from "./rule.ts";
import { statusByType, told, toldByCode } from "./told.ts";

/** What half of the events of a right stream are: in chat completions the role and seven words, in Responses four events and six words. */
const wordsInHalf: Readonly<Record<Dialect, number>> = { "chat-completions": 7, responses: 6, messages: 6, gemini: 6 };

/** A byte takes a millisecond, and dialects need more or fewer of them for the same words. */
const trickleMs: Readonly<Record<Dialect, number>> = {
  "chat-completions": 8000,
  responses: 16_000,
  messages: 8000,
  gemini: 10_000,
};

const endInText = 'data: [DONE]\n\ndata: {"error":{"code":500}}\n\n"finish_reason":"stop"';

function statusOf({ word, dialect, setting }: Form): Ending {
  const value = Number.parseInt(word, 10);
  if (value === 100 || value === 103) return timeout("before-headers");
  if (value < 200 || value > 599) return transport;
  if (value === 204 || value === 304) return unusable;
  // The error document of a 205 is an error behind a success; what it says of itself is no status, except by its type.
  if (value === 205) return dialect === "messages" ? status(statusByType(value)) : status(502, codeOf(dialect, 205));
  const body = word.slice(4);
  if (body === "hanging" || body === "dripping") return status(value, null, { holds: "in-error-body" });
  // An array with the error in it is how Google answers a request for a stream.
  const isDocument = body === "" || body === "json" || (body === "array" && dialect === "gemini");
  const code = isDocument ? codeOf(dialect, value, setting("code")) : null;
  // The simulator's own messages have none of the phrases; those that the examples bring along all do (2.8).
  if (setting("message") !== undefined) return status(value, code, saysOf(setting("code") ?? null, dialect));
  const asksMs = asked(setting);
  return status(value, code, asksMs === undefined ? {} : { asksMs });
}

/** Messages have no codes, and Gemini's code is the status. */
function codeOf(dialect: Dialect, value: number, code: string | null = null): string | number | null {
  if (dialect === "messages") return null;
  return dialect === "gemini" ? value : code;
}

/** A code that is a phrase itself is lost where errors have no such code. */
function saysOf(code: string | null, dialect: Dialect): { says?: ReturnType<typeof wordsAbout> } {
  const hasCode = dialect === "chat-completions" || dialect === "responses";
  return code === "model_unavailable" && !hasCode ? {} : { says: wordsAbout(code) };
}

function wordsAbout(code: string | null): "unavailable" | "too long" | "refused" {
  if (code === "context_length_exceeded") return "too long";
  return code === "content_policy_violation" ? "refused" : "unavailable";
}

function asked(setting: Form["setting"]): number | undefined {
  const milliseconds = setting("retry-after-ms");
  if (milliseconds !== undefined) return Number(milliseconds);
  // A date has whole seconds only: two seconds ahead are one at least.
  if (setting("retry-after") === "date+2") return 1000;
  const seconds = setting("retry-after") ?? setting("x-ratelimit-reset-requests")?.replace("s", "");
  return seconds === undefined ? undefined : Number(seconds) * 1000;
}

function hidden({ example, dialect }: Form): Ending {
  const { status: value, code } = told(example.slice("hidden-".length), dialect);
  return status(value, code);
}

function hiddenNamed({ dialect }: Form): Ending {
  const { status: value, code } = told("named", dialect);
  return status(value, code);
}

/** A response that failed says so itself. */
function failedResponse({ word }: Form): Ending {
  const { status: value, code } = toldByCode(Number(word));
  return status(value, code);
}

export const answerRules: readonly Rule[] = [
  {
    faults: ["ok", "burst", "paced"],
    buffered: wholeAsAsked,
    stream: wholeAsAsked,
    because: "A right answer is delivered as it is.",
  },
  {
    faults: ["tools", "parallel-tools", "tools-large", "no-content"],
    buffered: whole(""),
    stream: whole(""),
    because: "An answer without text is an answer (2.9).",
  },
  {
    faults: ["tools-bad-json"],
    buffered: whole(""),
    stream: whole(""),
    where: {
      messages: { buffered: ({ isTranslated }) => (isTranslated ? unusable : whole("")) },
      gemini: { buffered: unusable, stream: unusable },
    },
    because:
      "What a model says is its own affair (2.9). Where arguments are an object and no text, other ones have changed their type, of which translated paths tell.",
  },
  {
    faults: ["refusal"],
    buffered: whole("no"),
    stream: whole("no"),
    where: { gemini: { buffered: whole(""), stream: whole("") } },
    because: "To decline is an answer; Gemini blocks a prompt without a word (2.9).",
  },
  {
    faults: ["json-text"],
    buffered: whole('{"city":"Köln","celsius":-3.5}'),
    stream: whole('{"city":"Köln","celsius":-3.5}'),
    because: "Structured output is text (2.9).",
  },
  {
    faults: ["reasoning"],
    buffered: whole("done thinking"),
    stream: whole("done thinking"),
    because: "Unknown fields pass (2.9).",
  },
  {
    faults: ["two-choices"],
    buffered: whole((model) => `choice 0 of ${model}`),
    stream: whole((model) => `choice 0 of ${model}`),
    because: "Every choice finishes (decision 8).",
  },
  {
    faults: ["finish-length"],
    buffered: whole("cut by the limit"),
    stream: whole("cut by the limit"),
    because: "Ending at the token limit is a proper end.",
  },
  {
    faults: ["content-filter"],
    buffered: whole("cut by the filter"),
    stream: whole("cut by the filter"),
    because: "Ending at the provider's filter is a proper end (1.16).",
  },
  {
    faults: ["stop-sequence"],
    buffered: whole("cut by the sequence"),
    stream: whole("cut by the sequence"),
    because: "Ending at a stop sequence is a proper end.",
  },
  {
    faults: ["cached-usage"],
    buffered: whole("from the cache"),
    stream: whole("from the cache"),
    because: "Details of the usage change nothing about the answer.",
  },
  {
    faults: ["terminal-in-text"],
    buffered: whole(endInText),
    stream: whole(endInText),
    because: "Text that looks like an end is text (checklist 100).",
  },
  {
    faults: ["finish-error"],
    buffered: status(502),
    stream: truncated("then it broke", "told"),
    where: {
      responses: {
        buffered: status(500, "server_error"),
        stream: (form) => inBand("then it broke", { status: 500, code: "server_error" }, endObstacle(form)),
      },
    },
    because:
      "The provider says that it failed. Without an error of its own that is a 502, and never a success (field report OmniRoute#8210).",
  },
  {
    faults: ["slow-first", "slow-body", "bytes", "random-pieces", "events"],
    buffered: whole(),
    stream: whole(),
    because: "How an answer is cut into packets changes nothing.",
  },
  {
    faults: ["trickle"],
    buffered: whole(words, { takesMs: 2000 }),
    stream: ({ dialect }) => whole(words, { takesMs: trickleMs[dialect] }),
    because: "How an answer is cut into packets changes nothing.",
  },
  {
    faults: ["reset-before-answer", "reset-in-headers", "fin-before-answer", "fin-in-headers"],
    buffered: transport,
    stream: transport,
    because: "Refused, reset: 502 naming the provider (2.9).",
  },
  {
    faults: ["reset-after-headers", "fin-after-headers"],
    buffered: transport,
    stream: transport,
    because: "Headers alone commit to nothing: a stream's status waits for the first event (2.8).",
  },
  {
    faults: ["reset-in-body", "fin-in-body"],
    buffered: transport,
    stream: ({ dialect }) => truncated(wordsInHalf[dialect], "connection"),
    because: "Half a document is none; a begun stream gets its error event (2.9).",
  },
  {
    faults: ["hang-before-answer", "hang-in-headers"],
    buffered: timeout("before-headers"),
    stream: timeout("before-headers"),
    because: "Local timeout: 504 (2.9).",
  },
  {
    faults: ["hang-after-headers"],
    buffered: timeout("in-body"),
    stream: timeout("before-event"),
    because: "Local timeout: 504 (2.9, 2.11.10).",
  },
  {
    faults: ["hang-in-body"],
    buffered: timeout("in-body"),
    stream: ({ dialect }) => truncated(wordsInHalf[dialect], "silence"),
    because: "Silent mid-flight: `stream_incomplete` after the idle limit (2.9).",
  },
  {
    faults: ["fin-after-answer", "reset-after-answer", "stale"],
    buffered: whole(),
    stream: whole(),
    because:
      "What becomes of the connection after a whole answer is nobody's concern; the next call gets a fresh one (decision 5).",
  },
  {
    faults: ["status"],
    buffered: statusOf,
    stream: statusOf,
    because:
      "The provider's status; a 2xx without an answer, a 3xx and what is no status are 502 (1.19); an error body is read for 2 s at most (2.12).",
  },
  {
    faults: ["redirect"],
    buffered: unusable,
    stream: unusable,
    because: "Redirects are not followed: 502 (1.19, checklist 128).",
  },
  {
    faults: ["hidden", "hidden-quoted"],
    buffered: hidden,
    stream: hidden,
    because: "An error behind 200 is that error, its status kept (2.4); JSON to a stream request too (decision 7).",
  },
  {
    faults: ["hidden-named"],
    buffered: hiddenNamed,
    stream: hiddenNamed,
    because: "No status in it: 502, unless its words stand for one (2.4).",
  },
  {
    faults: ["hidden-uncoded", "hidden-text"],
    buffered: status(502),
    stream: status(502),
    because: "No status in it: 502 (2.4).",
  },
  {
    faults: ["hidden-bookkept"],
    buffered: unusable,
    stream: unusable,
    where: { responses: { buffered: failedResponse, stream: failedResponse } },
    because:
      "With `choices` beside it the document is an answer, an empty one: 502 (2.4, 2.8); a response that calls itself failed is none.",
  },
  { faults: ["hidden-null"], buffered: whole(), because: "A null error is none (2.4)." },
  {
    faults: ["length", "chunked", "until-close", "connection-close", "length-repeated", "chunk-extensions", "trailers"],
    buffered: whole(),
    stream: whole(),
    because: "Legal framing (RFC 9112).",
  },
  { faults: ["surplus"], buffered: whole(), stream: whole(), because: "What follows an answer is not read." },
  {
    faults: ["until-reset", "length-too-long", "last-chunk-missing", "last-chunk-cut"],
    buffered: transport,
    stream: whole(),
    because:
      "A document whose end is not proved is not whole; a stream with its terminal is, whatever the connection does then (2.9).",
  },
  {
    faults: ["length-too-long-hang"],
    buffered: timeout("in-body"),
    stream: whole(),
    where: { gemini: { stream: whole(words, { holds: "after-finish" }) } },
    because: "As above, with silence instead of an end.",
  },
  {
    faults: ["length-too-short"],
    buffered: unusable,
    stream: whole(),
    where: { responses: { stream: brokenAtEnd("ended") }, gemini: { stream: truncated(words, "ended") } },
    because:
      "A cut document is unreadable (2.9); the stream loses only part of its [DONE] and has its finish_reason, which Responses and Gemini have in the event that is cut.",
  },
  {
    faults: [
      "length-twice",
      "length-and-chunked",
      "length-negative",
      "length-junk",
      "length-enormous",
      "encoding-unknown",
    ],
    buffered: transport,
    stream: transport,
    because: "Framing that two readers could understand differently is no HTTP (RFC 9112, 6.3).",
  },
  {
    faults: [
      ...["chunk-size-junk", "chunk-size-negative", "chunk-size-enormous", "chunk-size-endless"],
      ...["chunk-end-missing", "chunk-too-long"],
    ],
    buffered: transport,
    stream: transport,
    because: "Broken chunks are a broken connection; no event was whole before them.",
  },
  {
    faults: [
      ...["garbage", "http-09", "http-2", "status-line-junk", "reason-nul", "header-nul", "header-no-colon"],
      ...["header-space", "header-folded", "header-bare-cr", "head-bare-lf", "head-large", "head-many", "head-endless"],
    ],
    buffered: transport,
    stream: transport,
    because: "What is no HTTP/1 head, or more of it than can be held, is a broken connection.",
  },
  {
    faults: ["http-10", "status-line-bare", "continue", "early-hints", "cookies", "type-missing", "type-wrong"],
    buffered: whole(),
    stream: whole(),
    because: "Legal, or careless in a way that leaves the answer clear (decision 7).",
  },
  {
    faults: ["informational-endless"],
    buffered: timeout("before-headers"),
    stream: timeout("before-headers"),
    because: "Interim answers are no answer: 504 by the limit.",
  },
  { faults: ["type-json"], stream: unusable, because: "JSON that is no error, to a stream request: 502 (decision 7)." },
  { faults: ["type-stream"], buffered: unusable, because: "A stream to a buffered request: 502 (decision 7)." },
  {
    faults: ["gzip", "brotli"],
    buffered: whole(),
    stream: whole(),
    because: "Decoded although nobody asked for it (decision 5).",
  },
  {
    faults: ["gzip-cut"],
    buffered: unusable,
    stream: whole(),
    where: {
      responses: { stream: brokenAtEnd("connection") },
      gemini: { stream: truncated(words, "connection") },
    },
    because:
      "A body that cannot be decoded is unreadable (2.11.5); the stream is cut behind its finish_reason, which Responses and Gemini have in the event that is cut.",
  },
  {
    faults: ["gzip-junk", "gzip-twice", "gzip-bomb", "encoding-junk"],
    buffered: unusable,
    stream: unusable,
    because: "A body that cannot be decoded, or is over 32 MB decoded, is unreadable (2.11.5, decision 11).",
  },
  {
    faults: ["html", "html-as-right-type"],
    buffered: unusable,
    stream: unusable,
    because: "A page is no answer and no event (2.9).",
  },
];

function wholeAsAsked({ example }: Form): Ending {
  const last = /-(\d+)$/.exec(example)?.[1];
  return whole(last === undefined ? words : Number(last));
}
