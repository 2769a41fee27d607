// What the gateway says to callers in tests without sockets, short enough to be compared at a glance.

import type { RecoverableDialect } from "../../src/core/stream-recovery.ts";

const encoder = new TextEncoder();

/** Errors begin with an exclamation mark, a heartbeat is a colon. */
export const benchDialect: RecoverableDialect = {
  streamContentType: "text/event-stream",
  heartbeat: encoder.encode(":"),
  errorBody: ({ status, message }) => `!${status} ${message}`,
  streamError: (message, code) => encoder.encode(`!${code}: ${message}`),
  failureEvent: ({ status, message }) => encoder.encode(`!${status} ${message}`),
  followStream() {
    throw new Error("words cannot be followed: use the dialect of chat completions");
  },
};
