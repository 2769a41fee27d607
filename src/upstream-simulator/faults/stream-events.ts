// Single events of a stream that are broken, unusual or too many.

import { answerUsage, defaultWords } from "../answer-text.ts";
import type { Asked } from "../asked.ts";
import { faultGroup, numberOr, oneNumber, type FaultEntry } from "../fault.ts";
import { deltaEvent, done, event, finishEvent, rightEvents, streamOf, textStream } from "../event-stream.ts";
import { chunk, chunkedBody, head, streamType } from "../http-answer.ts";
import { flood, write } from "../step.ts";

/** Events that are no chunk, by the word in the name. */
const odd: readonly { name: string; sentence: string; text: string; whole?: boolean }[] = [
  { name: "malformed", sentence: "An event whose JSON stops half-way", text: 'data: {"id":"x","choices":[\n\n' },
  { name: "junk", sentence: "An event whose data is no JSON", text: "data: hello there\n\n" },
  { name: "blank", sentence: "An event with empty data", text: "data:\n\n" },
  { name: "null", sentence: "An event with the data null", text: "data: null\n\n" },
  { name: "array", sentence: "An event whose data is an array", text: "data: [1,2]\n\n" },
  { name: "html", sentence: "A page of HTML between the events", text: "<html><body>Bad Gateway</body></html>\n\n" },
  {
    name: "unknown",
    sentence: "An event of a type nobody knows",
    text: 'event: ping\ndata: {"type":"ping"}\n\n',
    whole: true,
  },
];

const oddEvents = odd.flatMap(({ name, sentence, text, whole = false }): FaultEntry[] => [
  {
    name: `event-${name}-first`,
    sentence: `${sentence} in front of a right stream.`,
    whole,
    plan: (asked) => streamOf(asked, [text, ...rightEvents(asked)]),
  },
  {
    name: `event-${name}-middle`,
    sentence: `${sentence} in the middle of a right stream.`,
    whole,
    plan: (asked) => streamOf(asked, inserted(asked, text)),
  },
]);

/** A right stream with this after its fourth event. */
function inserted(asked: Asked, text: string): string[] {
  const events = rightEvents(asked);
  return [...events.slice(0, 4), text, ...events.slice(4)];
}

const usage = answerUsage(defaultWords);

/** A right text stream with a change in every chunk with text and the usage at its end. */
function changedChunks(asked: Asked, change: object): readonly string[] {
  const stream = textStream(asked, undefined, change);
  return [stream.role, ...stream.words, finishEvent(asked, "stop", change), ...stream.usage, done];
}

export const streamEventFaults = faultGroup(
  "stream-event",
  ["stream"],
  [
    ...oddEvents,
    {
      name: "event-large",
      sentence: "A right stream with one event of so many kilobytes (1024).",
      parameters: oneNumber,
      examples: ["event-large"],
      whole: true,
      plan: (asked, [, kilobytes]) =>
        streamOf(asked, inserted(asked, deltaEvent(asked, { content: "x".repeat(numberOr(kilobytes, 1024) * 1024) }))),
    },
    {
      name: "comment-large",
      sentence: "A right stream with a comment of 1 MB.",
      whole: true,
      plan: (asked) => streamOf(asked, inserted(asked, `: ${"x".repeat(1 << 20)}\n\n`)),
    },
    {
      name: "line-endless",
      sentence: "Four events, then a line that never ends.",
      plan: (asked) => {
        const start = [...rightEvents(asked).slice(0, 4), 'data: {"choices":[{"delta":{"content":"'];
        return [
          write(head(asked, 200, [streamType, chunkedBody]), ...start.map(chunk)),
          flood(chunk("x".repeat(16_384))),
        ];
      },
    },
    {
      name: "done-then-more",
      sentence: "A right stream with more events after [DONE].",
      whole: true,
      plan: (asked) =>
        streamOf(asked, [...rightEvents(asked), deltaEvent(asked, { content: "ghost" }), "data: ghost\n\n"]),
    },
    {
      name: "done-twice",
      sentence: "A right stream with [DONE] twice.",
      whole: true,
      plan: (asked) => streamOf(asked, [...rightEvents(asked), done]),
    },
    {
      name: "done-no-blank-line",
      sentence: "A right stream whose [DONE] ends with the body instead of a blank line.",
      whole: true,
      plan: (asked) => streamOf(asked, [...rightEvents(asked).slice(0, -1), "data: [DONE]"]),
    },
    {
      name: "finish-twice",
      sentence: "A right stream whose finish_reason comes twice.",
      whole: true,
      plan: (asked) => {
        const { role, words, finish, usage: last } = textStream(asked);
        return streamOf(asked, [role, ...words, finish, finish, ...last, done]);
      },
    },
    {
      name: "no-role",
      sentence: "A right stream without the role event.",
      whole: true,
      plan: (asked) => streamOf(asked, rightEvents(asked).slice(1)),
    },
    {
      name: "filter-first",
      sentence: "A first chunk with empty choices and filter results, as Azure sends it, then a right stream.",
      whole: true,
      plan: (asked) =>
        streamOf(asked, [
          event({
            id: "",
            object: "",
            created: 0,
            model: "",
            choices: [],
            prompt_filter_results: [{ prompt_index: 0 }],
          }),
          ...rightEvents(asked),
        ]),
    },
    {
      name: "usage-every-chunk",
      sentence: "A right stream with growing usage in every chunk.",
      whole: true,
      plan: (asked) => {
        const stream = textStream(asked);
        const words = stream.words.map((text, index) => {
          const sofar = JSON.stringify(answerUsage(index + 1));
          return `${text.slice(0, text.lastIndexOf("}"))},"usage":${sofar}}\n\n`;
        });
        return streamOf(asked, [stream.role, ...words, finishEvent(asked, "stop", { usage }), ...stream.usage, done]);
      },
    },
    {
      name: "usage-null-chunks",
      sentence: "A right stream whose chunks carry the field usage with the value null.",
      whole: true,
      plan: (asked) => streamOf(asked, changedChunks(asked, { usage: null })),
    },
    {
      name: "usage-with-choices",
      sentence: "A right stream with the usage in the chunk of the finish_reason, and no event of its own.",
      whole: true,
      plan: (asked) => {
        const { role, words } = textStream(asked);
        return streamOf(asked, [role, ...words, finishEvent(asked, "stop", { usage }), done]);
      },
    },
    {
      name: "usage-never",
      sentence: "A right stream without usage, whether or not it was asked for.",
      whole: true,
      plan: (asked) => streamOf(asked, rightEvents({ ...asked, includeUsage: false })),
    },
    {
      name: "finish-with-word",
      sentence: "A right stream whose finish_reason comes with the last word.",
      whole: true,
      plan: (asked) => {
        const { role, words, usage: last } = textStream(asked);
        const text = words.at(-1)?.replace('"finish_reason":null', '"finish_reason":"stop"') ?? "";
        return streamOf(asked, [role, ...words.slice(0, -1), text, ...last, done]);
      },
    },
  ],
);
