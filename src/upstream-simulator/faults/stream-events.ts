// Single events of a stream that are broken, unusual or too many.

import { answerUsage, defaultWords } from "../answer-text.ts";
import type { Dialect } from "../../core/chat-request.ts";
import type { SentEvent } from "../answer-forms.ts";
import type { Asked } from "../asked.ts";
import { chatOnly, faultGroup, numberOr, oneNumber, type FaultEntry } from "../fault.ts";
import { beginning, eventsOf, inserted, rightEvents, streamOf, textsOf, withPiece } from "../event-stream.ts";
import { chatText } from "../forms/chat-text.ts";
import { done, event, finishEvent } from "../forms/chat-events.ts";
import { formsOf } from "../forms-of.ts";
import { chunk, chunkedBody, head, streamType } from "../http-answer.ts";
import { said, text as saidWords } from "../said.ts";
import { flood, write } from "../step.ts";

/** Gemini has no event of its own for the end. */
const withTerminal: readonly Dialect[] = ["chat-completions", "responses", "messages"];

/** Events that are no chunk, by the word in the name. */
const odd: readonly { name: string; sentence: string; text: (asked: Asked) => string; whole?: boolean }[] = [
  {
    name: "malformed",
    sentence: "An event whose JSON stops half-way",
    text: (asked) => formsOf(asked).rawEvent(`{"id":"x","${formsOf(asked).listMember}":[`),
  },
  {
    name: "junk",
    sentence: "An event whose data is no JSON",
    text: (asked) => formsOf(asked).rawEvent("hello there"),
  },
  { name: "blank", sentence: "An event with empty data", text: (asked) => formsOf(asked).rawEvent("").trim() + "\n\n" },
  { name: "null", sentence: "An event with the data null", text: (asked) => formsOf(asked).rawEvent("null") },
  { name: "array", sentence: "An event whose data is an array", text: (asked) => formsOf(asked).rawEvent("[1,2]") },
  {
    name: "html",
    sentence: "A page of HTML between the events",
    text: () => "<html><body>Bad Gateway</body></html>\n\n",
  },
  {
    name: "unknown",
    sentence: "An event of a type nobody knows",
    text: ({ dialect }) => {
      const type = dialect === "chat-completions" ? "ping" : "made_up";
      return `event: ${type}\ndata: {"type":"${type}"}\n\n`;
    },
    whole: true,
  },
];

const oddEvents = odd.flatMap(({ name, sentence, text, whole = false }): FaultEntry[] => [
  {
    name: `event-${name}-first`,
    sentence: `${sentence} in front of a right stream.`,
    whole,
    plan: (asked) => streamOf(asked, [text(asked), ...rightEvents(asked)]),
  },
  {
    name: `event-${name}-middle`,
    sentence: `${sentence} in the middle of a right stream.`,
    whole,
    plan: (asked) => streamOf(asked, inserted(asked, text(asked))),
  },
]);

const usage = answerUsage(defaultWords);

/** A right text stream with a change in every chunk with text and the usage at its end. */
function changedChunks(asked: Asked, change: object): readonly string[] {
  const stream = chatText(asked, undefined, change);
  return [stream.role, ...stream.words, finishEvent(asked, "stop", change), ...stream.usage, done];
}

/** Gemini's last word moves into the chunk that says why it ended. */
function lastWordFinishes(events: readonly string[]): string[] {
  const part = /"parts":\[.*?\]/;
  const [word = "", finish = ""] = events.slice(-2);
  const said = part.exec(word)?.[0] ?? "";
  return [...events.slice(0, -2), finish.replace(part, () => said)];
}

/** Chat completions have it in an event of its own, which is not there; the others in members of theirs. */
const withoutUsage =
  (asked: Asked) =>
  (sent: SentEvent): SentEvent => {
    if (asked.dialect === "chat-completions") return sent;
    const [start = "", data = ""] = sent.text.split(/(?<=^|\n)data: /);
    const kept: unknown = JSON.parse(data, (key, value: unknown) =>
      key === "usage" || key === "usageMetadata" ? undefined : value,
    );
    return { ...sent, text: `${start}data: ${JSON.stringify(kept)}\n\n` };
  };

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
      plan: (asked, [, kilobytes]) => streamOf(asked, withPiece(asked, "x".repeat(numberOr(kilobytes, 1024) * 1024))),
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
        const opening = formsOf(asked).rawEvent('{"choices":[{"delta":{"content":"').trimEnd();
        const start = [...textsOf(beginning(asked)), opening];
        return [
          write(head(asked, 200, [streamType, chunkedBody]), ...start.map(chunk)),
          flood(chunk("x".repeat(16_384))),
        ];
      },
    },
    {
      name: "done-then-more",
      sentence: "A right stream with more events after [DONE].",
      dialects: withTerminal,
      whole: true,
      plan: (asked) => {
        const ghosts = eventsOf(asked, said(asked, "stop", saidWords("ghost")));
        const ghost = textsOf(ghosts.filter(({ place }) => place === "piece"));
        return streamOf(asked, [...rightEvents(asked), ...ghost, "data: ghost\n\n"]);
      },
    },
    {
      name: "done-twice",
      sentence: "A right stream with [DONE] twice.",
      dialects: withTerminal,
      whole: true,
      plan: (asked) => streamOf(asked, [...rightEvents(asked), ...rightEvents(asked).slice(-1)]),
    },
    {
      name: "done-no-blank-line",
      sentence: "A right stream whose [DONE] ends with the body instead of a blank line.",
      whole: chatOnly,
      plan: (asked) =>
        streamOf(asked, [...rightEvents(asked).slice(0, -1), rightEvents(asked).at(-1)?.trimEnd() ?? ""]),
    },
    {
      name: "finish-twice",
      sentence: "A right stream whose finish_reason comes twice.",
      dialects: ["chat-completions", "messages", "gemini"],
      whole: true,
      plan: (asked) => {
        const twice = eventsOf(asked).flatMap((sent) => (sent.place === "finish" ? [sent, sent] : [sent]));
        return streamOf(asked, textsOf(twice));
      },
    },
    {
      name: "no-role",
      sentence: "A right stream without the role event.",
      dialects: withTerminal,
      whole: chatOnly,
      plan: (asked) => streamOf(asked, rightEvents(asked).slice(1)),
    },
    {
      name: "filter-first",
      sentence: "A first chunk with empty choices and filter results, as Azure sends it, then a right stream.",
      dialects: chatOnly,
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
      dialects: chatOnly,
      whole: true,
      plan: (asked) => {
        const stream = chatText(asked);
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
      dialects: chatOnly,
      whole: true,
      plan: (asked) => streamOf(asked, changedChunks(asked, { usage: null })),
    },
    {
      name: "usage-with-choices",
      sentence: "A right stream with the usage in the chunk of the finish_reason, and no event of its own.",
      dialects: chatOnly,
      whole: true,
      plan: (asked) => {
        const { role, words } = chatText(asked);
        return streamOf(asked, [role, ...words, finishEvent(asked, "stop", { usage }), done]);
      },
    },
    {
      name: "usage-never",
      sentence: "A right stream without usage, whether or not it was asked for.",
      whole: true,
      plan: (asked) => streamOf(asked, textsOf(eventsOf({ ...asked, includeUsage: false }).map(withoutUsage(asked)))),
    },
    {
      name: "finish-with-word",
      sentence: "A right stream whose finish_reason comes with the last word.",
      dialects: ["chat-completions", "gemini"],
      whole: true,
      plan: (asked) => {
        if (asked.dialect === "gemini") return streamOf(asked, lastWordFinishes(rightEvents(asked)));
        const { role, words, usage: last } = chatText(asked);
        const text = words.at(-1)?.replace('"finish_reason":null', '"finish_reason":"stop"') ?? "";
        return streamOf(asked, [role, ...words.slice(0, -1), text, ...last, done]);
      },
    },
  ],
);
