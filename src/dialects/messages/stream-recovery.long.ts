// Broken Messages streams gone on with in 100,000 made-up ways, or as many as GOMODEL_TEST_STREAMS says.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { answerText } from "../../../test/streams/answer-text.ts";
import { recoverMessages } from "../../../test/streams/recover-messages.ts";

const total = Number(process.env["GOMODEL_TEST_STREAMS"] ?? 100_000);
const parts = 10;

test.each(Array.from({ length: parts }, (_, part) => part))(
  `part %d of ${parts}: the caller has the whole answer once, or what was good of it`,
  (part) => {
    const counts: Record<string, number> = {};
    fc.assert(
      fc.property(answerText, fc.nat(), (text, seed) => {
        const outcome = recoverMessages(text, seed);
        counts[outcome] = (counts[outcome] ?? 0) + 1;
      }),
      { numRuns: Math.ceil(total / parts), seed: 1000 + part },
    );
    expect(Object.keys(counts).toSorted()).toEqual(["diverged", "finished", "given up", "unbroken", "whole"]);
  },
);
