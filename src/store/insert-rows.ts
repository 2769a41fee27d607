// Multi-row INSERT statements for the log, compiled once per size and run many times.

import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import type { ColumnValue } from "./log-columns.ts";
import { columnOrder } from "./log-columns.ts";

type Values = SQLQueryBindings[];

/** Rows per statement. Longer ones gained nothing measurable, and a long statement costs memory. */
const sizes = [10, 1] as const;

/** The rows of a batch: the values of their columns, and beside them the text for the column `data` in UTF-8. */
export interface ColumnsOfRows {
  readonly values: readonly (readonly ColumnValue[])[];
  readonly data: readonly Uint8Array[];
}

/** Puts the rows from `start` up to `end` in under consecutive ids from `firstId`; transactions are the caller's. */
export type InsertRows = (rows: ColumnsOfRows, start: number, end: number, firstId: number) => void;

export function createInsertRows(sqlite: Database): InsertRows {
  const statements = sizes.map((size) => ({ size, statement: prepare(sqlite, size) }));
  return ({ values, data }, start, end, firstId) => {
    let position = start;
    let id = firstId;
    for (const { size, statement } of statements) {
      while (end - position >= size) {
        const bindings: Values = [];
        for (const next = position + size; position < next; position++) {
          bindings.push(id++);
          for (const value of values[position] ?? []) bindings.push(value);
          bindings.push(data[position] ?? null);
        }
        statement.run(...bindings);
      }
    }
  };
}

function prepare(sqlite: Database, size: number): Statement<unknown, Values> {
  const columns = ["id", ...Object.keys(columnOrder), "data"];
  // What is bound as bytes becomes the text that it is.
  const row = `(${columns.map((name) => (name === "data" ? "CAST(? AS TEXT)" : "?")).join(", ")})`;
  const rows = Array.from({ length: size }, () => row).join(", ");
  // Cached statements are finalised with the connection, prepared ones are not.
  return sqlite.query<unknown, Values>(`INSERT INTO requests (${columns.join(", ")}) VALUES ${rows}`);
}
