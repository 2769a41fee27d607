// The tables as the query builder sees them.

import type { ColumnType, Generated } from "kysely";
import type { LogColumns } from "./log-columns.ts";

/** One row per request; ids ascend in the order in which requests ended. */
interface RequestsTable extends LogColumns {
  readonly id: Generated<number>;
  /** `LogData` as JSON. */
  readonly data: string;
}

/** Bodies apart from the rows, so that lists never read them and the oldest can go first. */
interface RequestBodiesTable {
  readonly id: number;
  /** Stored bytes of both. */
  readonly size: number;
  /** zstd. */
  readonly request: Uint8Array | null;
  readonly response: Uint8Array | null;
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
  readonly log_writers: LogWritersTable;
  readonly log_totals: LogTotalsTable;
}
