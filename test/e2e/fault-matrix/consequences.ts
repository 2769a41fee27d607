// What follows from how an attempt ends: is it tried again, does it count, does the next target get its turn? The defaults of both profiles.

import type { AnswerMode } from "../../../src/upstream-simulator/asked.ts";
import type { Ending } from "./ending.ts";
import type { Resilience } from "./profiles.ts";

const classicStatuses = [429, 502, 503, 504, 522, 524];

const retriedStatuses: Readonly<Record<Resilience, ReadonlySet<number>>> = {
  classic: new Set(classicStatuses),
  strong: new Set([...classicStatuses, 500, 520, 521, 523, 529]),
};

/**
 * 2.4: never our own timeouts, never an unusable answer; a wish for more time than we would wait ends the turn (2.12). A stream never in the
 * classic profile, and like any other call in the strong one, since an attempt that failed brought no event.
 */
export function isRetried(ending: Ending, mode: AnswerMode, maxRetryAfterMs: number, resilience: Resilience): boolean {
  if (ending.kind !== "failed" || (mode === "stream" && resilience === "classic")) return false;
  switch (ending.cause) {
    case "transport":
      return true;
    case "unusable":
    case "timeout":
      return false;
    case "status":
      return retriedStatuses[resilience].has(ending.status) && (ending.asksMs ?? 0) <= maxRetryAfterMs;
  }
}

/** 2.5: 429, every 5xx, timeouts, broken connections and broken streams; any other status is a sign of life. */
export function counts(ending: Ending): boolean {
  switch (ending.kind) {
    case "whole":
    case "endless":
      return false;
    case "truncated":
    case "in-band":
      return true;
    case "failed":
      return ending.status === 429 || ending.status >= 500;
  }
}

/** 2.8: by status, or by what the error says. After the first event never; what becomes of a broken stream under `strong` is its recovery (2.12). */
export function failsOver(ending: Ending, resilience: Resilience): boolean {
  if (ending.kind !== "failed" || ending.says === "refused") return false;
  if (ending.status === 429 || ending.status >= 500 || ending.says === "unavailable") return true;
  return resilience === "strong" && (ending.status === 413 || ending.says === "too long");
}

/** `error.type` of a status (1.19). */
export function errorType(status: number): string {
  if (status === 401 || status === 403) return "authentication_error";
  if (status === 404) return "not_found_error";
  if (status === 429) return "rate_limit_error";
  return status < 500 ? "invalid_request_error" : "provider_error";
}
