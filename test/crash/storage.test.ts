// Requests go on while the database of the real process is full, read-only or locked, and the log says exactly what it lost.

import { test } from "bun:test";
import { judgeStorage } from "./judge-storage.ts";
import { runStorageCase, storageCases } from "./storage-cases.ts";

test.each(storageCases.map((storageCase) => [storageCase.name, storageCase] as const))(
  "%s: callers notice nothing, and every row is stored or counted",
  async (_, storageCase) => {
    const seen = await runStorageCase(storageCase, 1_000, 1);
    if (seen !== undefined) judgeStorage(storageCase, 1, seen);
  },
);
