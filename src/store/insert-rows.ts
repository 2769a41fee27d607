// Multi-row INSERT statements for the log, compiled once per size and run many times.

import type { Database, SQLQueryBindings, Statement } from "bun:sqlite";
import { columnOrder } from "./log-columns.ts";
import type { LogRow } from "./log-row.ts";

type Values = SQLQueryBindings[];

/** Rows per statement. Longer ones gained nothing measurable, and a long statement costs memory. */
const sizes = [10, 1] as const;

/** Puts rows in under consecutive ids from `firstId`; transactions are the caller's. */
export type InsertRows = (rows: readonly LogRow[], firstId: number) => void;

export function createInsertRows(sqlite: Database): InsertRows {
  const statements = sizes.map((size) => ({ size, statement: prepare(sqlite, size) }));
  return (rows, firstId) => {
    let position = 0;
    for (const { size, statement } of statements) {
      while (rows.length - position >= size) {
        const values: Values = [];
        for (const row of rows.slice(position, position + size)) pushValues(values, row, firstId + position++);
        statement.run(...values);
      }
    }
  };
}

function prepare(sqlite: Database, size: number): Statement<unknown, Values> {
  const columns = ["id", ...Object.keys(columnOrder), "data"];
  const row = `(${columns.map(() => "?").join(", ")})`;
  const rows = Array.from({ length: size }, () => row).join(", ");
  // Cached statements are finalised with the connection, prepared ones are not.
  return sqlite.query<unknown, Values>(`INSERT INTO requests (${columns.join(", ")}) VALUES ${rows}`);
}

function pushValues(values: Values, row: LogRow, id: number): void {
  values.push(id, ...row.values, JSON.stringify(row.data));
}
