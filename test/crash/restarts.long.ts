// A provider that restarts again and again, for moments and for seconds, is used again each time.

import { test } from "bun:test";
import { judgeRestarts } from "./judge-restarts.ts";

test("5 short restarts: failures end with the breaker's timeout and a probe, and a second target hides them", async () => {
  await judgeRestarts({ restarts: 5, downMs: 300, upMs: 1500 });
});

test("3 long restarts, in which many probes fail: the same", async () => {
  await judgeRestarts({ restarts: 3, downMs: 3000, upMs: 1500 });
});
