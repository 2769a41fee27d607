// Whole answers with values that have no business there, for callers of every other dialect.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { damagedAnswer, judgeAnswer } from "./fuzz-answers.ts";
import { differing } from "./fuzz-pairs.ts";

test.each(differing)("to %s from %s: each of 500 damaged answers is given whole or refused", (caller, provider) => {
  const counts = { given: 0, refused: 0 };
  fc.assert(
    fc.property(damagedAnswer(provider), (answer) => {
      counts[judgeAnswer(caller, provider, answer)]++;
    }),
    { numRuns: 500, seed: 6 },
  );
  expect(Math.min(counts.given, counts.refused)).toBeGreaterThan(20);
});
