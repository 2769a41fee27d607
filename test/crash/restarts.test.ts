// A provider that restarts under load costs only what the policy says, and is used again soon after.

import { test } from "bun:test";
import { judgeRestarts } from "./judge-restarts.ts";

test("a restart: failures end with the breaker's timeout and a probe, and a second target hides them", async () => {
  await judgeRestarts({ restarts: 1, downMs: 500, upMs: 700 });
});
