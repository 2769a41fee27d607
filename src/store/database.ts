// The SQLite file: how it is opened.

import { Database } from "bun:sqlite";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { migrate } from "./migrations.ts";

/** Creates folder and file where they are missing, and brings the tables up to date. Throws when any of it is impossible. */
export function openDatabase(path: string): Database {
  if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
  const sqlite = new Database(path, { create: true, readwrite: true });
  try {
    // No waiting inside SQLite: a lock held by someone else must not stop this thread from answering.
    sqlite.exec("PRAGMA busy_timeout = 0");
    sqlite.exec("PRAGMA journal_mode = WAL");
    // A committed batch survives the death of the process; only a power cut may cost the last ones.
    sqlite.exec("PRAGMA synchronous = NORMAL");
    sqlite.exec("PRAGMA wal_autocheckpoint = 2000");
    sqlite.exec("PRAGMA journal_size_limit = 33554432");
    migrate(sqlite);
  } catch (error) {
    sqlite.close();
    throw error;
  }
  return sqlite;
}
