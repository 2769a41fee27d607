// All stored bodies: how many bytes they are, and the oldest leaving when there are too many.

import type { Database } from "bun:sqlite";
import { inTransaction } from "./transaction.ts";

/** How many blocks, or bodies of an earlier version, one step may remove. */
const evictionStep = 100;

/** The text of a body that an earlier version has stored, one by one. */
export function unpackBody(packed: Uint8Array): string {
  return new TextDecoder().decode(Bun.zstdDecompressSync(Buffer.from(packed)));
}

/** Bytes of all stored bodies. */
export function storedBodyBytes(sqlite: Database): number {
  return (
    sqlite.query<{ value: number }, []>("SELECT value FROM log_totals WHERE name = 'body_bytes'").get()?.value ?? 0
  );
}

/** Corrects the running total within the transaction that changed the bodies. */
export function addBodyBytes(sqlite: Database, bytes: number): void {
  sqlite.query("UPDATE log_totals SET value = value + ? WHERE name = 'body_bytes'").run(bytes);
}

/**
 * One step towards at most `maxBytes` stored: removes the oldest bodies, as many as needed and at most a hundred, in one short
 * transaction. True when the limit is still exceeded.
 */
export function evictOldestBodies(sqlite: Database, maxBytes: number): boolean {
  if (storedBodyBytes(sqlite) <= maxBytes) return false;
  return inTransaction(sqlite, () => {
    const excess = storedBodyBytes(sqlite) - maxBytes;
    if (excess <= 0) return false;
    let removed = 0;
    for (const table of ["request_bodies", "body_blocks"] as const) {
      if (excess - removed > 0) removed += evictFrom(sqlite, table, excess - removed);
    }
    // Nothing left to remove: the total was wrong, and without this it would be asked for again for ever.
    if (removed === 0) removed = storedBodyBytes(sqlite);
    addBodyBytes(sqlite, -removed);
    return excess - removed > 0;
  });
}

const keyOf = { request_bodies: "id", body_blocks: "first_id" } as const;

/** Gives the bytes that were removed. */
function evictFrom(sqlite: Database, table: keyof typeof keyOf, excess: number): number {
  const key = keyOf[table];
  const oldest = sqlite
    .query<{ id: number; size: number }, [number]>(`SELECT ${key} AS id, size FROM ${table} ORDER BY ${key} LIMIT ?`)
    .all(evictionStep);
  let removed = 0;
  let lastId: number | undefined;
  for (const { id, size } of oldest) {
    if (removed >= excess) break;
    removed += size;
    lastId = id;
  }
  if (lastId !== undefined) sqlite.query(`DELETE FROM ${table} WHERE ${key} <= ?`).run(lastId);
  return removed;
}
