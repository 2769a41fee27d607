// What a Messages provider says about an error inside an answer that began as a success.

import type { Failure } from "../../core/failure.ts";
import { failureOfErrorBody } from "../answers/error-body.ts";
import { errorIn } from "../answers/error-shapes.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { statusOfErrorType } from "./error-types.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** A member `error`, or an object that calls itself an error. */
export function saysError(parsed: JsonObject): boolean {
  return parsed.type === "error" || errorIn(parsed) !== undefined;
}

/**
 * The failure that `json` tells of: the status is that of the error's type, else one that it names in figures, else 502. `parsed`: undefined when `json`
 * is plain text, which then is the message.
 */
export function failureOfMessagesError(
  json: Uint8Array,
  parsed: JsonObject | undefined,
  { providerName, errorHeaders = [], retryAfterMs }: ReaderOptions,
): Failure {
  const error: unknown = parsed === undefined ? undefined : errorIn(parsed);
  const type: unknown = isJsonObject(error) ? error.type : parsed?.type;
  // An event that is named `error` may have the members of the error at its top.
  const isBare = parsed !== undefined && error === undefined;
  const body = isBare ? encoder.encode(`{"error":${decoder.decode(json)}}`) : json;
  // 200: the status is not known yet.
  return failureOfErrorBody({
    status: statusOfErrorType(type) ?? 200,
    body,
    providerName,
    headers: errorHeaders,
    retryAfterMs,
  });
}

/** Whether every client that gets `parsed` under the name `error` can show it: Anthropic's own envelope. */
export function isErrorEnvelope(parsed: JsonObject): boolean {
  const error: unknown = parsed.error;
  return (
    parsed.type === "error" &&
    isJsonObject(error) &&
    typeof error.message === "string" &&
    typeof error.type === "string"
  );
}
