// The error envelope of Anthropic, as the body of an answer and as an event.

import type { Failure } from "../../core/failure.ts";
import { messagesErrorType, type MessagesErrorType } from "./error-types.ts";

const encoder = new TextEncoder();

/** https://docs.anthropic.com/en/api/errors. */
export function encodeMessagesError(failure: Failure, requestId: string): string {
  const details = failure.providerDetails ?? refusedThread(failure);
  const said = { type: messagesErrorType(failure), message: failure.message };
  const error = details === undefined ? said : { ...said, details };
  return JSON.stringify({ type: "error", error, request_id: requestId });
}

/**
 * A provider of another dialect holds no conversation to continue. Anthropic's SDK, whose `toolRunner` has the provider hold one by default, reads this
 * code and sends the whole history instead (`lib/internal/threads` of https://github.com/anthropics/anthropic-sdk-typescript).
 */
function refusedThread({ origin, param }: Failure): Readonly<Record<string, unknown>> | undefined {
  if (origin !== "request" || param !== "thread") return undefined;
  return { error_code: "thread_not_found" };
}

/** https://docs.anthropic.com/en/api/messages-streaming, error events. */
export function failureEventOf(failure: Pick<Failure, "status" | "origin" | "message">): Uint8Array {
  return errorEvent({ type: messagesErrorType(failure), message: failure.message });
}

/** `code` is ours beside Anthropic's two members: SDKs hand it on with the rest, and nobody needs it. */
export function errorEvent(error: { type: MessagesErrorType; message: string; code?: string }): Uint8Array {
  return encoder.encode(`event: error\ndata: ${JSON.stringify({ type: "error", error })}\n\n`);
}
