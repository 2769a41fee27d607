// The one log line of a request, named REQUEST (behaviour 1.2).

import type { RequestRecord } from "../core/record.ts";
import type { Logger } from "./logger.ts";

/** What only the HTTP edge knows of a request. */
export interface RequestOnTheWire {
  /** Path and query as asked for; the logger takes secrets out. */
  readonly uri: string;
  /** The `Host` header; empty without one. */
  readonly host: string;
  /** Body sizes, without headers. */
  readonly bytesIn: number;
  readonly bytesOut: number;
}

/** To be called when the answer has ended, or a little later. Who asks only for model interactions is not told of other paths. */
export function logRequest(logger: Logger, record: RequestRecord, wire: RequestOnTheWire): void {
  logger.infoAt(Math.floor(record.startedAt + record.durationMs), "REQUEST", {
    method: record.method,
    uri: wire.uri,
    status: record.statusCode,
    latency: `${record.durationMs.toFixed(1)}ms`,
    host: wire.host,
    bytes_in: wire.bytesIn,
    bytes_out: wire.bytesOut,
    user_agent: record.userAgent,
    remote_ip: record.clientIp,
    request_id: record.requestId,
  });
}
