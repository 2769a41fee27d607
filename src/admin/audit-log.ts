// The request log over HTTP: the list and one entry of it.

import { Failure, invalidRequest } from "../core/failure.ts";
import type { RequestLog } from "../store/request-log.ts";
import type { AdminRoute } from "./admin-route.ts";
import { auditDetail, auditEntry } from "./audit-entry.ts";
import { asksForUnknown, readAuditQuery } from "./audit-query.ts";
import type { AuditLogPage } from "./contract.ts";

export interface AuditLogDependencies {
  readonly requestLog: Pick<RequestLog, "find" | "detail">;
  /** Milliseconds since the epoch. */
  readonly wallNow: () => number;
}

/** `GET /admin/audit/log` */
export function auditLogRoute({ requestLog, wallNow }: AuditLogDependencies): AdminRoute {
  return {
    method: "GET",
    path: "/admin/audit/log",
    async handle(url) {
      const query = readAuditQuery(url.searchParams, wallNow());
      const { limit, offset } = query;
      const { rows, total } = asksForUnknown(url.searchParams) ? { rows: [], total: 0 } : await requestLog.find(query);
      const body: AuditLogPage = { entries: rows.map(auditEntry), total, limit, offset };
      return { status: 200, body };
    },
  };
}

/** `GET /admin/audit/detail?log_id=` */
export function auditDetailRoute({ requestLog }: AuditLogDependencies): AdminRoute {
  return {
    method: "GET",
    path: "/admin/audit/detail",
    async handle(url) {
      const id = url.searchParams.get("log_id") ?? "";
      if (id === "") throw invalidRequest("log_id is required", { param: "log_id" });
      const row = /^[1-9]\d{0,14}$/.test(id) ? await requestLog.detail(Number(id)) : undefined;
      if (row === undefined) throw notFound(id);
      return { status: 200, body: auditDetail(row) };
    },
  };
}

function notFound(id: string): Failure {
  const message = `audit log not found: ${id}`;
  return new Failure({ origin: "request", status: 404, type: "not_found_error", message, param: "log_id" });
}
