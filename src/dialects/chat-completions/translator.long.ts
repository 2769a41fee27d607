// A million made-up events of providers, or as many as GOMODEL_TEST_EVENTS says.

import { expect, test } from "bun:test";
import { judgeFuzzedStream } from "../../../test/support/chat-fuzz.ts";

const total = Number(process.env["GOMODEL_TEST_EVENTS"] ?? 1_000_000);
const parts = 20;

test.each(Array.from({ length: parts }, (_, part) => part))(
  `part %d of ${parts}: every stream ends in one terminal or one error, however it is cut`,
  (part) => {
    const counts = { whole: 0, refused: 0 };
    let events = 0;
    for (let seed = 1_000_000 * (part + 1); events < total / parts; seed++) {
      const verdict = judgeFuzzedStream(seed);
      counts[verdict.outcome]++;
      events += verdict.events;
    }
    console.log(JSON.stringify(counts));
    expect(Math.min(counts.whole, counts.refused)).toBeGreaterThan(0);
  },
);
