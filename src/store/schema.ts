// The tables as the query builder sees them.

import type { ColumnType, Generated } from "kysely";
import type { LogColumns } from "./log-columns.ts";

/** One row per request; ids ascend in the order in which requests ended. */
interface RequestsTable extends LogColumns {
  readonly id: Generated<number>;
  /** `LogData` as JSON. */
  readonly data: string;
}

/** Bodies as earlier versions stored them, each by itself. */
interface RequestBodiesTable {
  readonly id: number;
  /** Stored bytes of both. */
  readonly size: number;
  /** zstd. */
  readonly request: Uint8Array | null;
  readonly response: Uint8Array | null;
}

/** Bodies of consecutive rows, apart from these, so that lists never read them and the oldest can go first. */
interface BodyBlocksTable {
  readonly first_id: number;
  readonly last_id: number;
  /** Stored bytes. */
  readonly size: number;
  /** JSON: id and bytes of both bodies, in order. */
  readonly entries: string;
  /** zstd of all of them. */
  readonly packed: Uint8Array;
}

/** How far each process got: what makes a batch that is sent twice count once. */
interface LogWritersTable {
  readonly writer: string;
  readonly last_sequence: ColumnType<number>;
  readonly updated_at: number;
}

/** Running totals: `body_bytes`. */
interface LogTotalsTable {
  readonly name: string;
  readonly value: number;
}

export interface Schema {
  readonly requests: RequestsTable;
  readonly request_bodies: RequestBodiesTable;
  readonly body_blocks: BodyBlocksTable;
  readonly log_writers: LogWritersTable;
  readonly log_totals: LogTotalsTable;
}
