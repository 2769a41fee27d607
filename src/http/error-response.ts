// A failure as the caller sees it: status, headers and the OpenAI envelope.

import type { Failure } from "../core/failure.ts";
import { encodeErrorEnvelope } from "../dialects/chat-completions/error-envelope.ts";

/** `headers` are the gateway's own; the provider's wishes to wait are added. */
export function errorResponse(failure: Failure, headers: Record<string, string>): Response {
  headers["content-type"] = "application/json";
  for (const [name, value] of failure.headers) headers[name] = value;
  if (failure.retryAfterMs !== undefined && headers["retry-after"] === undefined) {
    headers["retry-after"] = String(Math.max(1, Math.ceil(failure.retryAfterMs / 1000)));
  }
  return new Response(encodeErrorEnvelope(failure), { status: failure.status, headers });
}
