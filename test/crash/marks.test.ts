// No caller and no row of the request log gets a byte of somebody else's stream.

import { test } from "bun:test";
import { judgeMarks } from "./judge-marks.ts";
import { randomNumbers } from "./random-numbers.ts";

test("200 streams, 100 at once and interleaved in pieces that end anywhere, reach their own callers and rows", async () => {
  await judgeMarks({ connections: 100, requests: 2, events: 6, random: randomNumbers(7) });
});
