// How an error must look to the caller of each dialect (1.19, 2.9).

import { errorType } from "./consequences.ts";
import type { ErrorEnd } from "./read-events.ts";
import type { Asking } from "./speakers.ts";

/** The nearest type of Anthropic's. https://docs.anthropic.com/en/api/errors; `conflict_error` is its SDK's. */
const messagesTypes: Readonly<Record<number, string>> = {
  401: "authentication_error",
  402: "billing_error",
  403: "permission_error",
  404: "not_found_error",
  408: "timeout_error",
  409: "conflict_error",
  413: "request_too_large",
  429: "rate_limit_error",
  503: "overloaded_error",
  504: "timeout_error",
  529: "overloaded_error",
};

export function typeOfStatus(status: number, asks: Asking): string {
  if (asks !== "messages") return errorType(status);
  return messagesTypes[status] ?? (status < 500 ? "invalid_request_error" : "api_error");
}

/** Messages have no codes; Responses have texts alone in their events. */
export function codeFor(code: string | number | null, asks: Asking, where: "document" | "event"): unknown {
  if (asks === "messages") return undefined;
  return asks === "responses" && where === "event" && code !== null ? String(code) : code;
}

/** The gateway's own event of a broken stream. */
export function isIncomplete({ code, type, param, isComplete }: ErrorEnd, asks: Asking): boolean {
  if (!isComplete || code !== "stream_incomplete") return false;
  if (asks === "messages") return type === "api_error";
  return type === "provider_error" && param === null;
}
