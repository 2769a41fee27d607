// One batch of rows into the database: one transaction, each row once, a row that cannot be stored left out.

import type { Database } from "bun:sqlite";
import { addBodyBytes, latin1Text, packBody } from "./body-store.ts";
import type { CapturedBodies } from "./captured-bodies.ts";
import type { InsertRows } from "./insert-rows.ts";
import type { LogRow } from "./log-row.ts";
import { redactedRow } from "./redact-row.ts";
import { isRowFault } from "./storage-failure.ts";
import { topLevelNumber } from "./top-level-number.ts";
import { inTransaction } from "./transaction.ts";

/** Rows in the order in which they were recorded; null stands for one that the sender had to leave out. */
export interface Batch {
  /** Names the sending process; its sequences ascend. */
  readonly writer: string;
  /** Sequence of the first row, the next has the next. */
  readonly firstSequence: number;
  readonly rows: readonly (LogRow | null)[];
  readonly bodies: readonly CapturedBodies[];
}

export interface WriteResult {
  /** Rows left out because the database refuses them. */
  readonly refused: number;
  /** What it said to the first of them. */
  readonly refusal: string | undefined;
}

interface PreparedRow {
  readonly row: LogRow;
  readonly request: Uint8Array | undefined;
  readonly response: Uint8Array | undefined;
}

/** Throws when nothing of the batch is stored and the same batch should be tried again. */
export function writeBatch(sqlite: Database, insertRows: InsertRows, batch: Batch, now: number): WriteResult {
  if (batch.rows.length === 0) return { refused: 0, refusal: undefined };
  const prepared = prepareRows(batch);
  try {
    return store(sqlite, batch, now, (skip) => insertAll(sqlite, insertRows, prepared.slice(skip)));
  } catch (error) {
    if (!isRowFault(error)) throw error;
  }
  return store(sqlite, batch, now, (skip) => insertOneByOne(sqlite, insertRows, prepared.slice(skip)));
}

/** Everything of the batch that is not stored yet, and the mark that it is. */
function store(sqlite: Database, batch: Batch, now: number, insert: (skip: number) => WriteResult): WriteResult {
  return inTransaction(sqlite, () => {
    const lastSequence = batch.firstSequence + batch.rows.length - 1;
    const stored = sqlite
      .query<{ last_sequence: number }, [string]>("SELECT last_sequence FROM log_writers WHERE writer = ?")
      .get(batch.writer)?.last_sequence;
    // Sent again after a crash between the commit and its acknowledgement: already here.
    const skip = stored === undefined ? 0 : Math.max(0, stored - batch.firstSequence + 1);
    const result = skip >= batch.rows.length ? { refused: 0, refusal: undefined } : insert(skip);
    sqlite
      .query(
        `INSERT INTO log_writers VALUES (?1, ?2, ?3)
         ON CONFLICT (writer) DO UPDATE SET last_sequence = max(last_sequence, ?2), updated_at = ?3`,
      )
      .run(batch.writer, lastSequence, now);
    return result;
  });
}

function insertAll(sqlite: Database, insertRows: InsertRows, rows: readonly (PreparedRow | null)[]): WriteResult {
  const present = rows.filter((row) => row !== null);
  const firstId = nextId(sqlite);
  insertRows(
    present.map((prepared) => prepared.row),
    firstId,
  );
  let added = 0;
  for (let index = 0; index < present.length; index++) {
    const prepared = present[index];
    if (prepared !== undefined) added += insertBodies(sqlite, firstId + index, prepared);
  }
  if (added > 0) addBodyBytes(sqlite, added);
  return { refused: 0, refusal: undefined };
}

function insertOneByOne(sqlite: Database, insertRows: InsertRows, rows: readonly (PreparedRow | null)[]): WriteResult {
  let refused = 0;
  let refusal: string | undefined;
  for (const row of rows) {
    if (row === null) continue;
    sqlite.exec("SAVEPOINT one_row");
    try {
      insertAll(sqlite, insertRows, [row]);
    } catch (error) {
      if (!isRowFault(error)) throw error;
      sqlite.exec("ROLLBACK TO one_row");
      refused++;
      refusal ??= error instanceof Error ? error.message : String(error);
    }
    sqlite.exec("RELEASE one_row");
  }
  return { refused, refusal };
}

/** Ids are never used twice, not even after everything was deleted. */
function nextId(sqlite: Database): number {
  return (
    (sqlite.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'requests'").get()?.seq ?? 0) + 1
  );
}

function insertBodies(sqlite: Database, id: number, prepared: PreparedRow): number {
  const { request, response } = prepared;
  if (request === undefined && response === undefined) return 0;
  const size = (request?.length ?? 0) + (response?.length ?? 0);
  sqlite
    .query("INSERT INTO request_bodies (id, size, request, response) VALUES (?, ?, ?, ?)")
    .run(id, size, request ?? null, response ?? null);
  return size;
}

/** Everything that takes time happens before the transaction holds the lock. */
function prepareRows(batch: Batch): (PreparedRow | null)[] {
  const bodies = new Map(batch.bodies.map((captured) => [captured.index, captured]));
  return batch.rows.map((row, index) => {
    if (row === null) return null;
    const captured = bodies.get(index);
    if (captured === undefined) return { row: redactedRow(row), request: undefined, response: undefined };
    const request = captured.request === undefined ? undefined : latin1Text(captured.request);
    return {
      row: redactedRow(request === undefined ? row : withParameters(row, request)),
      request: request === undefined ? undefined : packBody(request),
      response: captured.response === undefined ? undefined : packBody(latin1Text(captured.response)),
    };
  });
}

function withParameters(row: LogRow, json: string): LogRow {
  const temperature = topLevelNumber(json, "temperature");
  const maxTokens = topLevelNumber(json, "max_completion_tokens") ?? topLevelNumber(json, "max_tokens");
  return { ...row, data: { ...row.data, temperature, max_tokens: maxTokens } };
}
