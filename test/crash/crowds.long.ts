// 2,000 streams of which half leave, 1,000 callers who wait in vain and 1,000 streams with faults cost the real process nothing.

import { test } from "bun:test";
import { streamFaults } from "./faulty-streams.ts";
import { judgeCrowd } from "./judge-crowd.ts";
import { judgeFaults } from "./judge-faults.ts";
import { judgeSilence } from "./judge-silence.ts";
import { randomNumbers } from "./random-numbers.ts";

test("2,000 streams of which half leave, 6 times: the others are whole, nothing stays open, memory does not grow", async () => {
  await judgeCrowd(6, { streams: 2000, model: "paced-100-100", leavingMs: 3000, random: randomNumbers(5) });
});

test("1,000 callers of an upstream that never answers get their 504 in time and in bounded memory", async () => {
  await judgeSilence(1000, 3000);
});

test("1,000 streams with random faults, 6 times: each ends with exactly one terminal, and nothing stays open", async () => {
  await judgeFaults({ choice: streamFaults, waves: 6, streams: 1000, limitMs: 4000, random: randomNumbers(6) });
});
