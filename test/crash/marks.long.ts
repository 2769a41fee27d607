// No caller and no row of the request log gets a byte of somebody else's stream, however many there are.

import { test } from "bun:test";
import { judgeMarks } from "./judge-marks.ts";
import { randomNumbers } from "./random-numbers.ts";

test("5,000 streams, 1,000 at once and interleaved in pieces that end anywhere, reach their own callers and rows", async () => {
  await judgeMarks({ connections: 1000, requests: 5, events: 20, random: randomNumbers(9) });
});
