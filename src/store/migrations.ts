// The numbered steps from an empty file to today's tables; a step that was released is never changed.

import type { Database } from "bun:sqlite";
import { inTransaction } from "./transaction.ts";

const steps: readonly string[] = [
  `CREATE TABLE requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    started_at INTEGER NOT NULL,
    duration_ns INTEGER NOT NULL,
    status_code INTEGER NOT NULL,
    stream INTEGER NOT NULL,
    request_id TEXT NOT NULL,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    client_ip TEXT NOT NULL,
    auth_method TEXT,
    requested_model TEXT,
    virtual_model TEXT,
    provider_name TEXT,
    provider_type TEXT,
    resolved_model TEXT,
    error_type TEXT,
    error_message TEXT,
    input_tokens INTEGER,
    output_tokens INTEGER,
    total_tokens INTEGER,
    cached_input_tokens INTEGER,
    cache_write_tokens INTEGER,
    reasoning_tokens INTEGER,
    input_cost REAL,
    output_cost REAL,
    total_cost REAL,
    cost_source TEXT,
    first_event_ms REAL,
    data TEXT NOT NULL
  );
  CREATE INDEX requests_started_at ON requests (started_at);
  CREATE TABLE request_bodies (id INTEGER PRIMARY KEY, size INTEGER NOT NULL, request BLOB, response BLOB);
  CREATE TABLE log_writers (writer TEXT PRIMARY KEY, last_sequence INTEGER NOT NULL, updated_at INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE log_totals (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  INSERT INTO log_totals VALUES ('body_bytes', 0);`,
  // Bodies come in blocks from here on; those in request_bodies stay where they are until they leave.
  `CREATE TABLE body_blocks (
    first_id INTEGER PRIMARY KEY,
    last_id INTEGER NOT NULL,
    size INTEGER NOT NULL,
    entries TEXT NOT NULL,
    packed BLOB NOT NULL
  );`,
];

/** Brings the file up to date, each step in a transaction of its own. Throws for a file that a newer version has written. */
export function migrate(database: Database): void {
  const version = currentVersion(database);
  if (version > steps.length) {
    throw new Error(
      `the database has schema version ${version}, this version of GoModel knows ${steps.length}: start the newer version, or set SQLITE_PATH to another file`,
    );
  }
  for (let step = version; step < steps.length; step++) applyStep(database, step);
}

function applyStep(database: Database, step: number): void {
  inTransaction(database, () => {
    // Another process may have taken the step while this one waited for the lock.
    if (currentVersion(database) === step) database.exec(`${steps[step]}; PRAGMA user_version = ${step + 1}`);
  });
}

function currentVersion(database: Database): number {
  return database.query<{ user_version: number }, []>("PRAGMA user_version").get()?.user_version ?? 0;
}
