// Google's errors behind a success status: in a body, as a list of one, or as an event of a stream.

import type { Failure } from "../../core/failure.ts";
import { failureOfErrorBody } from "../answers/error-body.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ReaderOptions } from "../reader-options.ts";

/** https://cloud.google.com/apis/design/errors#handling_errors: the status that goes with each canonical code. */
const statusOfCode: Readonly<Record<string, number>> = {
  CANCELLED: 499,
  UNKNOWN: 500,
  INVALID_ARGUMENT: 400,
  DEADLINE_EXCEEDED: 504,
  NOT_FOUND: 404,
  ALREADY_EXISTS: 409,
  PERMISSION_DENIED: 403,
  UNAUTHENTICATED: 401,
  RESOURCE_EXHAUSTED: 429,
  FAILED_PRECONDITION: 400,
  ABORTED: 409,
  OUT_OF_RANGE: 400,
  UNIMPLEMENTED: 501,
  INTERNAL: 500,
  UNAVAILABLE: 503,
  DATA_LOSS: 500,
};

const encoder = new TextEncoder();

/** The error in a response, also as the one element of a list (`streamGenerateContent` without `alt=sse` answers so); undefined: there is none. */
export function googleErrorIn(parsed: unknown): unknown {
  const response: unknown = Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
  if (!isJsonObject(response)) return undefined;
  return response["error"] ?? undefined;
}

/** With the status that the error itself names, and the wait that it asks for in `details`. */
export function failureOfGoogleError(error: unknown, options: ReaderOptions): Failure {
  const { providerName, errorHeaders = [], retryAfterMs } = options;
  const body = isJsonObject(error) ? { ...error, code: error["code"] ?? codeOf(error) } : error;
  return failureOfErrorBody({
    status: 200,
    body: encoder.encode(JSON.stringify({ error: body })),
    providerName,
    headers: errorHeaders,
    retryAfterMs: retryAfterMs ?? (isJsonObject(error) ? retryDelayMs(error) : undefined),
  });
}

function codeOf({ status }: JsonObject): number | undefined {
  return typeof status === "string" ? statusOfCode[status] : undefined;
}

/** https://cloud.google.com/apis/design/errors#error_details: `google.rpc.RetryInfo` with `"retryDelay":"34.07s"`. */
function retryDelayMs({ details }: JsonObject): number | undefined {
  if (!Array.isArray(details)) return undefined;
  for (const detail of details) {
    const delay = isJsonObject(detail) ? detail["retryDelay"] : undefined;
    if (typeof delay === "string" && /^\d{1,6}(?:\.\d{1,9})?s$/.test(delay))
      return Math.ceil(Number.parseFloat(delay) * 1000);
  }
  return undefined;
}
