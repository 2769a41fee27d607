// How a failure looks to a Messages client: the error body, the event that ends a broken stream, or that nobody could answer.

import type { Failure } from "../../core/failure.ts";
import type { ClientDialect } from "../../core/model-request.ts";

const encoder = new TextEncoder();

/** What the gateway itself has to say to a Messages client. */
export const messagesClientDialect: ClientDialect = {
  streamContentType: "text/event-stream",
  heartbeat: encoder.encode('event: ping\ndata: {"type":"ping"}\n\n'),
  errorBody: ({ status, message }, requestId) => errorBody(typeOf(status), message, requestId),
  streamError: (message) => errorEvent("api_error", message),
  failureEvent: ({ status, message }) => errorEvent(typeOf(status), message),
};

function errorBody(type: string, message: string, requestId: string | undefined): string {
  return JSON.stringify({ type: "error", error: { type, message }, request_id: requestId });
}

function errorEvent(type: string, message: string): Uint8Array {
  return encoder.encode(`event: error\ndata: ${errorBody(type, message, undefined)}\n\n`);
}

/** https://docs.claude.com/en/api/errors. */
const types: ReadonlyMap<Failure["status"], string> = new Map([
  [401, "authentication_error"],
  [402, "billing_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [413, "request_too_large"],
  [429, "rate_limit_error"],
  [504, "timeout_error"],
  [529, "overloaded_error"],
]);

function typeOf(status: number): string {
  return types.get(status) ?? (status >= 400 && status < 500 ? "invalid_request_error" : "api_error");
}
