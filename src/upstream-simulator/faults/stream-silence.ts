// Streams that never say anything, or never stop saying nothing.

import type { Asked } from "../asked.ts";
import { faultGroup, numberOr, oneNumber } from "../fault.ts";
import { done, rightEvents, streamOf, textStream } from "../event-stream.ts";
import { chunk, chunkedBody, head, streamType } from "../http-answer.ts";
import { repeat, write, type Step } from "../step.ts";

const comment = ": heartbeat\n\n";

/** These events, then a comment every `everyMs` for ever. */
function thenHeartbeats(asked: Asked, events: readonly string[], everyMs: string | undefined): readonly Step[] {
  const start = write(head(asked, 200, [streamType, chunkedBody]), ...events.map(chunk));
  return [start, repeat(numberOr(everyMs, 20), chunk(comment))];
}

export const streamSilences = faultGroup(
  "stream-silence",
  ["stream"],
  [
    { name: "stream-empty", sentence: "A stream without a byte in its body.", plan: (asked) => streamOf(asked, []) },
    {
      name: "stream-of-comments",
      sentence: "A stream of three comments and nothing else.",
      plan: (asked) => streamOf(asked, [comment, comment, comment]),
    },
    { name: "stream-of-done", sentence: "A stream of [DONE] alone.", plan: (asked) => streamOf(asked, [done]) },
    {
      name: "stream-of-blank-lines",
      sentence: "A stream of blank lines.",
      plan: (asked) => streamOf(asked, ["\n\n\n", "\r\n\r\n"]),
    },
    {
      name: "heartbeats",
      sentence: "Comments for ever, one every so many milliseconds (20), never an event.",
      parameters: oneNumber,
      plan: (asked, [, everyMs]) => thenHeartbeats(asked, [], everyMs),
    },
    {
      name: "heartbeats-middle",
      sentence: "Four events, then comments for ever, one every so many milliseconds (20).",
      parameters: oneNumber,
      plan: (asked, [, everyMs]) => thenHeartbeats(asked, rightEvents(asked).slice(0, 4), everyMs),
    },
    {
      name: "heartbeats-after-finish",
      sentence: "Everything up to the finish_reason, then comments for ever instead of [DONE].",
      parameters: oneNumber,
      whole: true,
      plan: (asked, [, everyMs]) => {
        const { role, words, finish } = textStream(asked);
        return thenHeartbeats(asked, [role, ...words, finish], everyMs);
      },
    },
    {
      name: "heartbeats-after-done",
      sentence: "A whole stream with [DONE], then comments for ever.",
      parameters: oneNumber,
      whole: true,
      plan: (asked, [, everyMs]) => thenHeartbeats(asked, rightEvents(asked), everyMs),
    },
  ],
);
