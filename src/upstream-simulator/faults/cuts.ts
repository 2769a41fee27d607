// Streams that end before their terminal event.

import type { Asked } from "../asked.ts";
import { chatOnly, faultGroup, numberOr, type FaultEntry } from "../fault.ts";
import { eventsOf, rightEvents, textsOf, throughFinish, upTo, upToPieces } from "../event-stream.ts";
import { chunk, chunkedBody, head, lastChunk, streamType } from "../http-answer.ts";
import { finishEvent, roleEvent } from "../forms/chat-events.ts";
import { cologneCall, namedCall, said, text, thought } from "../said.ts";
import { fin, hang, resetAfterData, write, type Bytes, type Step } from "../step.ts";

/** How a cut stream ends, by the word after `~end=`: the body ends properly, or the connection breaks. */
const ends: Readonly<Record<string, readonly Step[]>> = {
  clean: [write(lastChunk)],
  fin: [fin],
  reset: resetAfterData,
  hang: [hang],
};

const endNames = Object.keys(ends);

/** These bytes of a stream, and no more. */
function cutAfter(asked: Asked, parts: readonly Bytes[], end = asked.options.get("end") ?? "clean"): readonly Step[] {
  const sent = parts.filter((part) => part.length > 0).map(chunk);
  return [write(head(asked, 200, [streamType, chunkedBody]), ...sent), ...(ends[end] ?? [])];
}

const withEnds = (...names: readonly string[]): string[] =>
  names.flatMap((name) => endNames.map((end) => `${name}~end=${end}`));

const allEnds = (name: string): Pick<FaultEntry, "name" | "examples"> => ({ name, examples: withEnds(name) });

/** So many events (`4`), or all up to so many words (`3-words`), which are as many more as a dialect puts in front of the first. */
const eventsOrWords = /^(\d{0,5})(?:(?<=\d)-(words))?$/;

function startOf(asked: Asked, count: string | undefined, unit: string | undefined): string[] {
  if (unit === "words") return textsOf(upToPieces(eventsOf(asked), Number(count)));
  return rightEvents(asked).slice(0, numberOr(count, 4));
}

/** These events and the start of the next one. */
function inEvent(asked: Asked, start: readonly string[]): Bytes[] {
  return [...start, halfOf(rightEvents(asked)[start.length])];
}

const halfOf = (event = ""): string => event.slice(0, event.length >> 1);

/** Behind two pieces of the arguments, or inside them where they come in one piece. */
function inCall(asked: Asked): Bytes[] {
  const events = eventsOf(asked, said(asked, "calls", namedCall(asked, cologneCall)));
  const pieces = events.filter(({ place }) => place === "piece").length;
  if (pieces > 2) return textsOf(upToPieces(events, 2));
  const start = textsOf(upToPieces(events, 0));
  return [...start, halfOf(events[start.length]?.text)];
}

/** Every event that says neither why the answer ended nor what it cost, then half of the last one. */
function inEnd(asked: Asked): Bytes[] {
  const events = eventsOf(asked);
  const start = textsOf(upTo(upTo(events, "finish"), "end"));
  return [...start, asked.dialect === "chat-completions" ? "data: [DO" : halfOf(events.at(-1)?.text)];
}

/** An event that stops between the two bytes of its last character. */
function inCharacter(asked: Asked): Bytes[] {
  const events = upToPieces(eventsOf(asked, said(asked, "stop", text("caf\u00e9"))), 1);
  const bytes = Buffer.from(events.at(-1)?.text ?? "");
  return [...textsOf(events.slice(0, -1)), bytes.subarray(0, bytes.indexOf(Buffer.from("\u00e9")) + 1)];
}

export const cutFaults = faultGroup(
  "cut",
  ["stream"],
  [
    {
      name: "cut-after",
      sentence: "A stream that ends after so many whole events (4), without finish_reason and [DONE].",
      parameters: eventsOrWords,
      examples: withEnds("cut-after-0", "cut-after-1", "cut-after-4"),
      furtherExamples: withEnds("cut-after-2", "cut-after-3-words", "cut-after-12-words"),
      plan: (asked, [, count, unit]) => cutAfter(asked, startOf(asked, count, unit)),
    },
    {
      name: "cut-in-event",
      sentence: "A stream that ends inside the event after so many whole ones (4).",
      parameters: eventsOrWords,
      examples: withEnds("cut-in-event-0", "cut-in-event-4"),
      furtherExamples: withEnds("cut-in-event-3-words", "cut-in-event-12-words"),
      plan: (asked, [, count, unit]) => cutAfter(asked, inEvent(asked, startOf(asked, count, unit))),
    },
    {
      ...allEnds("cut-in-character"),
      sentence: "A stream that ends inside a UTF-8 character.",
      plan: (asked) => cutAfter(asked, inCharacter(asked)),
    },
    {
      ...allEnds("cut-in-tool-call"),
      sentence: "A stream that ends inside the arguments of a tool call.",
      plan: (asked) => cutAfter(asked, inCall(asked)),
    },
    {
      ...allEnds("cut-in-reasoning"),
      sentence: "A stream that ends inside the reasoning in front of the answer.",
      plan: (asked) =>
        cutAfter(asked, textsOf(upToPieces(eventsOf(asked, said(asked, "stop", thought, text("done"))), 2))),
    },
    {
      name: "cut-at",
      sentence: "A stream whose body ends after so many bytes.",
      parameters: /^(\d{1,7})$/,
      examples: ["cut-at-7", "cut-at-300~end=fin"],
      plan: (asked, [, count]) =>
        cutAfter(asked, [Buffer.from(rightEvents(asked).join("")).subarray(0, Number(count))]),
    },
    {
      ...allEnds("cut-before-done"),
      sentence: "A whole stream that lacks only [DONE].",
      dialects: ["chat-completions", "responses", "messages"],
      whole: chatOnly,
      plan: (asked) => cutAfter(asked, rightEvents(asked).slice(0, -1)),
    },
    {
      ...allEnds("cut-after-finish"),
      sentence: "A stream that ends right after its finish_reason, without usage and [DONE].",
      dialects: ["chat-completions", "messages", "gemini"],
      whole: ["chat-completions", "gemini"],
      plan: (asked) => cutAfter(asked, textsOf(throughFinish(eventsOf(asked)))),
    },
    {
      ...allEnds("cut-after-first-finish"),
      sentence: "Two choices of which only the first got its finish_reason.",
      dialects: chatOnly,
      plan: (asked) => cutAfter(asked, [roleEvent(asked, 0), roleEvent(asked, 1), finishEvent(asked, "stop", {}, 0)]),
    },
    {
      ...allEnds("cut-in-done"),
      sentence: "A stream without finish_reason that ends inside [DONE].",
      plan: (asked) => cutAfter(asked, inEnd(asked)),
    },
    {
      name: "no-finish",
      sentence: "A stream with [DONE] but without any finish_reason.",
      dialects: ["chat-completions", "messages", "gemini"],
      whole: ["chat-completions", "messages"],
      plan: (asked) => {
        const events = eventsOf(asked);
        const kept = events.filter(({ place }) => place !== "finish" && place !== "usage");
        return cutAfter(asked, textsOf(kept), "clean");
      },
    },
    {
      name: "stall",
      sentence: "Silence for ever after so many whole events (4).",
      parameters: eventsOrWords,
      examples: ["stall-1", "stall-4"],
      furtherExamples: ["stall-3-words"],
      plan: (asked, [, count, unit]) => cutAfter(asked, startOf(asked, count, unit), "hang"),
    },
  ],
);
