// Why the database did not do what it was asked for, told apart once: wait, open it again, or leave a row out.

import { SQLiteError } from "bun:sqlite";

/**
 * busy: another connection holds the lock; the same again later.
 * full: no room; the same again later.
 * broken: this connection is of no use (read-only, I/O error, no database): open again, then the same again.
 * worker: the thread died.
 */
export interface StorageFailure {
  readonly reason: "busy" | "full" | "broken" | "worker";
  /** `SQLITE_BUSY`, `ENOENT`, ... */
  readonly code: string;
  readonly message: string;
}

/** Codes that accuse a row and not the database. */
const rowFaults = new Set(["SQLITE_CONSTRAINT", "SQLITE_MISMATCH", "SQLITE_TOOBIG", "SQLITE_RANGE"]);

/** What a full disk is called when the log's shared index, needed at the start, finds no room: all that it asks for is a size. */
const noRoomForIndex = "SQLITE_IOERR_SHMSIZE";

/** Whether leaving one row out may help: its values are refused, or cannot even be bound. */
export function isRowFault(error: unknown): boolean {
  return error instanceof SQLiteError ? rowFaults.has(primaryCode(error)) : error instanceof TypeError;
}

/** What a thrown value means for the database. */
export function storageFailureOf(error: unknown): StorageFailure {
  const message = error instanceof Error ? error.message : String(error);
  if (error instanceof SQLiteError) {
    const code = error.code ?? "SQLITE_ERROR";
    const primary = primaryCode(error);
    if (primary === "SQLITE_BUSY" || primary === "SQLITE_LOCKED") return { reason: "busy", code, message };
    const full = primary === "SQLITE_FULL" || code === noRoomForIndex;
    return { reason: full ? "full" : "broken", code, message };
  }
  const code = error instanceof Error && "code" in error && typeof error.code === "string" ? error.code : "ERROR";
  return { reason: "broken", code, message };
}

/** `SQLITE_IOERR` of `SQLITE_IOERR_WRITE`. */
function primaryCode(error: SQLiteError): string {
  return /^SQLITE_[A-Z]+/.exec(error.code ?? "")?.[0] ?? "SQLITE_ERROR";
}
