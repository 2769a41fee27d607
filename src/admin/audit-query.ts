// The query of a request list: its parameters, their bounds and what is said about a wrong one (behaviour 6.2, 6.3).

import { invalidRequest } from "../core/failure.ts";
import type { RequestQuery } from "../store/find-requests.ts";

const dayMs = 86_400_000;
const defaultDays = 30;
const defaultLimit = 25;
const maxLimit = 100;
const maxTextLength = 256;

/** Throws a `Failure` of status 400 that names the parameter. Days are UTC days; `now` is milliseconds since the epoch. */
export function readAuditQuery(parameters: URLSearchParams, now: number): RequestQuery {
  return {
    ...timeRange(parameters, now),
    requestedModel: text(parameters, "requested_model") ?? text(parameters, "model"),
    provider: text(parameters, "provider"),
    method: text(parameters, "method"),
    path: text(parameters, "path"),
    errorType: text(parameters, "error_type"),
    statusCode: statusCode(parameters),
    stream: stream(parameters),
    search: text(parameters, "search"),
    limit: limit(parameters),
    offset: wholeNumber(parameters, "offset", "invalid offset, expected non-negative integer") ?? 0,
  };
}

/** Filters on what no row has yet: whoever asks for one user's or one session's requests must not get everybody's. */
export function asksForUnknown(parameters: URLSearchParams): boolean {
  return text(parameters, "user_path") !== undefined || text(parameters, "session_id") !== undefined;
}

function timeRange(parameters: URLSearchParams, now: number): { from: number; until: number } {
  const days = wholeNumber(parameters, "days", "invalid days, expected positive integer") ?? defaultDays;
  if (days === 0) throw invalid("days", "invalid days, expected positive integer");
  const start = date(parameters, "start_date");
  const end = date(parameters, "end_date");
  const today = now - (now % dayMs);
  const until = (end ?? Math.max(today, start ?? today)) + dayMs;
  const from = start ?? until - days * dayMs;
  if (from >= until) throw invalid("end_date", "invalid end_date, expected a day not before start_date");
  return { from, until };
}

function date(parameters: URLSearchParams, name: string): number | undefined {
  const value = text(parameters, name);
  if (value === undefined) return undefined;
  const ms = /^\d{4}-\d\d-\d\d$/.test(value) ? Date.parse(`${value}T00:00:00Z`) : Number.NaN;
  // Date.parse takes the 30th of February for the 2nd of March.
  if (Number.isNaN(ms) || !new Date(ms).toISOString().startsWith(value)) {
    throw invalid(name, `invalid ${name} format, expected YYYY-MM-DD`);
  }
  return ms;
}

function limit(parameters: URLSearchParams): number {
  const message = "invalid limit, expected positive integer";
  const value = wholeNumber(parameters, "limit", message) ?? defaultLimit;
  if (value === 0) throw invalid("limit", message);
  if (value > maxLimit) {
    throw invalid("limit", `invalid limit parameter: limit must be between 1 and ${maxLimit}`);
  }
  return value;
}

function statusCode(parameters: URLSearchParams): number | undefined {
  const message = "invalid status_code, expected an HTTP status such as 429";
  return wholeNumber(parameters, "status_code", message);
}

function stream(parameters: URLSearchParams): boolean | undefined {
  const value = text(parameters, "stream");
  if (value === undefined) return undefined;
  if (value !== "true" && value !== "false") throw invalid("stream", "invalid stream, expected true or false");
  return value === "true";
}

/** At most fifteen digits, so that it stays exact. */
function wholeNumber(parameters: URLSearchParams, name: string, message: string): number | undefined {
  const value = text(parameters, name);
  if (value === undefined) return undefined;
  if (!/^\d{1,15}$/.test(value)) throw invalid(name, message);
  return Number(value);
}

/** An empty parameter is one that was not given. */
function text(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.get(name)?.trim();
  if (value === undefined || value === "") return undefined;
  if (value.length > maxTextLength) {
    throw invalid(name, `invalid ${name}, expected at most ${maxTextLength} characters`);
  }
  return value;
}

function invalid(param: string, message: string): Error {
  return invalidRequest(message, { param });
}
