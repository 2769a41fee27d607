// Broken streams gone on with in a few thousand made-up ways; the long version has 100,000.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { answerText } from "../../../test/streams/answer-text.ts";
import { judgeRecovery } from "../../../test/streams/judge-recovery.ts";

test("of 3000 broken streams the caller has the whole answer once, or what was good of it", () => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(answerText, fc.nat(), (text, seed) => {
      const { outcome, used } = judgeRecovery(text, seed);
      for (const each of [outcome, ...used]) counts[each] = (counts[each] ?? 0) + 1;
    }),
    { numRuns: 3000, seed: 12 },
  );
  // Everything that a target can do has been tried, and every outcome has been seen.
  expect(Object.keys(counts).toSorted()).toEqual([
    "cut",
    "diverged",
    "diverges",
    "echo",
    "ends-early",
    "error",
    "given-up",
    "going-on",
    "reasoning",
    "tool-call",
    "unbroken",
    "whole",
  ]);
});
