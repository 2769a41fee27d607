// Providers that keep no rule, for callers of every other dialect; the long version has a million events.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { differing, fuzzedExchange, judgeCut, judgeExchange, writtenStreams } from "./fuzz-pairs.ts";

describe.each(differing)("to %s from %s", (caller, provider) => {
  test("each of 600 damaged streams ends once, as the dialect does", () => {
    const counts = { whole: 0, broken: 0, failed: 0 };
    fc.assert(
      fc.property(fuzzedExchange(provider), (exchange) => {
        counts[judgeExchange(caller, provider, exchange)]++;
      }),
      { numRuns: 600, seed: 6 },
    );
    expect(Math.min(counts.whole, counts.broken, counts.failed)).toBeGreaterThan(20);
  });

  test("written streams that break off after any 61st byte end once", () => {
    for (const bytes of writtenStreams(provider)) {
      for (let length = 0; length < bytes.length; length += 61) judgeCut(caller, provider, bytes, length);
      expect(judgeCut(caller, provider, bytes, bytes.length)).toBe("whole");
    }
  });
});
