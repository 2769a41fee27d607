// The rules of faults that only a stream can show.

import type { Dialect } from "../../../src/core/chat-request.ts";
import { answerText } from "../../../src/upstream-simulator/answer-text.ts";
import {
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
import { told, toldByCode } from "./told.ts";

/** No event was whole: an empty stream, a broken connection or a timeout, by how it ended. */
function nothingBegun({ setting }: Form): Ending {
  const end = setting("end");
  if (end === "fin" || end === "reset") return transport;
  return end === "hang" ? timeout("before-event") : unusable;
}

const breakBy = { clean: "ended", fin: "connection", reset: "connection", hang: "silence" } as const;

function brokenAfter(said: string | number, { setting }: Form, obstacle?: Parameters<typeof truncated>[2]): Ending {
  const end = setting("end") ?? "clean";
  if (end !== "clean" && end !== "fin" && end !== "reset" && end !== "hang") throw new Error(`no such end: ${end}`);
  return truncated(said, breakBy[end], obstacle);
}

const cut =
  (said: string | number, obstacle?: Parameters<typeof truncated>[2]) =>
  (form: Form): Ending =>
    brokenAfter(said, form, obstacle);

/** Behind all of the text. */
const cutAtEnd = (form: Form): Ending => brokenAfter(words, form, endObstacle(form));

/** Events in front of the first word: the role; `response.created` and three more; `message_start`, `content_block_start` and a ping; none. */
const eventsInFront: Readonly<Record<Dialect, number>> = {
  "chat-completions": 1,
  responses: 4,
  messages: 3,
  gemini: 0,
};

/** How many words there are after so many events, or as many as are named; undefined: no event came. */
function wordsAfter({ word, dialect }: Form): number | undefined {
  const count = Number.parseInt(word, 10);
  if (word.endsWith("-words")) return count;
  return count === 0 ? undefined : Math.max(0, count - eventsInFront[dialect]);
}

function cutAfterEvents(form: Form): Ending {
  const said = wordsAfter(form);
  return said === undefined ? nothingBegun(form) : brokenAfter(said, form);
}

/** The first event of the other dialects is longer than every place of a cut, but for Gemini's, which has the first word. */
function cutAtByte(form: Form, model: string): Ending {
  const bytes = Number(form.word);
  switch (form.dialect) {
    case "chat-completions":
      return bytes < firstEventBytes(model) ? nothingBegun(form) : brokenAfter("", form);
    case "responses":
    case "messages":
      return nothingBegun(form);
    case "gemini":
      return bytes < firstGeminiBytes(model) ? nothingBegun(form) : brokenAfter(1, form);
  }
}

/** Of the first event, as Gemini's format has it. */
function firstGeminiBytes(model: string): number {
  const chunk = {
    candidates: [{ content: { parts: [{ text: `[${model}]` }], role: "model" }, index: 0 }],
    usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 1, totalTokenCount: 12 },
    modelVersion: model,
    responseId: `simulated-${model}`,
  };
  return Buffer.byteLength(`data: ${JSON.stringify(chunk)}\n\n`);
}

/** Length of the first event of a model of this name, as the format of chat completions has it. */
function firstEventBytes(model: string): number {
  const chunk = {
    id: `chatcmpl-simulated-${model}`,
    object: "chat.completion.chunk",
    created: 1_767_225_600,
    model,
    choices: [{ index: 0, delta: { role: "assistant", content: "" }, finish_reason: null }],
  };
  return Buffer.byteLength(`data: ${JSON.stringify(chunk)}\n\n`);
}

/**
 * Whether the caller has been told before the end that the answer is at it. Translated into Messages it is told with the end, and a finish of Gemini is
 * known for the last one only there.
 */
function hasFinish({ asks, dialect, isTranslated }: Form): boolean {
  return !isTranslated || (asks !== "messages" && dialect !== "gemini");
}

const first = (word: string, dialect: Dialect): Ending => {
  const { status: value, code } = told(word, dialect);
  return status(value, code);
};

export const streamRules: readonly Rule[] = [
  {
    faults: ["cut-after", "cut-in-event"],
    stream: cutAfterEvents,
    because: "No event: 502 or 504 before the headers; one or more: all of them and then `stream_incomplete` (2.9).",
  },
  {
    faults: ["cut-at"],
    stream: cutAtByte,
    because: "As above.",
  },
  {
    faults: ["cut-in-character"],
    stream: cut(""),
    where: { gemini: { stream: nothingBegun } },
    because: "Half an event is none (2.9).",
  },
  {
    faults: ["cut-in-tool-call"],
    stream: cut("", "tool call"),
    where: { gemini: { stream: nothingBegun } },
    because: "Also inside a tool call (2.9), which Gemini sends in one piece.",
  },
  {
    faults: ["cut-in-reasoning"],
    stream: cut("", "reasoning"),
    because: "Reasoning was delivered, though nothing of the text (2.9).",
  },
  {
    faults: ["cut-before-done", "cut-after-finish"],
    stream: (form) => whole(words, form.setting("end") === "hang" ? { holds: "after-finish" } : {}),
    where: { responses: { stream: cutAtEnd } },
    because:
      "A finish_reason is a terminal event: complete, however the connection ends (2.9); [DONE] is added (decision 8). Responses have both in one event.",
  },
  {
    faults: ["cut-after-first-finish"],
    stream: cut("", "several choices"),
    because: "Terminal is each choice's finish_reason (decision 8).",
  },
  { faults: ["cut-in-done"], stream: cutAtEnd, because: "A piece of [DONE] is none." },
  {
    faults: ["no-finish"],
    stream: whole(),
    where: { gemini: { stream: truncated(words, "ended") } },
    because: "[DONE] alone is a terminal event (2.9); Gemini has none but the finish reason.",
  },
  {
    faults: ["stall"],
    stream: (form) => truncated(wordsAfter(form) ?? 0, "silence"),
    because: "Silent mid-flight: `stream_incomplete` after the idle limit (2.9).",
  },
  {
    faults: ["error-first", "error-first-then-done", "error-after-comments"],
    stream: ({ word, dialect }) => first(word, dialect),
    because: "A first event that is an error is that error, before any header; a comment is no event (2.8).",
  },
  {
    faults: ["error-in-chunk"],
    stream: first("429", "chat-completions"),
    where: { responses: { stream: inBand("", toldByCode(429)) } },
    because:
      "An error beside empty choices is an error (field report OmniRoute#8210); a response that failed has begun.",
  },
  {
    faults: ["error-named-event"],
    stream: first("503", "chat-completions"),
    because: "Not written anywhere: an event that is named error and is nothing but one is taken at its word.",
  },
  {
    faults: ["error-after-role"],
    stream: ({ word, dialect }) => inBand("", told(word, dialect)),
    because: "The role is a data event: begun. The error goes out once, then the end (decision 8).",
  },
  {
    faults: ["error-middle", "error-middle-then-done", "error-middle-then-more"],
    stream: ({ word, dialect }) => inBand(3, told(word, dialect)),
    because: "An error in the stream goes out once, then the end, no [DONE] (decision 8).",
  },
  {
    faults: ["error-in-finish"],
    stream: inBand(3, told("502", "chat-completions")),
    where: { responses: { stream: inBand(3, toldByCode(502)) } },
    because: "As above.",
  },
  {
    faults: ["error-last"],
    stream: (form) => inBand(words, told(form.word, form.dialect), hasFinish(form) ? "finish reason" : undefined),
    because:
      "The provider takes its finish_reason back: not swallowed, and no [DONE] (decision 8). Translated, it has not gone out before the end that it is part of.",
  },
  { faults: ["error-null"], stream: whole(), because: "A null error is none (2.4)." },
  {
    faults: ["stream-empty", "stream-of-comments", "stream-of-blank-lines", "stream-of-done"],
    stream: unusable,
    because: "No event: 502 provider returned an empty stream (2.8); [DONE] ends an answer and is none.",
  },
  { faults: ["heartbeats"], stream: timeout("before-event"), because: "Comments, then nothing: 504 (2.11.10)." },
  {
    faults: ["heartbeats-middle"],
    stream: { kind: "endless", said: 3, holds: "relaying" },
    because: "Any byte restarts the idle limit, comments too (2.9): only the caller or the deadline ends it.",
  },
  {
    faults: ["heartbeats-after-finish"],
    stream: whole(words, { takesMs: 5000 }),
    because: "5 s after a finish_reason the answer is taken as whole; comments do not count (decision 8).",
  },
  { faults: ["heartbeats-after-done"], stream: whole(), because: "Nothing after [DONE] is waited for." },
  {
    faults: [...["malformed", "junk", "null", "array"].map((name) => `event-${name}-first`)],
    stream: unusable,
    strongStream: whole(),
    because:
      "Nothing was delivered yet, so a malformed first event may still become a status (2.8); with recovery it is left out (2.12).",
  },
  {
    faults: [...["malformed", "junk", "null", "array"].map((name) => `event-${name}-middle`)],
    stream: truncated(3, "ended"),
    strongStream: whole(),
    because:
      "A malformed event is relayed, then `stream_incomplete` (2.9, decision 9); with recovery it is left out (2.12).",
  },
  {
    faults: [...["blank", "html"].flatMap((name) => [`event-${name}-first`, `event-${name}-middle`])],
    stream: whole(),
    because: "No data field, or an empty one, makes no event (WHATWG).",
  },
  {
    faults: ["event-unknown-first", "event-unknown-middle"],
    stream: whole(),
    because: "Unknown events pass (2.9).",
  },
  {
    faults: ["event-large"],
    stream: whole(
      (model) => `${answerText(model, 3)}${"x".repeat(1 << 20)}${answerText(model).slice(answerText(model, 3).length)}`,
    ),
    because: "Size alone is no fault.",
  },
  { faults: ["comment-large"], stream: whole(), because: "Size alone is no fault." },
  {
    faults: ["line-endless"],
    stream: truncated(3, "ended"),
    because: "An event over 32 MB is malformed (decision 11).",
  },
  {
    faults: ["done-then-more", "done-twice", "done-no-blank-line"],
    stream: whole(),
    because: "Exactly one [DONE], with its blank line, and nothing after it (decision 10).",
  },
  {
    faults: [
      ...["finish-twice", "no-role", "filter-first", "finish-with-word"],
      ...["usage-every-chunk", "usage-null-chunks", "usage-with-choices", "usage-never"],
    ],
    stream: whole(),
    because: "Habits of real providers.",
  },
  {
    faults: [
      ...["crlf", "cr", "mixed-line-ends", "bom", "no-space", "multi-line-data", "event-and-id", "comments"],
      ...["blank-lines", "spaced-json", "chunks-of-seven", "plain-type"],
    ].map((name) => `sse-${name}`),
    stream: whole(),
    because: "Legal spellings of an event stream (WHATWG).",
  },
];
