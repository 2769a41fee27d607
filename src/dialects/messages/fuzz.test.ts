// Streams of a provider that keeps no rule; the long version has a million events.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { fuzzedStream, judgeFuzzedStream } from "../../../test/streams/fuzz-messages.ts";

test("of 3000 streams that keep no rule each is refused or told as a whole one", () => {
  const counts = { refused: 0, whole: 0 };
  fc.assert(
    fc.property(fuzzedStream, (wire) => {
      counts[judgeFuzzedStream(wire)]++;
    }),
    { numRuns: 3000, seed: 6 },
  );
  expect(Math.min(counts.refused, counts.whole)).toBeGreaterThan(500);
});
