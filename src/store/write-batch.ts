// One batch of rows into the database: one transaction, each row once, a row that cannot be stored left out.

import type { Database } from "bun:sqlite";
import { addBodyBytes, latin1Text, packBody } from "./body-store.ts";
import type { CapturedBodies } from "./captured-bodies.ts";
import type { ColumnsOfRows, InsertRows } from "./insert-rows.ts";
import { withMember } from "./log-data.ts";
import { isRowFault } from "./storage-failure.ts";
import { topLevelNumber } from "./top-level-number.ts";
import { inTransaction } from "./transaction.ts";

/** Rows in the order in which they were recorded. */
export interface Batch extends ColumnsOfRows {
  /** Names the sending process; its sequences ascend. */
  readonly writer: string;
  /** Sequence of the first row, the next has the next. */
  readonly firstSequence: number;
  readonly bodies: readonly CapturedBodies[];
}

export interface WriteResult {
  /** Rows left out because the database refuses them. */
  readonly refused: number;
  /** What it said to the first of them. */
  readonly refusal: string | undefined;
}

interface PackedBodies {
  readonly index: number;
  readonly request: Uint8Array | undefined;
  readonly response: Uint8Array | undefined;
}

/** What is stored of a batch; everything that takes time happens before the transaction holds the lock. */
interface PreparedRows extends ColumnsOfRows {
  /** In the order of their rows. */
  readonly bodies: readonly PackedBodies[];
}

/** Throws when nothing of the batch is stored and the same batch should be tried again. */
export function writeBatch(sqlite: Database, insertRows: InsertRows, batch: Batch, now: number): WriteResult {
  const end = batch.values.length;
  if (end === 0) return { refused: 0, refusal: undefined };
  const rows = prepareRows(batch);
  try {
    return store(sqlite, batch, now, (start) => insertRange(sqlite, insertRows, rows, start, end));
  } catch (error) {
    if (!isRowFault(error)) throw error;
  }
  return store(sqlite, batch, now, (start) => insertOneByOne(sqlite, insertRows, rows, start));
}

/** Everything of the batch that is not stored yet, and the mark that it is. */
function store(sqlite: Database, batch: Batch, now: number, insert: (start: number) => WriteResult): WriteResult {
  return inTransaction(sqlite, () => {
    const lastSequence = batch.firstSequence + batch.values.length - 1;
    const stored = sqlite
      .query<{ last_sequence: number }, [string]>("SELECT last_sequence FROM log_writers WHERE writer = ?")
      .get(batch.writer)?.last_sequence;
    // Sent again after a crash between the commit and its acknowledgement: already here.
    const start = stored === undefined ? 0 : Math.max(0, stored - batch.firstSequence + 1);
    const result = start >= batch.values.length ? { refused: 0, refusal: undefined } : insert(start);
    sqlite
      .query(
        `INSERT INTO log_writers VALUES (?1, ?2, ?3)
         ON CONFLICT (writer) DO UPDATE SET last_sequence = max(last_sequence, ?2), updated_at = ?3`,
      )
      .run(batch.writer, lastSequence, now);
    return result;
  });
}

function insertRange(
  sqlite: Database,
  insertRows: InsertRows,
  rows: PreparedRows,
  start: number,
  end: number,
): WriteResult {
  const firstId = nextId(sqlite);
  insertRows(rows, start, end, firstId);
  let added = 0;
  for (const bodies of rows.bodies) {
    if (bodies.index >= start && bodies.index < end)
      added += insertBodies(sqlite, firstId + bodies.index - start, bodies);
  }
  if (added > 0) addBodyBytes(sqlite, added);
  return { refused: 0, refusal: undefined };
}

function insertOneByOne(sqlite: Database, insertRows: InsertRows, rows: PreparedRows, start: number): WriteResult {
  let refused = 0;
  let refusal: string | undefined;
  for (let index = start; index < rows.values.length; index++) {
    sqlite.exec("SAVEPOINT one_row");
    try {
      insertRange(sqlite, insertRows, rows, index, index + 1);
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

function insertBodies(sqlite: Database, id: number, { request, response }: PackedBodies): number {
  if (request === undefined && response === undefined) return 0;
  const size = (request?.length ?? 0) + (response?.length ?? 0);
  sqlite
    .query("INSERT INTO request_bodies (id, size, request, response) VALUES (?, ?, ?, ?)")
    .run(id, size, request ?? null, response ?? null);
  return size;
}

function prepareRows({ values, data, bodies }: Batch): PreparedRows {
  if (bodies.length === 0) return { values, data, bodies: [] };
  const extended = [...data];
  const packed = bodies.map(({ index, request, response }) => {
    const text = request === undefined ? undefined : latin1Text(request);
    if (text !== undefined) extended[index] = withParameters(data[index] ?? "", text);
    return {
      index,
      request: text === undefined ? undefined : packBody(text),
      response: response === undefined ? undefined : packBody(latin1Text(response)),
    };
  });
  return { values, data: extended, bodies: packed };
}

function withParameters(data: string, json: string): string {
  const temperature = topLevelNumber(json, "temperature");
  const maxTokens = topLevelNumber(json, "max_completion_tokens") ?? topLevelNumber(json, "max_tokens");
  let text = data;
  if (temperature !== undefined) text = withMember(text, "temperature", JSON.stringify(temperature));
  if (maxTokens !== undefined) text = withMember(text, "max_tokens", JSON.stringify(maxTokens));
  return text;
}
