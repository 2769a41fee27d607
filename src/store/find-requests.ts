// The question behind the request list: a page of rows, newest first, and how many there are in all.

import type { Expression, ExpressionBuilder, Kysely, SqlBool } from "kysely";
import { sql } from "kysely";
import type { LogColumns } from "./log-columns.ts";
import type { LogData } from "./log-data.ts";
import type { Schema } from "./schema.ts";

/** Absent filters match everything; all given ones must match. */
interface RequestFilters {
  /** Start of the request in milliseconds since the epoch, inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly until: number;
  /** Part of the name, in any case. */
  readonly requestedModel?: string | undefined;
  /** The configured name or the type, whole. */
  readonly provider?: string | undefined;
  readonly method?: string | undefined;
  /** Part of the path, in any case. */
  readonly path?: string | undefined;
  readonly errorType?: string | undefined;
  readonly statusCode?: number | undefined;
  readonly stream?: boolean | undefined;
  /** Part of a model, provider, request id, path, address or error, in any case. */
  readonly search?: string | undefined;
}

export interface RequestQuery extends RequestFilters {
  readonly limit: number;
  readonly offset: number;
}

/** A row without its bodies. */
export interface StoredRequest extends LogColumns {
  readonly id: number;
  readonly data: LogData;
}

export interface RequestPage {
  readonly rows: readonly StoredRequest[];
  readonly total: number;
}

export async function findRequests(db: Kysely<Schema>, query: RequestQuery): Promise<RequestPage> {
  const range = await db
    .selectFrom("requests")
    .select((eb) => [eb.fn.countAll<number>().as("total"), eb.fn.min("id").as("first"), eb.fn.max("id").as("last")])
    .where("started_at", ">=", query.from)
    .where("started_at", "<", query.until)
    .executeTakeFirstOrThrow();
  if (range.total === 0) return { rows: [], total: 0 };

  // Ids ascend nearly as times do, so the bounds make the time filter cheap without sorting by time.
  const matching = db
    .selectFrom("requests")
    .where("id", ">=", range.first)
    .where("id", "<=", range.last)
    .where((eb) => eb.and(conditions(eb, query)));
  const rows = await matching.selectAll().orderBy("id", "desc").limit(query.limit).offset(query.offset).execute();
  const total = isFiltered(query)
    ? (await matching.select((eb) => eb.fn.countAll<number>().as("total")).executeTakeFirstOrThrow()).total
    : range.total;
  return { rows: rows.map(storedRequest), total };
}

/** A row of the table with its JSON column read. */
export function storedRequest<Row extends { readonly data: string }>(row: Row): Omit<Row, "data"> & { data: LogData } {
  const data: LogData = JSON.parse(row.data);
  return { ...row, data };
}

function isFiltered(query: RequestQuery): boolean {
  const { from: _from, until: _until, limit: _limit, offset: _offset, ...filters } = query;
  return Object.values(filters).some((filter) => filter !== undefined);
}

function conditions(eb: ExpressionBuilder<Schema, "requests">, query: RequestFilters): Expression<SqlBool>[] {
  // The plus keeps SQLite from walking the index on time and fetching row after row from all over the table.
  const startedAt = sql<number>`+started_at`;
  const list: Expression<SqlBool>[] = [eb(startedAt, ">=", query.from), eb(startedAt, "<", query.until)];
  const { requestedModel, provider, method, path, errorType, statusCode, stream, search } = query;
  if (requestedModel !== undefined) list.push(contains("requested_model", requestedModel));
  if (provider !== undefined) {
    list.push(eb.or([eb("provider_name", "=", provider), eb("provider_type", "=", provider)]));
  }
  if (method !== undefined) list.push(eb("method", "=", method.toUpperCase()));
  if (path !== undefined) list.push(contains("path", path));
  if (errorType !== undefined) list.push(eb("error_type", "=", errorType));
  if (statusCode !== undefined) list.push(eb("status_code", "=", statusCode));
  if (stream !== undefined) list.push(eb("stream", "=", stream ? 1 : 0));
  if (search !== undefined) list.push(eb.or(searched.map((column) => contains(column, search))));
  return list;
}

const searched = [
  "requested_model",
  "resolved_model",
  "provider_name",
  "provider_type",
  "request_id",
  "path",
  "client_ip",
  "error_type",
  "error_message",
] as const satisfies readonly (keyof LogColumns)[];

function contains(column: keyof LogColumns, text: string): Expression<SqlBool> {
  const pattern = `%${text.replace(/[\\%_]/g, "\\$&")}%`;
  return sql<SqlBool>`${sql.ref(column)} like ${pattern} escape '\\'`;
}
