// Bodies in the database: compressed on the way in, readable on the way out, the oldest leaving when there are too many.

import type { Database } from "bun:sqlite";
import { redactedBody } from "./redaction.ts";
import { inTransaction } from "./transaction.ts";

/** Cheapest level: bodies are written far more often than read. */
const compressionLevel = 1;

/** How many bodies one step may remove. */
const evictionStep = 100;

/** One character per byte: what is searched for in bodies is ASCII, and this is the cheapest text there is. */
export function latin1Text(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1");
}

/** zstd of a body, given as `latin1Text`, with the values of credential fields replaced. */
export function packBody(latin1: string): Uint8Array {
  return Bun.zstdCompressSync(Buffer.from(redactedBody(latin1), "latin1"), { level: compressionLevel });
}

/** The text of a stored body. */
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
    const oldest = sqlite
      .query<{ id: number; size: number }, [number]>("SELECT id, size FROM request_bodies ORDER BY id LIMIT ?")
      .all(evictionStep);
    let removed = 0;
    let lastId: number | undefined;
    for (const body of oldest) {
      if (excess - removed <= 0) break;
      removed += body.size;
      lastId = body.id;
    }
    // Nothing left to remove: the total was wrong, and without this it would be asked for again for ever.
    if (lastId === undefined) removed = storedBodyBytes(sqlite);
    else sqlite.query("DELETE FROM request_bodies WHERE id <= ?").run(lastId);
    addBodyBytes(sqlite, -removed);
    return excess - removed > 0;
  });
}
