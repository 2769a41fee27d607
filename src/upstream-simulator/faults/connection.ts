// Connections that break or fall silent, at every place of an answer.

import type { Asked } from "../asked.ts";
import { bothModes, faultGroup, type FaultEntry } from "../fault.ts";
import { chunk, chunkedBody, head, lengthOf } from "../http-answer.ts";
import { rightAnswer, rightContent } from "../right-answer.ts";
import { expire, fin, hang, reset, resetAfterData, write, type Bytes, type Step } from "../step.ts";

/** What goes out before the break. */
const places: readonly { name: string; where: string; before: (asked: Asked) => Bytes }[] = [
  { name: "before-answer", where: "before the first byte of the answer", before: () => "" },
  { name: "in-headers", where: "inside the headers", before: (asked) => rightHead(asked).slice(0, 27) },
  { name: "after-headers", where: "after the headers", before: rightHead },
  { name: "in-body", where: "half-way through the body", before: (asked) => Buffer.concat(halfAnswer(asked)) },
];

const endings: readonly { name: string; what: string; steps: readonly Step[] }[] = [
  { name: "reset", what: "The connection is aborted (RST)", steps: resetAfterData },
  { name: "fin", what: "The connection is closed (FIN)", steps: [fin] },
  { name: "hang", what: "Nothing more is sent for ever", steps: [hang] },
];

function rightHead(asked: Asked): string {
  const { type, body } = rightContent(asked);
  return head(asked, 200, [type, asked.mode === "stream" ? chunkedBody : lengthOf(body)]);
}

/** Half of the events, whole ones; half of the bytes of a document. */
function halfAnswer(asked: Asked): Uint8Array[] {
  const { parts, body } = rightContent(asked);
  const start = Buffer.from(rightHead(asked));
  if (asked.mode === "stream") return [start, ...parts.slice(0, parts.length >> 1).map(chunk)];
  const bytes = Buffer.from(body);
  return [start, bytes.subarray(0, bytes.length >> 1)];
}

const breaks = endings.flatMap((ending) =>
  places.map((place): FaultEntry => ({
    name: `${ending.name}-${place.name}`,
    sentence: `${ending.what} ${place.where}.`,
    plan: (asked) => {
      const before = place.before(asked);
      if (before.length > 0) return [write(before), ...ending.steps];
      return ending.name === "reset" ? [reset] : ending.steps;
    },
  })),
);

/** The peer learns of each of these only when it uses the connection again. */
const afterwards: readonly FaultEntry[] = [
  {
    name: "fin-after-answer",
    sentence: "A right answer, then the connection is closed although nothing announced it.",
    whole: true,
    plan: (asked) => [write(rightAnswer(asked)), fin],
  },
  {
    name: "reset-after-answer",
    sentence: "A right answer, then the connection is aborted.",
    whole: true,
    plan: (asked) => [write(rightAnswer(asked)), ...resetAfterData],
  },
  {
    name: "stale",
    sentence: "A right answer on a connection that is aborted by the next request.",
    whole: true,
    plan: (asked) => [write(rightAnswer(asked)), expire],
  },
];

export const connectionFaults = faultGroup("connection", bothModes, [...breaks, ...afterwards]);
