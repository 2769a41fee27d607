// Streams that break in 100,000 made-up ways, through the gateway, or in as many as GOMODEL_TEST_STREAMS says.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { answerText } from "./answer-text.ts";
import { judgeRescue } from "./judge-rescue.ts";

const total = Number(process.env["GOMODEL_TEST_STREAMS"] ?? 100_000);
const parts = 10;

test.each(Array.from({ length: parts }, (_, part) => part))(
  `part %d of ${parts}: the caller has the whole answer once, or what was good of it and an error`,
  async (part) => {
    const counts: Record<string, number> = {};
    await fc.assert(
      fc.asyncProperty(answerText, fc.nat(), async (text, seed) => {
        const { outcome, mode } = await judgeRescue(text, seed);
        const key = `${mode} ${outcome}`;
        counts[key] = (counts[key] ?? 0) + 1;
      }),
      { numRuns: Math.ceil(total / parts), seed: 2000 + part },
    );
    console.log(JSON.stringify(counts));
    expect(counts["continue recovered"]).toBeGreaterThan(total / parts / 5);
  },
  60_000,
);
