// Which error type a failure has towards Messages clients, and which status a type stands for.

import { expect, test } from "bun:test";
import type { FailureOrigin } from "../../core/failure.ts";
import { messagesErrorType, statusOfErrorType } from "./error-types.ts";

test.each<[number, FailureOrigin, string]>([
  [400, "request", "invalid_request_error"],
  [401, "status", "authentication_error"],
  [402, "status", "billing_error"],
  [403, "status", "permission_error"],
  [404, "request", "not_found_error"],
  [408, "status", "timeout_error"],
  [409, "status", "conflict_error"],
  [413, "request", "request_too_large"],
  [422, "status", "invalid_request_error"],
  [429, "status", "rate_limit_error"],
  [499, "cancelled", "invalid_request_error"],
  [500, "bug", "api_error"],
  [502, "answer", "api_error"],
  [502, "transport", "api_error"],
  [503, "circuit-open", "overloaded_error"],
  [503, "no-breaker-slot", "overloaded_error"],
  [503, "drain", "overloaded_error"],
  [503, "status", "overloaded_error"],
  [504, "timeout", "timeout_error"],
  [504, "deadline", "timeout_error"],
  [522, "status", "api_error"],
  [529, "status", "overloaded_error"],
])("a %d of origin %s is a %s", (status, origin, type) => {
  expect(messagesErrorType({ status, origin })).toBe(type as ReturnType<typeof messagesErrorType>);
});

test("a type and its status are the same in both directions", () => {
  for (const status of [400, 401, 402, 403, 404, 409, 413, 429, 500, 504, 529]) {
    expect(statusOfErrorType(messagesErrorType({ status, origin: "status" }))).toBe(status);
  }
  for (const type of ["surprise", "", 400, null, undefined, "constructor"])
    expect(statusOfErrorType(type)).toBeUndefined();
});
