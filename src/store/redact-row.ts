// Takes the credentials out of a row before it is stored; runs on the database thread.

import { errorMessagePosition } from "./log-columns.ts";
import type { LogData, LogRow } from "./log-row.ts";
import { redactedHeaders, redactedText } from "./redaction.ts";
import type { AttemptTuple } from "./stored-attempt.ts";

/** The row as it may be stored; most rows have neither headers nor errors and stay as they are. */
export function redactedRow(row: LogRow): LogRow {
  const { values, data } = row;
  const message = values[errorMessagePosition];
  const { request_headers, response_headers, stream_error } = data;
  const hasErrors = typeof message === "string" || stream_error !== undefined || data.attempts.some(hasMessage);
  if (!hasErrors && request_headers === undefined && response_headers === undefined) return row;
  const safeData: LogData = {
    ...data,
    stream_error: stream_error === undefined ? undefined : redactedText(stream_error),
    attempts: hasErrors ? data.attempts.map(redactedAttempt) : data.attempts,
    request_headers: request_headers === undefined ? undefined : redactedHeaders(request_headers),
    response_headers: response_headers === undefined ? undefined : redactedHeaders(response_headers),
  };
  if (typeof message !== "string") return { values, data: safeData };
  return { values: values.with(errorMessagePosition, redactedText(message)), data: safeData };
}

function hasMessage(attempt: AttemptTuple): boolean {
  return typeof attempt[11] === "string";
}

function redactedAttempt(attempt: AttemptTuple): AttemptTuple {
  const message = attempt[11];
  if (typeof message !== "string") return attempt;
  const [provider, model, turn, kind, outcome, startedAt, durationMs, status, firstEventMs, type, code] = attempt;
  const safe = redactedText(message);
  return [provider, model, turn, kind, outcome, startedAt, durationMs, status, firstEventMs, type, code, safe];
}
