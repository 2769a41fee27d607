// How a failure looks to a Responses client: the error body, the event that ends a broken stream, or that nobody could answer.

import type { Failure } from "../../core/failure.ts";
import type { ClientDialect } from "../../core/model-request.ts";

const encoder = new TextEncoder();

type Said = Pick<Failure, "message" | "type" | "param" | "code">;

/** What the gateway itself has to say to a Responses client. */
export const responsesClientDialect: ClientDialect = {
  streamContentType: "text/event-stream",
  heartbeat: encoder.encode(": waiting\n\n"),
  errorBody: ({ message, type, param, code }) => JSON.stringify({ error: { message, type, param, code } }),
  streamError: (message, code) => errorEvent({ message, type: "provider_error", param: null, code }),
  failureEvent: errorEvent,
};

function errorEvent({ message, type, param, code }: Said): Uint8Array {
  const error = { message, type, param, code };
  return encoder.encode(`event: error\ndata: ${JSON.stringify({ type: "error", code, message, param, error })}\n\n`);
}
