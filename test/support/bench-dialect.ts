// What the gateway says to callers in tests without sockets, short enough to be compared at a glance.

import type { ClientDialect } from "../../src/core/model-request.ts";

const encoder = new TextEncoder();

/** Errors begin with an exclamation mark, a heartbeat is a colon. */
export const benchDialect: ClientDialect = {
  streamContentType: "text/event-stream",
  heartbeat: encoder.encode(":"),
  streamError: (message, code) => encoder.encode(`!${code}: ${message}`),
  failureEvent: ({ status, message }) => encoder.encode(`!${status} ${message}`),
};
