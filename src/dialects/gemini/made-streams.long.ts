// The same as `made-streams.test.ts` for 200,000 streams, or as many as GOMODEL_TEST_STREAMS says.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { madeStream, readMadeStream } from "../../../test/streams/gemini-stream.ts";

const total = Number(process.env["GOMODEL_TEST_STREAMS"] ?? 200_000);
const parts = 10;

test.each(Array.from({ length: parts }, (_, part) => part))(
  `part %d of ${parts}: made-up streams end once, and give the same events wherever they are cut`,
  (part) => {
    const counts: Record<string, number> = {};
    fc.assert(
      fc.property(madeStream, (stream) => {
        const read = readMadeStream(stream);
        counts[read.outcome] = (counts[read.outcome] ?? 0) + 1;
        expect(readMadeStream({ ...stream, cuts: [] })).toEqual(read);
      }),
      { numRuns: Math.ceil(total / parts), seed: 2000 + part },
    );
    console.log(JSON.stringify(counts));
    expect(Object.keys(counts).toSorted()).toEqual(["complete", "failed"]);
  },
);
