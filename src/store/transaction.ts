// A transaction that takes the write lock at its start, so that it cannot fail for the lock halfway.

import type { Database } from "bun:sqlite";

/**
 * Commits when `work` returns, rolls back when it throws. The runtime's own helper keeps statements that are never finalised, and a
 * connection with such a statement stays half open after its close.
 */
export function inTransaction<Value>(sqlite: Database, work: () => Value): Value {
  sqlite.exec("BEGIN IMMEDIATE");
  try {
    const value = work();
    sqlite.exec("COMMIT");
    return value;
  } catch (error) {
    // A full disk has rolled back by itself.
    if (sqlite.inTransaction) sqlite.exec("ROLLBACK");
    throw error;
  }
}
