// Streams that break in 2,000 made-up ways, through the gateway; the long version has 100,000.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { answerText } from "./answer-text.ts";
import { judgeRescue } from "./judge-rescue.ts";

test("of 2000 requests whose targets break the caller has the whole answer once, or what was good of it and an error", async () => {
  const counts: Record<string, number> = {};
  await fc.assert(
    fc.asyncProperty(answerText, fc.nat(), async (text, seed) => {
      const { outcome, mode, deeds } = await judgeRescue(text, seed);
      for (const each of [`${mode} ${outcome}`, ...deeds]) counts[each] = (counts[each] ?? 0) + 1;
    }),
    { numRuns: 2000, seed: 7 },
  );
  // Everything that a target can do has been tried, and every outcome has been seen.
  expect(Object.keys(counts).toSorted()).toEqual([
    "buffer error-status",
    "buffer whole",
    "continue diverged",
    "continue error-status",
    "continue exhausted",
    "continue impossible",
    "continue recovered",
    "continue whole",
    "cut",
    "diverges",
    "down",
    "echo",
    "ends-early",
    "error",
    "reasoning",
    "refuses",
    "tool-call",
    "whole",
  ]);
});
