// Deletes what is older than the retention, a thousand rows at a time.

import type { Database } from "bun:sqlite";
import { deleteLeftBlocks } from "./body-blocks.ts";
import { addBodyBytes } from "./body-store.ts";
import { inTransaction } from "./transaction.ts";

/** Rows one step may delete. */
const stepRows = 1_000;

/** A process that has not written for so long is gone; what it sent is not sent again. */
const writerLifeMs = 86_400_000;

/** One short transaction. True when more is left to delete. `before` and `now` in milliseconds since the epoch. */
export function deleteExpired(sqlite: Database, before: number, now: number): boolean {
  return inTransaction(sqlite, () => {
    const expired = sqlite
      .query<{ id: number }, [number, number]>(
        "SELECT id FROM requests WHERE started_at < ? ORDER BY started_at LIMIT ?",
      )
      .all(before, stepRows);
    const ids = JSON.stringify(expired.map((row) => row.id));
    const chosen = "WHERE id IN (SELECT value FROM json_each(?))";
    const bodies = sqlite
      .query<{ size: number | null }, [string]>(`SELECT sum(size) AS size FROM request_bodies ${chosen}`)
      .get(ids);
    if (expired.length > 0) {
      sqlite.query(`DELETE FROM request_bodies ${chosen}`).run(ids);
      sqlite.query(`DELETE FROM requests ${chosen}`).run(ids);
      addBodyBytes(sqlite, -(bodies?.size ?? 0) - deleteLeftBlocks(sqlite, ids));
    }
    sqlite.query("DELETE FROM log_writers WHERE updated_at < ?").run(now - writerLifeMs);
    return expired.length === stepRows;
  });
}
