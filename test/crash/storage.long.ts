// Trouble with the database that comes back again and again: every episode is told of once and counted exactly.

import { test } from "bun:test";
import { judgeStorage } from "./judge-storage.ts";
import { runStorageCase, storageCases } from "./storage-cases.ts";

const times = { lastsMs: 4_000, wellMs: 1_000 };

test.each(storageCases.map((storageCase) => [storageCase.name, storageCase] as const))(
  "%s, for seconds: callers notice nothing, and every row is stored or counted",
  async (_, storageCase) => {
    const episodes = storageCase.comesBack ? 2 : 1;
    const seen = await runStorageCase(storageCase, { ...times, episodes });
    if (seen !== undefined) judgeStorage(storageCase, episodes, seen);
  },
);
