// The long version of fuzz-pairs.test.ts: more than a million events, and streams that break off after every byte.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { differing, fuzzedExchange, judgeCut, judgeExchange, writtenStreams } from "./fuzz-pairs.ts";

test("of a million events of streams that keep no rule none breaks a translation", () => {
  let events = 0;
  for (const [caller, provider] of differing) {
    fc.assert(
      fc.property(fuzzedExchange(provider), (exchange) => {
        events += exchange.stream.events;
        judgeExchange(caller, provider, exchange);
      }),
      { numRuns: 21_000, seed: 7 },
    );
  }
  expect(events).toBeGreaterThan(1_000_000);
}, 600_000);

test.each(differing)(
  "to %s from %s: written streams that break off after any byte end once",
  (caller, provider) => {
    const verdicts = new Set<string>();
    for (const bytes of writtenStreams(provider)) {
      for (let length = 0; length < bytes.length; length++) {
        verdicts.add(judgeCut(caller, provider, bytes, length));
      }
    }
    expect(verdicts).toContain("broken");
  },
  600_000,
);
