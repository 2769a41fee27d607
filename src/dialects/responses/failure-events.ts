// The two events that end a broken Responses stream: `error` and `response.failed`, of which each client reads one (behaviour 2.9).

import type { ErrorFields } from "../answers/error-envelope.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

const encoder = new TextEncoder();

/** What a client is told that cannot know the real one: nothing of the response was delivered. */
const unknownResponse: JsonObject = {
  id: "resp_undelivered",
  object: "response",
  created_at: 0,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: "",
  output: [],
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
  usage: null,
};

/** Codes on which Codex ends the turn in its own words; what is behind them is never worth a repetition. */
const finalCodes: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "insufficient_quota",
  "usage_not_included",
  "invalid_prompt",
  "cyber_policy",
]);

/** Codes on which Codex gives up although a later call may well succeed. */
const overloadCodes: ReadonlySet<string> = new Set(["server_is_overloaded", "slow_down"]);

/** Statuses of the caller's side that a later call may not get again. */
const passingStatuses: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** An `error` event, whole; flat and nested, for some clients read the one and some the other. */
export function errorEvent(fields: ErrorFields, sequenceNumber: number): string {
  const { message, type, param, code } = fields;
  return writeEvent("error", {
    type: "error",
    code: textOf(code),
    message,
    param,
    sequence_number: sequenceNumber,
    error: { type, code: textOf(code), message, param },
  });
}

/**
 * A provider's own `error` event with whatever of the two forms, the type or the number it lacks; what else it says stays. Undefined: it lacks nothing.
 */
export function completedErrorEvent(
  event: JsonObject,
  fields: ErrorFields,
  sequenceNumber: number,
): string | undefined {
  const { error } = event;
  const isNested = isJsonObject(error) && typeof error.message === "string" && typeof error.type === "string";
  const isNumbered = event.sequence_number === sequenceNumber;
  if (isNested && isNumbered && event.type === "error" && typeof event.message === "string") return undefined;
  const { message, type, param, code } = fields;
  const own = isJsonObject(error) ? error : {};
  return writeEvent("error", {
    ...event,
    type: "error",
    code: textOf(code),
    message,
    param,
    sequence_number: sequenceNumber,
    error: { code: textOf(code), param, ...own, type: typeof own.type === "string" ? own.type : type, message },
  });
}

/** A `response.failed` event, whole. `response`: as far as it was delivered; undefined: nothing of it was. */
export function failedEvent(
  error: { readonly code: string; readonly message: string },
  sequenceNumber: number,
  response: JsonObject | undefined,
): string {
  return writeEvent("response.failed", {
    type: "response.failed",
    sequence_number: sequenceNumber,
    response: { ...(response ?? unknownResponse), status: "failed", error },
  });
}

/** Both, numbered from `sequenceNumber` on. `failedCode`: what `response.failed` says in place of the error's own code. */
export function failureEvents(
  fields: ErrorFields,
  failedCode: string,
  sequenceNumber: number,
  response: JsonObject | undefined,
): Uint8Array {
  const failed = failedEvent({ code: failedCode, message: fields.message }, sequenceNumber + 1, response);
  return encoder.encode(errorEvent(fields, sequenceNumber) + failed);
}

/**
 * The code of `response.failed`, which is what makes Codex try again or stop: it repeats whatever it does not know, and stops on an overload. So what
 * may pass says `server_error` or `rate_limit_exceeded`, and what can never work says so (recordings of clients, consequences 2 and 3).
 */
export function failedCodeOf(status: number, code: string | number | null): string {
  if (typeof code === "string" && finalCodes.has(code)) return code;
  if (status >= 400 && status < 500 && !passingStatuses.has(status)) return "invalid_prompt";
  if (typeof code === "string" && code !== "" && !overloadCodes.has(code)) return code;
  return status === 429 ? "rate_limit_exceeded" : "server_error";
}

/** Clients' schemas know texts only. */
function textOf(code: string | number | null): string | null {
  return typeof code === "number" ? String(code) : code;
}

function writeEvent(type: string, data: JsonObject): string {
  return `event: ${type}\ndata: ${JSON.stringify(data)}\n\n`;
}
