// What the gateway itself has to say to a Messages client in the middle of an answer, and how its broken streams are gone on with.

import type { RecoverableDialect } from "../../core/stream-recovery.ts";
import { followMessagesStream } from "./delivered-stream.ts";
import { encodeMessagesError, errorEvent, failureEventOf } from "./error-event.ts";

const encoder = new TextEncoder();

/** https://docs.anthropic.com/en/api/messages-streaming: any number of pings may come, and every recorded client passes over them. */
export const messagesClientDialect: RecoverableDialect = {
  streamContentType: "text/event-stream",
  heartbeat: encoder.encode('event: ping\ndata: {"type": "ping"}\n\n'),
  errorBody: encodeMessagesError,
  // Clients that get `overloaded_error` ask again, with the caller's money; what was delivered is not lost this way (behaviour 2.9).
  streamError: (message, code) => errorEvent({ type: "api_error", message, code }),
  failureEvent: failureEventOf,
  followStream: followMessagesStream,
};
