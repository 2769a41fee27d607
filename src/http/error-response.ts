// A failure as the caller sees it: status, headers and the OpenAI envelope.

import { Failure, unexpectedError } from "../core/failure.ts";
import { encodeErrorEnvelope } from "../dialects/answers/error-envelope.ts";
import type { Exchange } from "./exchange.ts";

/** Told about a mistake of ours that a request met. */
export type OnBug = (error: unknown, requestId: string) => void;

/** `headers` are the gateway's own; the provider's wishes to wait are added. */
export function errorResponse(failure: Failure, headers: Record<string, string>): Response {
  headers["content-type"] = "application/json";
  for (const [name, value] of failure.headers) headers[name] = value;
  if (failure.retryAfterMs !== undefined && headers["retry-after"] === undefined) {
    headers["retry-after"] = String(Math.max(1, Math.ceil(failure.retryAfterMs / 1000)));
  }
  return new Response(encodeErrorEnvelope(failure), { status: failure.status, headers });
}

/** Ends the exchange with what was thrown in its place; anything but a `Failure` is a mistake of ours. */
export function refuse(exchange: Exchange, headers: Record<string, string>, error: unknown, onBug: OnBug): Response {
  const failure = error instanceof Failure ? error : unexpectedError(error);
  const { record } = exchange;
  if (failure.origin === "bug") onBug(error, record.requestId);
  record.failure = failure;
  const response = errorResponse(failure, headers);
  exchange.end(failure.status);
  return response;
}
