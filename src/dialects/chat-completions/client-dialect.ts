// How a failure looks to a chat-completions client: the error body, the event that ends a broken stream, or that another target goes on.

import type { RecoverableDialect } from "../../core/stream-recovery.ts";
import { encodeErrorEnvelope } from "../answers/error-envelope.ts";
import type { ErrorFields } from "../answers/error-envelope.ts";
import { followChatStream } from "./delivered-stream.ts";

const encoder = new TextEncoder();

/** What the gateway itself has to say to a chat-completions client in the middle of an answer. */
export const chatClientDialect: RecoverableDialect = {
  streamContentType: "text/event-stream",
  // Every recorded client passes over comments, before the first event and between events.
  heartbeat: encoder.encode(": waiting\n\n"),
  errorBody: encodeErrorEnvelope,
  streamError: (message, code) => errorEvent({ message, type: "provider_error", param: null, code }),
  failureEvent: errorEvent,
  followStream: followChatStream,
};

function errorEvent(failure: ErrorFields): Uint8Array {
  return encoder.encode(`data: ${encodeErrorEnvelope(failure)}\n\n`);
}
