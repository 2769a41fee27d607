// How a failure looks to a Responses client: the error body, the events that end a broken stream or stand for one, or that another target goes on.

import type { RecoverableDialect } from "../../core/stream-recovery.ts";
import { encodeErrorEnvelope } from "../answers/error-envelope.ts";
import { followResponsesStream } from "./delivered-stream.ts";
import { failedCodeOf, failureEvents } from "./failure-events.ts";

/** What the gateway itself has to say to a Responses client of whose answer nothing was delivered; after that the reader's `breakOff` numbers on. */
export const responsesClientDialect: RecoverableDialect = {
  streamContentType: "text/event-stream",
  // Every recorded client of this dialect passes over comments; the `keepalive` event makes the helper of the openai package throw.
  heartbeat: new TextEncoder().encode(": waiting\n\n"),
  errorBody: encodeErrorEnvelope,
  streamError: (message, code) =>
    failureEvents({ message, type: "provider_error", param: null, code }, code, 0, undefined),
  failureEvent: (failure) => failureEvents(failure, failedCodeOf(failure.status, failure.code), 0, undefined),
  followStream: followResponsesStream,
};
