// The same right stream in every spelling the event-stream format allows.

import type { AnswerForms } from "../answer-forms.ts";
import type { Asked } from "../asked.ts";
import { formsOf } from "../forms-of.ts";
import { faultGroup, type FaultEntry } from "../fault.ts";
import { rightEvents, streamOf } from "../event-stream.ts";
import { fin, write, type Bytes } from "../step.ts";
import { chunked, head, streamType } from "../http-answer.ts";

/** A JSON document on several data lines; line ends between tokens mean nothing in JSON. */
function onSeveralLines(text: string, { lineBreaks }: AnswerForms): string {
  return text.replaceAll(lineBreaks, ",\ndata: ");
}

/** How each event, or the list of them, is spelled. */
const spellings: readonly {
  name: string;
  sentence: string;
  spell: (events: readonly string[], forms: AnswerForms) => readonly Bytes[];
}[] = [
  {
    name: "crlf",
    sentence: "Lines end in CRLF.",
    spell: (events) => events.map((text) => text.replaceAll("\n", "\r\n")),
  },
  { name: "cr", sentence: "Lines end in CR.", spell: (events) => events.map((text) => text.replaceAll("\n", "\r")) },
  {
    name: "mixed-line-ends",
    sentence: "Lines end in LF, CR and CRLF by turns.",
    spell: (events) => events.map((text, index) => text.replaceAll("\n", ["\n", "\r", "\r\n"][index % 3] ?? "\n")),
  },
  { name: "bom", sentence: "The stream begins with a byte order mark.", spell: (events) => ["\ufeff", ...events] },
  {
    name: "no-space",
    sentence: "No space follows the colon.",
    spell: (events) => events.map((text) => text.replace("data: ", "data:")),
  },
  {
    name: "multi-line-data",
    sentence: "Each event's data is on several lines.",
    spell: (events, forms) => events.map((text) => onSeveralLines(text, forms)),
  },
  {
    name: "event-and-id",
    sentence: "Each event has event, id, retry and unknown fields around its data.",
    spell: (events) =>
      events.map((text, index) => `event: message\nid: ${index}\nretry: 1000\nx-odd: 1\nlonely\n${text}`),
  },
  {
    name: "comments",
    sentence: "Comments stand before, between and inside events.",
    spell: (events) => [": start\n\n", ":\n", ...events.map((text) => `: keep-alive\n${text}:\n\n`)],
  },
  {
    name: "blank-lines",
    sentence: "Blank lines stand between events.",
    spell: (events) => events.map((text) => `\n\n${text}\n`),
  },
  {
    name: "spaced-json",
    sentence: "The JSON has spaces around its tokens.",
    spell: (events) =>
      events.map((text) => text.replaceAll(/":(?=["[{\dn])/g, '" : ').replaceAll(/,(?="\w+" :)/g, " , ")),
  },
];

const spelled = spellings.map(({ name, sentence, spell }): FaultEntry => ({
  name: `sse-${name}`,
  sentence,
  whole: true,
  plan: (asked) => streamOf(asked, spell(rightEvents(asked), formsOf(asked))),
}));

/** Chunks that fall anywhere but between events. */
function chunksOfSeven(asked: Asked): readonly Bytes[] {
  const body = Buffer.from(rightEvents(asked).join(""));
  return Array.from({ length: Math.ceil(body.length / 7) }, (_, index) => body.subarray(index * 7, index * 7 + 7));
}

export const streamFormats = faultGroup(
  "stream-format",
  ["stream"],
  [
    ...spelled,
    {
      name: "sse-chunks-of-seven",
      sentence: "The body is in chunks of seven bytes, which split events and characters.",
      whole: true,
      plan: (asked) => [write(chunked(asked, streamType, chunksOfSeven(asked)))],
    },
    {
      name: "sse-plain-type",
      sentence: "The content-type has no parameters and odd capitals, and the body ends by FIN.",
      whole: true,
      plan: (asked) => {
        const start = head(asked, 200, [
          ["Content-Type", "Text/Event-Stream"],
          ["connection", "close"],
        ]);
        return [write(start, ...rightEvents(asked)), fin];
      },
    },
  ],
);
