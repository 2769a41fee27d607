// A failure as the caller sees it: status, headers and the error body of its dialect.

import { Failure, unexpectedError } from "../core/failure.ts";
import type { ClientDialect } from "../core/model-request.ts";
import type { Exchange } from "./exchange.ts";
import type { Reply } from "./listener/reply.ts";

/** Told about a mistake of ours that a request met. */
export type OnBug = (error: unknown, requestId: string) => void;

/** `headers` are the gateway's own; the provider's wishes to wait are added. */
export function errorResponse(failure: Failure, headers: Record<string, string>, dialect: ClientDialect): Reply {
  headers["content-type"] = "application/json";
  for (const [name, value] of failure.headers) headers[name] = value;
  if (failure.retryAfterMs !== undefined && headers["retry-after"] === undefined) {
    headers["retry-after"] = String(Math.max(1, Math.ceil(failure.retryAfterMs / 1000)));
  }
  return { status: failure.status, headers, body: dialect.errorBody(failure, headers["X-Request-ID"] ?? "") };
}

/** Ends the exchange with what was thrown in its place; anything but a `Failure` is a mistake of ours. */
export function refuse(exchange: Exchange, headers: Record<string, string>, error: unknown, onBug: OnBug): Reply {
  const failure = error instanceof Failure ? error : unexpectedError(error);
  const { record } = exchange;
  if (failure.origin === "bug") onBug(error, record.requestId);
  record.failure = failure;
  const reply = errorResponse(failure, headers, exchange.dialect);
  exchange.end(failure.status);
  return reply;
}
