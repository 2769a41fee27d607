// Turns what a provider says about an error into a failure: error bodies, errors hidden in a 200, error events of streams.

import { errorTypeOf, Failure } from "../../core/failure.ts";
import { isJsonObject } from "../json/is-json-object.ts";

/** An error answer as it came. */
export interface ErrorBodyInput {
  /** The HTTP status. When it is no error status, the one in `error.code` or `error.status` counts, else 502. */
  readonly status: number;
  /** May be cut off, empty or anything but JSON. */
  readonly body: Uint8Array;
  readonly providerName: string;
  /** What is handed to the caller with the error. */
  readonly headers: Failure["headers"];
  readonly retryAfterMs: number | undefined;
}

/** Characters of a message that are kept; an error page is longer than anybody reads. */
const maxMessageLength = 2048;

const decoder = new TextDecoder();

/** Behaviour 1.19: the provider's own message, `param` and `code`, the type that goes with the status. */
export function failureOfErrorBody(input: ErrorBodyInput): Failure {
  const text = decoder.decode(input.body);
  const error = errorIn(parse(text));
  const status = isErrorStatus(input.status) ? input.status : (embeddedStatus(error) ?? 502);
  const { param, code } = isJsonObject(error) ? error : {};
  return new Failure({
    origin: "status",
    status,
    type: errorTypeOf(status),
    message:
      shorten(messageOf(error) ?? text.trim()) || `provider ${input.providerName} answered with status ${input.status}`,
    param: typeof param === "string" ? param : null,
    code: typeof code === "string" || typeof code === "number" ? code : null,
    headers: input.headers,
    ...(input.retryAfterMs === undefined ? {} : { retryAfterMs: input.retryAfterMs }),
  });
}

/**
 * The error that a parsed body or event carries, undefined when it carries none: a member `error` that is not null, whatever else is beside it,
 * or the whole object when it calls itself one (`"object":"error"`, vLLM).
 */
export function errorIn(parsed: unknown): unknown {
  if (!isJsonObject(parsed)) return undefined;
  if (parsed.error !== undefined && parsed.error !== null) return parsed.error;
  return parsed.object === "error" ? parsed : undefined;
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
  return [error.code, error.status].map(numberOf).find(isErrorStatus);
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
