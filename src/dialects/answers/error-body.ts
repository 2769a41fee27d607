// Turns what a provider says about an error into a failure: error bodies, errors hidden in a 200, error events of streams.

import { errorTypeOf, Failure, type FailureDetails } from "../../core/failure.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import { errorIn, retryDelayMs, topLevelError, validationProblems } from "./error-shapes.ts";

/** An error answer as it came. */
export interface ErrorBodyInput {
  /** The HTTP status. When it is no error status, the one in `error.code`, `error.status` or `error.http_code` counts, else 502. */
  readonly status: number;
  /** May be cut off, empty or anything but JSON. */
  readonly body: Uint8Array;
  readonly providerName: string;
  /** What is handed to the caller with the error. */
  readonly headers: Failure["headers"];
  readonly retryAfterMs: number | undefined;
}

/** Characters of an object of details that is kept. */
const maxDetailsLength = 4096;

/** Characters of a message that are kept; an error page is longer than anybody reads. */
const maxMessageLength = 2048;

const decoder = new TextDecoder();

/** Behaviour 1.19: the provider's own message, `param` and `code`, the type that goes with the status. */
export function failureOfErrorBody(input: ErrorBodyInput): Failure {
  const text = decoder.decode(input.body);
  const parsed = only(parse(text));
  const error = errorIn(parsed) ?? (isErrorStatus(input.status) ? topLevelError(parsed) : undefined);
  const status = isErrorStatus(input.status) ? input.status : (embeddedStatus(error) ?? statusBeside(parsed) ?? 502);
  const problems = isJsonObject(error) ? validationProblems(error) : undefined;
  const { param, code } = isJsonObject(error) ? error : {};
  return new Failure({
    origin: "status",
    status,
    type: errorTypeOf(status),
    message:
      shorten(messageOf(error) ?? problems?.message ?? text.trim()) ||
      `provider ${input.providerName} answered with status ${input.status}`,
    param: typeof param === "string" ? param : (problems?.param ?? null),
    code: typeof code === "string" || typeof code === "number" ? code : null,
    headers: input.headers,
    ...waitOf(input, error),
    ...detailsOf(error),
  });
}

/** Gemini wraps its errors into a list of one where the answer would have been a list, and always on its imitation of OpenAI's paths. */
function only(parsed: unknown): unknown {
  return Array.isArray(parsed) && parsed.length === 1 ? parsed[0] : parsed;
}

/** Headers come first; Google asks for a wait in the body alone. */
function waitOf({ retryAfterMs: asked }: ErrorBodyInput, error: unknown): { retryAfterMs?: number } {
  const retryAfterMs = asked ?? (isJsonObject(error) ? retryDelayMs(error) : undefined);
  return retryAfterMs === undefined ? {} : { retryAfterMs };
}

/** Anthropic's `details` tell its SDKs how to go on (https://docs.anthropic.com/en/api/errors); a list of them is Google's, for nobody here. */
function detailsOf(error: unknown): Pick<FailureDetails, "providerDetails"> {
  const details: unknown = isJsonObject(error) ? error.details : undefined;
  if (!isJsonObject(details) || JSON.stringify(details).length > maxDetailsLength) return {};
  return { providerDetails: details };
}

function messageOf(error: unknown): string | undefined {
  if (typeof error === "string") return error;
  if (!isJsonObject(error)) return undefined;
  const message = typeof error.message === "string" ? error.message : "";
  // OpenRouter wraps the error of the provider behind it and says only that there was one.
  if (message === "" || /^provider returned/i.test(message)) {
    const raw = isJsonObject(error.metadata) ? error.metadata.raw : undefined;
    if (typeof raw === "string" && raw !== "") return raw;
  }
  return message === "" ? undefined : message;
}

function embeddedStatus(error: unknown): number | undefined {
  if (!isJsonObject(error)) return undefined;
  return [error.code, error.status, error.http_code].map(numberOf).find(isErrorStatus);
}

/** Cerebras puts it beside the error of a stream. */
function statusBeside(parsed: unknown): number | undefined {
  const status = isJsonObject(parsed) ? numberOf(parsed.status_code) : 0;
  return isErrorStatus(status) ? status : undefined;
}

function numberOf(value: unknown): number {
  if (typeof value === "string") return /^\d{3}$/.test(value) ? Number(value) : 0;
  return typeof value === "number" ? value : 0;
}

function isErrorStatus(status: number): boolean {
  return Number.isInteger(status) && status >= 400 && status <= 599;
}

function shorten(message: string): string {
  return message.length <= maxMessageLength
    ? message
    : `${message.slice(0, maxMessageLength).replace(/[\ud800-\udbff]$/, "")}...`;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
