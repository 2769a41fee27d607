// What went wrong, said once: where it came from, what the caller sees, how long to wait.

import type { CancelReason } from "./cancellation.ts";

/**
 * request: the caller's request is at fault, found by the gateway.
 * status: the provider answered with an error status, also one hidden in a 200 or sent as a stream's first event.
 * answer: the provider answered 2xx with something that is no answer (empty, unreadable, wrong type, cut).
 * transport: refused, reset, name not found, TLS. timeout: one of our own limits.
 * diverged: another target that was to go on with a broken stream says something else than what was delivered; nobody's fault.
 * circuit-open, no-breaker-slot: the target was not called. cancelled: the caller left.
 * deadline: REQUEST_DEADLINE. drain: shutting down. bug: our own mistake.
 */
export type FailureOrigin =
  | "request"
  | "status"
  | "answer"
  | "transport"
  | "timeout"
  | "diverged"
  | "circuit-open"
  | "no-breaker-slot"
  | "cancelled"
  | "deadline"
  | "drain"
  | "bug";

/** `error.type` of the OpenAI envelope (behaviour 1.19). */
export type ErrorType =
  | "provider_error"
  | "rate_limit_error"
  | "invalid_request_error"
  | "authentication_error"
  | "not_found_error";

export interface FailureDetails {
  readonly origin: FailureOrigin;
  readonly status: number;
  readonly type: ErrorType;
  readonly message: string;
  readonly param?: string | null;
  /** Provider codes may be numbers; they are handed on as they came. */
  readonly code?: string | number | null;
  /** The provider's wish to be left alone for so long, from any of its headers. */
  readonly retryAfterMs?: number;
  /** `retry-after*` and the rate limits of the provider, handed to the caller with the error. */
  readonly headers?: readonly (readonly [name: string, value: string])[];
  /** What the provider says beside its message, in an object: SDKs of its own decide by it. Only callers of Messages are told. */
  readonly providerDetails?: Readonly<Record<string, unknown>>;
  /** Label of `gomodel_empty_responses_total` when the provider gave an empty success. */
  readonly emptyReason?: "no_choices";
  readonly cause?: unknown;
}

/** Made in one place per kind, thrown or returned, never re-inspected by status or text outside `failure-rules.ts`. */
export class Failure extends Error {
  override readonly name = "Failure";
  readonly origin: FailureOrigin;
  readonly status: number;
  readonly type: ErrorType;
  readonly param: string | null;
  readonly code: string | number | null;
  readonly retryAfterMs: number | undefined;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly providerDetails: FailureDetails["providerDetails"];
  readonly emptyReason: "no_choices" | undefined;

  constructor(details: FailureDetails) {
    super(details.message, details.cause === undefined ? undefined : { cause: details.cause });
    this.origin = details.origin;
    this.status = details.status;
    this.type = details.type;
    this.param = details.param ?? null;
    this.code = details.code ?? null;
    this.retryAfterMs = details.retryAfterMs;
    this.headers = details.headers ?? [];
    this.providerDetails = details.providerDetails;
    this.emptyReason = details.emptyReason;
  }
}

/** The caller's mistake, found by the gateway: status 400 unless said otherwise. */
export function invalidRequest(
  message: string,
  details: { status?: number; param?: string; code?: string } = {},
): Failure {
  return new Failure({
    origin: "request",
    status: details.status ?? 400,
    type: "invalid_request_error",
    message,
    param: details.param ?? null,
    code: details.code ?? null,
  });
}

/** What a caller is told whose request was stopped; nobody reads the first one (behaviour 1.19). */
export function cancelledRequest(reason: CancelReason): Failure {
  switch (reason) {
    case "client-left":
      return new Failure({
        origin: "cancelled",
        status: 499,
        type: "invalid_request_error",
        message: "request canceled",
        code: "request_canceled",
      });
    case "deadline":
      return new Failure({
        origin: "deadline",
        status: 504,
        type: "provider_error",
        message: "request timed out",
        code: "request_timeout",
      });
    case "drain":
      return new Failure({
        origin: "drain",
        status: 503,
        type: "provider_error",
        message: "the gateway is shutting down",
        code: "shutting_down",
      });
  }
}

/** Our own mistake: the details are for the log, not for the caller. */
export function unexpectedError(cause: unknown): Failure {
  return new Failure({
    origin: "bug",
    status: 500,
    type: "provider_error",
    message: "an unexpected error occurred",
    code: "internal_error",
    cause,
  });
}

/** Error type that goes with a status (behaviour 1.19). */
export function errorTypeOf(status: number): ErrorType {
  if (status === 401 || status === 403) return "authentication_error";
  if (status === 429) return "rate_limit_error";
  if (status === 404) return "not_found_error";
  return status >= 400 && status < 500 ? "invalid_request_error" : "provider_error";
}
