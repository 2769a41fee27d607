// Many callers at once, of whom some leave, some wait in vain and some meet faults, cost the real process nothing afterwards.

import { test } from "bun:test";
import { judgeCrowd } from "./judge-crowd.ts";
import { randomNumbers } from "./random-numbers.ts";

test("400 streams of which half leave: the others are whole, and nothing stays open", async () => {
  await judgeCrowd(3, { streams: 400, model: "openai/paced-10-50", lastsMs: 500, random: randomNumbers(3) });
});
