// Right answers that take their time.

import { bothModes, faultGroup, numberOr, oneNumber } from "../fault.ts";
import { chunk, chunkedBody, head, lastChunk, lengthOf } from "../http-answer.ts";
import { rightAnswer, rightContent } from "../right-answer.ts";
import { paced, pieces, wait, write } from "../step.ts";
import { eachByte, randomPieces } from "../split-bytes.ts";

export const timingFaults = faultGroup("timing", bothModes, [
  {
    name: "slow-first",
    sentence: "Silence of so many milliseconds, then a right answer.",
    parameters: /^(\d{1,7})$/,
    examples: ["slow-first-50"],
    whole: true,
    plan: (asked, [, ms]) => [wait(Number(ms)), write(rightAnswer(asked))],
  },
  {
    name: "slow-body",
    sentence: "Headers at once, then silence of so many milliseconds, then the body.",
    parameters: /^(\d{1,7})$/,
    examples: ["slow-body-50"],
    whole: true,
    plan: (asked, [, ms]) => {
      const { type, parts, body } = rightContent(asked);
      const start = head(asked, 200, [type, asked.mode === "stream" ? chunkedBody : lengthOf(body)]);
      const rest = asked.mode === "stream" ? [...parts.map(chunk), lastChunk] : parts;
      return [write(start), wait(Number(ms)), write(...rest)];
    },
  },
  {
    name: "trickle",
    sentence: "A right answer, one byte every so many milliseconds (1), headers included.",
    parameters: oneNumber,
    examples: ["trickle"],
    whole: true,
    plan: (asked, [, ms]) => [paced(numberOr(ms, 1), eachByte(rightAnswer(asked)))],
  },
  {
    name: "bytes",
    sentence: "A right answer, every byte in its own write.",
    whole: true,
    plan: (asked) => [pieces(eachByte(rightAnswer(asked)))],
  },
  {
    name: "random-pieces",
    sentence: "A right answer in writes of random size, repeatable by the seed.",
    whole: true,
    plan: (asked) => [pieces(randomPieces(rightAnswer(asked), asked.seed))],
  },
  {
    name: "events",
    sentence: "A right answer, every event in its own write.",
    modes: ["stream"],
    whole: true,
    plan: (asked) => {
      const { type, parts } = rightContent(asked);
      return [pieces([head(asked, 200, [type, chunkedBody]), ...parts.map(chunk), lastChunk])];
    },
  },
]);
