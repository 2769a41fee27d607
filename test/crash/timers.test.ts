// Calls of every kind leave no timer behind.

import { test } from "bun:test";
import { quickStreamFaults } from "./faulty-streams.ts";
import { judgeTimers } from "./judge-timers.ts";
import { randomNumbers } from "./random-numbers.ts";

test("200 streams with faults of which half leave: no timer is left, and after the shutdown none at all", async () => {
  await judgeTimers(quickStreamFaults, 200, randomNumbers(11));
});
