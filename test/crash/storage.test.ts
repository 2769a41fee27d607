// Requests go on while the database of the real process is full, read-only or locked, and the log says exactly what it lost.

import { afterAll, beforeAll, test } from "bun:test";
import { judgeStorage } from "./judge-storage.ts";
import { runStorageCase, storageCases } from "./storage-cases.ts";
import type { TroubleFigures } from "./storage-trouble.ts";

const times = { lastsMs: 500, wellMs: 300, episodes: 1 };
/** Side by side, for most of their time is waiting. */
let runs: Promise<TroubleFigures | undefined>[] = [];

beforeAll(() => {
  runs = storageCases.map((storageCase) => runStorageCase(storageCase, times));
});
afterAll(async () => {
  await Promise.allSettled(runs);
});

test.each(storageCases.map((storageCase, index) => [storageCase.name, storageCase, index] as const))(
  "%s: callers notice nothing, and every row is stored or counted",
  async (_, storageCase, index) => {
    const seen = await runs[index];
    if (seen !== undefined) judgeStorage(storageCase, times.episodes, seen);
  },
);
