// The real process, killed under load 200 times, keeps every row that it had said to be stored.

import { test } from "bun:test";
import { judgeKills } from "./judge-kills.ts";
import { type KillOutcome, killCycles } from "./kill-cycles.ts";
import { randomNumbers } from "./random-numbers.ts";

/** A database outlives so many kills before it is begun anew, so that looking through all of it stays quick. */
const killsPerDatabase = 25;

test("200 kills under load: what was acknowledged is there once, the file is whole, and the next start works", async () => {
  const outcomes: KillOutcome[] = [];
  for (let database = 0; database < 8; database++) {
    outcomes.push(...(await killCycles({ cycles: killsPerDatabase, random: randomNumbers(database) })));
  }
  judgeKills(outcomes);
});
