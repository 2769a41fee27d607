// Streams that never say anything, or never stop saying nothing.

import type { Asked } from "../asked.ts";
import { faultGroup, numberOr, oneNumber } from "../fault.ts";
import { beginning, eventsOf, rightEvents, streamOf, textsOf, throughFinish } from "../event-stream.ts";
import { formsOf } from "../forms-of.ts";
import { chunk, chunkedBody, head, streamType } from "../http-answer.ts";
import { repeat, write, type Step } from "../step.ts";

const comment = ": heartbeat\n\n";

/** These events, then a comment (Messages: a ping) every `everyMs` for ever. */
function thenHeartbeats(asked: Asked, events: readonly string[], everyMs: string | undefined): readonly Step[] {
  const start = write(head(asked, 200, [streamType, chunkedBody]), ...events.map(chunk));
  return [start, repeat(numberOr(everyMs, 20), chunk(formsOf(asked).heartbeat))];
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
    {
      name: "stream-of-done",
      sentence: "A stream of [DONE] alone.",
      dialects: ["chat-completions", "messages"],
      plan: (asked) => streamOf(asked, rightEvents(asked).slice(-1)),
    },
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
      plan: (asked, [, everyMs]) => thenHeartbeats(asked, textsOf(beginning(asked)), everyMs),
    },
    {
      name: "heartbeats-after-finish",
      sentence: "Everything up to the finish_reason, then comments for ever instead of [DONE].",
      parameters: oneNumber,
      dialects: ["chat-completions", "messages", "gemini"],
      whole: ["chat-completions", "gemini"],
      plan: (asked, [, everyMs]) => thenHeartbeats(asked, textsOf(throughFinish(eventsOf(asked))), everyMs),
    },
    {
      name: "heartbeats-after-done",
      sentence: "A whole stream with [DONE], then comments for ever.",
      parameters: oneNumber,
      dialects: ["chat-completions", "responses", "messages"],
      whole: true,
      plan: (asked, [, everyMs]) => thenHeartbeats(asked, rightEvents(asked), everyMs),
    },
  ],
);
