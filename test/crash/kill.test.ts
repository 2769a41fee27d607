// The real process, killed under load, keeps every row that it had said to be stored.

import { test } from "bun:test";
import { judgeKills } from "./judge-kills.ts";
import { killCycles } from "./kill-cycles.ts";
import { randomNumbers } from "./random-numbers.ts";

test("5 kills under load: what was acknowledged is there once, the file is whole, and the next start works", async () => {
  judgeKills(await killCycles({ cycles: 5, random: randomNumbers(1) }));
});
