// The rules of faults that show in both modes: connections, statuses, framing, and errors behind a success.

import { status, timeout, told, transport, truncated, unusable, whole, words, type Ending } from "./ending.ts";
import type { Form, Rule } from "./rule.ts";

/** Half of the events of a right stream are the role and seven words. */
const wordsInHalf = 7;

function statusOf({ word, setting }: Form): Ending {
  const value = Number.parseInt(word, 10);
  if (value === 100 || value === 103) return timeout("before-headers");
  if (value < 200 || value > 599) return transport;
  if (value === 204 || value === 304) return unusable;
  // The error document of a 205 is an error behind a success, without a code.
  if (value === 205) return status(502);
  const body = word.slice(4);
  if (body === "hanging" || body === "dripping") return status(value, null, { holds: "in-error-body" });
  const code = setting("code") ?? null;
  // The simulator's own messages have none of the phrases; those that the examples bring along all do (2.8).
  if (setting("message") !== undefined) return status(value, code, { says: wordsAbout(code) });
  const asksMs = asked(setting);
  return status(value, null, asksMs === undefined ? {} : { asksMs });
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

function hidden(word: string): Ending {
  const { status: value, code } = told(word);
  return status(value, code);
}

const toolFaults = ["tools", "parallel-tools", "tools-large", "tools-bad-json", "refusal", "no-content"];

export const answerRules: readonly Rule[] = [
  {
    faults: ["ok", "burst", "paced"],
    buffered: wholeAsAsked,
    stream: wholeAsAsked,
    because: "A right answer is delivered as it is.",
  },
  { faults: toolFaults, buffered: whole(""), stream: whole(""), because: "An answer without text is an answer (2.9)." },
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
    buffered: whole('data: [DONE]\n\ndata: {"error":{"code":500}}\n\n"finish_reason":"stop"'),
    stream: whole('data: [DONE]\n\ndata: {"error":{"code":500}}\n\n"finish_reason":"stop"'),
    because: "Text that looks like an end is text (checklist 100).",
  },
  {
    faults: ["finish-error"],
    buffered: status(502),
    stream: truncated("then it broke", "told"),
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
    stream: whole(words, { takesMs: 8000 }),
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
    stream: truncated(wordsInHalf, "connection"),
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
    stream: truncated(wordsInHalf, "silence"),
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
    buffered: ({ example }) => hidden(example.slice("hidden-".length)),
    stream: ({ example }) => hidden(example.slice("hidden-".length)),
    because: "An error behind 200 is that error, its status kept (2.4); JSON to a stream request too (decision 7).",
  },
  {
    faults: ["hidden-named"],
    buffered: hidden("named"),
    stream: hidden("named"),
    because: "No status in it: 502 (2.4).",
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
    because: "With `choices` beside it the document is an answer, an empty one: 502 (2.4, 2.8).",
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
    because: "As above, with silence instead of an end.",
  },
  {
    faults: ["length-too-short"],
    buffered: unusable,
    stream: whole(),
    because: "A cut document is unreadable (2.9); the stream loses only part of its [DONE] and has its finish_reason.",
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
    because: "A body that cannot be decoded is unreadable (2.11.5); the stream is cut behind its finish_reason.",
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
