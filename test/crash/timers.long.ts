// 2,000 calls of every kind leave no timer behind.

import { test } from "bun:test";
import { streamFaults } from "./faulty-streams.ts";
import { judgeTimers } from "./judge-timers.ts";
import { randomNumbers } from "./random-numbers.ts";

test("2,000 streams with faults of which half leave: no timer is left, and after the shutdown none at all", async () => {
  await judgeTimers(streamFaults, 2000, randomNumbers(12));
});
