// The error envelope of Anthropic, as the body of an answer and as an event.

import type { Failure } from "../../core/failure.ts";
import { messagesErrorType, type MessagesErrorType } from "./error-types.ts";

const encoder = new TextEncoder();

/** https://docs.anthropic.com/en/api/errors. */
export function encodeMessagesError(failure: Failure, requestId: string): string {
  const error = { type: messagesErrorType(failure), message: failure.message };
  return JSON.stringify({ type: "error", error, request_id: requestId });
}

/** https://docs.anthropic.com/en/api/messages-streaming, error events. */
export function failureEventOf(failure: Pick<Failure, "status" | "origin" | "message">): Uint8Array {
  return errorEvent({ type: messagesErrorType(failure), message: failure.message });
}

/** `code` is ours beside Anthropic's two members: SDKs hand it on with the rest, and nobody needs it. */
export function errorEvent(error: { type: MessagesErrorType; message: string; code?: string }): Uint8Array {
  return encoder.encode(`event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`);
}
