// What can be asked of the log, with the query builder behind it; loaded at the first question, for most gateways never get one.

import type { Database } from "bun:sqlite";
import { Kysely } from "kysely";
import { bunSqliteDialect } from "./bun-sqlite-dialect.ts";
import { findRequests, type RequestPage, type RequestQuery } from "./find-requests.ts";
import { type RequestDetail, requestDetail } from "./request-detail.ts";
import type { Schema } from "./schema.ts";

export interface RequestQuestions {
  find(query: RequestQuery): Promise<RequestPage>;
  /** Undefined when there is no such row. */
  detail(id: number): Promise<RequestDetail | undefined>;
}

/** Over an open database; closing it stays with whoever opened it. */
export function createQuestions(sqlite: Database): RequestQuestions {
  const kysely = new Kysely<Schema>({ dialect: bunSqliteDialect(sqlite) });
  return { find: (query) => findRequests(kysely, query), detail: (id) => requestDetail(kysely, id) };
}
