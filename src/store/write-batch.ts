// One batch of rows into the database: one transaction, each row once, a row that cannot be stored left out.

import type { Database } from "bun:sqlite";
import { BlockBuilder, type BodyBlock, checkedBody, insertBlock } from "./body-blocks.ts";
import { addBodyBytes } from "./body-store.ts";
import type { CapturedBodies } from "./captured-bodies.ts";
import type { InsertRows } from "./insert-rows.ts";
import type { LogRow } from "./log-row.ts";
import { redactedRow } from "./redact-row.ts";
import { isRowFault } from "./storage-failure.ts";
import { topLevelNumbers } from "./top-level-numbers.ts";
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

interface PreparedBatch {
  readonly rows: readonly (LogRow | null)[];
  readonly blocks: readonly BodyBlock[];
}

/** Throws when nothing of the batch is stored and the same batch should be tried again. */
export function writeBatch(sqlite: Database, insertRows: InsertRows, batch: Batch, now: number): WriteResult {
  if (batch.rows.length === 0) return { refused: 0, refusal: undefined };
  const prepared = prepareBatch(batch);
  try {
    return store(sqlite, batch, now, (skip) => insertAll(sqlite, insertRows, prepared, skip));
  } catch (error) {
    if (!isRowFault(error)) throw error;
  }
  return store(sqlite, batch, now, (skip) => insertOneByOne(sqlite, insertRows, prepared, skip));
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

function insertAll(
  sqlite: Database,
  insertRows: InsertRows,
  { rows, blocks }: PreparedBatch,
  skip: number,
): WriteResult {
  const ids: (number | undefined)[] = [];
  const present: LogRow[] = [];
  const firstId = nextId(sqlite);
  for (let index = skip; index < rows.length; index++) {
    const row = rows[index];
    if (row === null || row === undefined) continue;
    ids[index] = firstId + present.length;
    present.push(row);
  }
  insertRows(present, firstId);
  insertBlocks(sqlite, blocks, ids);
  return { refused: 0, refusal: undefined };
}

function insertOneByOne(
  sqlite: Database,
  insertRows: InsertRows,
  { rows, blocks }: PreparedBatch,
  skip: number,
): WriteResult {
  const ids: (number | undefined)[] = [];
  let refused = 0;
  let refusal: string | undefined;
  for (let index = skip; index < rows.length; index++) {
    const row = rows[index];
    if (row === null || row === undefined) continue;
    sqlite.exec("SAVEPOINT one_row");
    try {
      const id = nextId(sqlite);
      insertRows([row], id);
      ids[index] = id;
    } catch (error) {
      if (!isRowFault(error)) throw error;
      sqlite.exec("ROLLBACK TO one_row");
      refused++;
      refusal ??= error instanceof Error ? error.message : String(error);
    }
    sqlite.exec("RELEASE one_row");
  }
  insertBlocks(sqlite, blocks, ids);
  return { refused, refusal };
}

/** In the transaction of their rows. */
function insertBlocks(sqlite: Database, blocks: readonly BodyBlock[], ids: readonly (number | undefined)[]): void {
  let added = 0;
  for (const block of blocks) added += insertBlock(sqlite, block, ids);
  if (added > 0) addBodyBytes(sqlite, added);
}

/** Ids are never used twice, not even after everything was deleted. */
function nextId(sqlite: Database): number {
  return (
    (sqlite.query<{ seq: number }, []>("SELECT seq FROM sqlite_sequence WHERE name = 'requests'").get()?.seq ?? 0) + 1
  );
}

/** Everything that takes time happens before the transaction holds the lock. */
function prepareBatch(batch: Batch): PreparedBatch {
  const bodies = new Map(batch.bodies.map((captured) => [captured.index, captured]));
  const builder = new BlockBuilder();
  const rows = batch.rows.map((row, index) => {
    const captured = bodies.get(index);
    if (row === null || captured === undefined) return row === null ? null : redactedRow(row);
    const request = checkedBody(captured.request);
    builder.add(index, request, checkedBody(captured.response));
    return redactedRow(request === undefined ? row : withParameters(row, request.text));
  });
  return { rows, blocks: builder.blocks() };
}

const parameters = ["temperature", "max_completion_tokens", "max_tokens"];

function withParameters(row: LogRow, json: string): LogRow {
  const [temperature, maxTokens, oldMaxTokens] = topLevelNumbers(json, parameters);
  return { ...row, data: { ...row.data, temperature, max_tokens: maxTokens ?? oldMaxTokens } };
}
