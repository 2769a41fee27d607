// Many callers at once, of whom some leave, some wait in vain and some meet faults, cost the real process nothing afterwards.

import { test } from "bun:test";
import { quickStreamFaults } from "./faulty-streams.ts";
import { judgeCrowd } from "./judge-crowd.ts";
import { judgeFaults } from "./judge-faults.ts";
import { judgeSilence } from "./judge-silence.ts";
import { randomNumbers } from "./random-numbers.ts";

test("400 streams of which half leave: the others are whole, and nothing stays open", async () => {
  await judgeCrowd(2, { streams: 400, model: "paced-20-50", leavingMs: 300, random: randomNumbers(3) });
});

test("300 callers of an upstream that never answers get their 504 in time and in bounded memory", async () => {
  await judgeSilence(300, 500);
});

test("200 streams with random faults: each ends with exactly one terminal, and nothing stays open", async () => {
  await judgeFaults({ choice: quickStreamFaults, waves: 1, streams: 200, limitMs: 1000, random: randomNumbers(4) });
});
