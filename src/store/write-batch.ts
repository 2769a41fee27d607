// One batch of rows into the database: one transaction, each row once, a row that cannot be stored left out.

import type { Database } from "bun:sqlite";
import { BlockBuilder, type BodyBlock, checkedBody, insertBlock } from "./body-blocks.ts";
import { addBodyBytes } from "./body-store.ts";
import { utf8Text } from "./bytes-text.ts";
import type { ColumnsOfRows, InsertRows } from "./insert-rows.ts";
import { withMember } from "./log-data.ts";
import { isRowFault } from "./storage-failure.ts";
import { topLevelNumbers } from "./top-level-numbers.ts";
import { inTransaction } from "./transaction.ts";

/** Rows in the order in which they were recorded. */
export interface Batch extends ColumnsOfRows {
  /** Names the sending process; its sequences ascend. */
  readonly writer: string;
  /** Sequence of the first row, the next has the next. */
  readonly firstSequence: number;
  readonly bodies: readonly RowBodies[];
}

/** The bodies that belong to one row of a batch. */
export interface RowBodies {
  /** Position of the row in its batch. */
  readonly index: number;
  readonly request: Uint8Array | undefined;
  readonly response: Uint8Array | undefined;
}

export interface WriteResult {
  /** Rows left out because the database refuses them. */
  readonly refused: number;
  /** What it said to the first of them. */
  readonly refusal: string | undefined;
}

/** What is stored of a batch. */
interface PreparedBatch extends ColumnsOfRows {
  readonly blocks: readonly BodyBlock[];
}

/** Throws when nothing of the batch is stored and the same batch should be tried again. */
export function writeBatch(sqlite: Database, insertRows: InsertRows, batch: Batch, now: number): WriteResult {
  const end = batch.values.length;
  if (end === 0) return { refused: 0, refusal: undefined };
  const prepared = prepareBatch(batch);
  try {
    return store(sqlite, batch, now, (start) => insertAll(sqlite, insertRows, prepared, start));
  } catch (error) {
    if (!isRowFault(error)) throw error;
  }
  return store(sqlite, batch, now, (start) => insertOneByOne(sqlite, insertRows, prepared, start));
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

function insertAll(sqlite: Database, insertRows: InsertRows, prepared: PreparedBatch, start: number): WriteResult {
  const ids: (number | undefined)[] = [];
  const firstId = nextId(sqlite);
  const end = prepared.values.length;
  insertRows(prepared, start, end, firstId);
  for (let index = start; index < end; index++) ids[index] = firstId + index - start;
  insertBlocks(sqlite, prepared.blocks, ids);
  return { refused: 0, refusal: undefined };
}

function insertOneByOne(sqlite: Database, insertRows: InsertRows, prepared: PreparedBatch, start: number): WriteResult {
  const ids: (number | undefined)[] = [];
  let refused = 0;
  let refusal: string | undefined;
  for (let index = start; index < prepared.values.length; index++) {
    sqlite.exec("SAVEPOINT one_row");
    try {
      const id = nextId(sqlite);
      insertRows(prepared, index, index + 1, id);
      ids[index] = id;
    } catch (error) {
      if (!isRowFault(error)) throw error;
      sqlite.exec("ROLLBACK TO one_row");
      refused++;
      refusal ??= error instanceof Error ? error.message : String(error);
    }
    sqlite.exec("RELEASE one_row");
  }
  insertBlocks(sqlite, prepared.blocks, ids);
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
function prepareBatch({ values, data, bodies }: Batch): PreparedBatch {
  if (bodies.length === 0) return { values, data, blocks: [] };
  const builder = new BlockBuilder();
  const extended = [...data];
  for (const { index, ...captured } of bodies) {
    const request = checkedBody(captured.request);
    builder.add(index, request, checkedBody(captured.response));
    const row = data[index];
    if (request !== undefined && row !== undefined) extended[index] = withParameters(row, request.text);
  }
  return { values, data: extended, blocks: builder.blocks() };
}

const parameters = ["temperature", "max_completion_tokens", "max_tokens"];

function withParameters(data: Uint8Array, json: string): Uint8Array {
  const [temperature, newMaxTokens, oldMaxTokens] = topLevelNumbers(json, parameters);
  const maxTokens = newMaxTokens ?? oldMaxTokens;
  if (temperature === undefined && maxTokens === undefined) return data;
  let text = utf8Text(data);
  if (temperature !== undefined) text = withMember(text, "temperature", JSON.stringify(temperature));
  if (maxTokens !== undefined) text = withMember(text, "max_tokens", JSON.stringify(maxTokens));
  return Buffer.from(text);
}
