// The error types of Anthropic, each with the status it stands for, in both directions.

import type { Failure } from "../../core/failure.ts";

/**
 * https://docs.anthropic.com/en/api/errors; `conflict_error` is in the types of Anthropic's own SDK only. The two others of these are about a feature
 * that no gateway route has.
 */
export type MessagesErrorType =
  | "invalid_request_error"
  | "authentication_error"
  | "billing_error"
  | "permission_error"
  | "not_found_error"
  | "conflict_error"
  | "request_too_large"
  | "rate_limit_error"
  | "api_error"
  | "timeout_error"
  | "overloaded_error";

const statuses: ReadonlyMap<string, number> = new Map<MessagesErrorType, number>([
  ["invalid_request_error", 400],
  ["authentication_error", 401],
  ["billing_error", 402],
  ["permission_error", 403],
  ["not_found_error", 404],
  ["conflict_error", 409],
  ["request_too_large", 413],
  ["rate_limit_error", 429],
  ["api_error", 500],
  ["timeout_error", 504],
  ["overloaded_error", 529],
]);

/** The status that goes with an error type; undefined for any other value. */
export function statusOfErrorType(type: unknown): number | undefined {
  return typeof type === "string" ? statuses.get(type) : undefined;
}

/**
 * The nearest type of a failure. The type is a switch for clients (recordings, consequence 3): on `overloaded_error` they try again, on `api_error` they
 * do not, so the first one is for what passes: a 503 or 529, an open circuit, a gateway that shuts down.
 */
export function messagesErrorType({ status, origin }: Pick<Failure, "status" | "origin">): MessagesErrorType {
  if (origin === "circuit-open" || origin === "no-breaker-slot" || status === 503 || status === 529) {
    return "overloaded_error";
  }
  switch (status) {
    case 401:
      return "authentication_error";
    case 402:
      return "billing_error";
    case 403:
      return "permission_error";
    case 404:
      return "not_found_error";
    case 408:
    case 504:
      return "timeout_error";
    case 409:
      return "conflict_error";
    case 413:
      return "request_too_large";
    case 429:
      return "rate_limit_error";
  }
  // Anthropic's own rule for a 4xx without a type of its own.
  return status >= 400 && status < 500 ? "invalid_request_error" : "api_error";
}
