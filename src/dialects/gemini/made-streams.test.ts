// Streams that were made up and damaged: one end, events in their order, and the same ones wherever the bytes are cut.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { madeStream, readMadeStream } from "../../../test/streams/gemini-stream.ts";

test("made-up streams end once, and give the same events wherever they are cut", () => {
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(madeStream, (stream) => {
      const read = readMadeStream(stream);
      outcomes.add(read.outcome);
      expect(readMadeStream({ ...stream, cuts: [] })).toEqual(read);
    }),
    { numRuns: 2000, seed: 7 },
  );
  expect([...outcomes].toSorted()).toEqual(["complete", "failed"]);
});
