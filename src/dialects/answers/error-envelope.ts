// The error body of the OpenAI dialects.

import type { Failure } from "../../core/failure.ts";

/** What of a failure an error body says. */
export type ErrorFields = Pick<Failure, "message" | "type" | "param" | "code">;

/** The body of an error answer; all four members are always there (behaviour 1.19). */
export function encodeErrorEnvelope(failure: ErrorFields): string {
  const { message, type, param, code } = failure;
  return JSON.stringify({ error: { message, type, param, code } });
}
