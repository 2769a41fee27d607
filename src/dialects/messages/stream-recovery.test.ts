// Broken Messages streams gone on with in a few thousand made-up ways; the long version has 100,000.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { answerText } from "../../../test/streams/answer-text.ts";
import { recoverMessages } from "../../../test/streams/recover-messages.ts";

test("of 3000 broken streams the caller has the whole answer once, or what was good of it", () => {
  const counts: Record<string, number> = {};
  fc.assert(
    fc.property(answerText, fc.nat(), (text, seed) => {
      const outcome = recoverMessages(text, seed);
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }),
    { numRuns: 3000, seed: 12 },
  );
  expect(Object.keys(counts).toSorted()).toEqual(["diverged", "finished", "given up", "unbroken", "whole"]);
});
