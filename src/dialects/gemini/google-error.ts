// Google's errors behind a success status: in a body, as a list of one, or as an event of a stream.

import type { Failure } from "../../core/failure.ts";
import { failureOfErrorBody } from "../answers/error-body.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { ReaderOptions } from "../reader-options.ts";

/** https://cloud.google.com/apis/design/errors#handling_errors: the status that goes with each canonical code. */
const statusOfCode: ReadonlyMap<unknown, number> = new Map([
  ["CANCELLED", 499],
  ["UNKNOWN", 500],
  ["INVALID_ARGUMENT", 400],
  ["DEADLINE_EXCEEDED", 504],
  ["NOT_FOUND", 404],
  ["ALREADY_EXISTS", 409],
  ["PERMISSION_DENIED", 403],
  ["UNAUTHENTICATED", 401],
  ["RESOURCE_EXHAUSTED", 429],
  ["FAILED_PRECONDITION", 400],
  ["ABORTED", 409],
  ["OUT_OF_RANGE", 400],
  ["UNIMPLEMENTED", 501],
  ["INTERNAL", 500],
  ["UNAVAILABLE", 503],
  ["DATA_LOSS", 500],
]);

const encoder = new TextEncoder();

/** The error in a response, also as the one element of a list (`streamGenerateContent` without `alt=sse` answers so); undefined: there is none. */
export function googleErrorIn(parsed: unknown): unknown {
  const response: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (!isJsonObject(response)) return undefined;
  return response["error"] ?? undefined;
}

/** With the status that the error itself names. */
export function failureOfGoogleError(error: unknown, options: ReaderOptions): Failure {
  const { providerName, errorHeaders = [], retryAfterMs } = options;
  const body = isJsonObject(error) ? { ...error, code: error["code"] ?? statusOfCode.get(error["status"]) } : error;
  return failureOfErrorBody({
    status: 200,
    body: encoder.encode(JSON.stringify({ error: body })),
    providerName,
    headers: errorHeaders,
    retryAfterMs,
  });
}
