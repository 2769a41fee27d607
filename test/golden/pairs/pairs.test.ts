// Exchanges across dialects, request and answer, whole and streamed in pieces of every kind.

import { describe, expect, test } from "bun:test";
import { allPairs } from "./all-pairs.ts";
import { askedUpstream, givenFor, streamedFor } from "./run-pair.ts";

describe.each(allPairs.map((pair) => [`${pair.caller} -> ${pair.provider}: ${pair.name}`, pair] as const))(
  "%s",
  (_name, pair) => {
    test("the provider is asked in its own dialect", () => {
      const { body, dropped } = askedUpstream(pair);
      expect(body).toEqual(pair.upstream);
      expect(dropped).toEqual([...(pair.dropped ?? [])]);
    });

    test("the whole answer is given in the caller's", () => {
      expect(givenFor(pair)).toEqual(pair.given);
    });

    test.each([1_000_000, 7, 1])("the stream is given in the caller's, read in pieces of %d bytes", (length) => {
      expect(streamedFor(pair, length)).toEqual(pair.streamed);
    });
  },
);
