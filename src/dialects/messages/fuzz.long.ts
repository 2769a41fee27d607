// The long version of fuzz.test.ts: more than a million events.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { fuzzedStream, judgeFuzzedStream } from "../../../test/streams/fuzz-messages.ts";

test("of a million events of streams that keep no rule none breaks the translation", () => {
  let events = 0;
  fc.assert(
    fc.property(fuzzedStream, (wire) => {
      events += wire.length;
      judgeFuzzedStream(wire);
    }),
    { numRuns: 250_000, seed: 7 },
  );
  expect(events).toBeGreaterThan(1_000_000);
}, 300_000);
