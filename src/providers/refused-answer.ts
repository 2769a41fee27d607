// Answers that are no success: error statuses, redirects, and content types that nobody asked for.

import type { Dialect } from "../core/chat-request.ts";
import type { Clock } from "../core/clock.ts";
import { Failure } from "../core/failure.ts";
import type { AnswerReader } from "../core/provider.ts";
import { createBufferedReader } from "../dialects/chat-completions/buffered-reader.ts";
import { failureOfErrorBody } from "../dialects/answers/error-body.ts";
import { createGeminiBufferedReader } from "../dialects/gemini/buffered-reader.ts";
import { createMessagesBufferedReader } from "../dialects/messages/buffered-reader.ts";
import { createResponsesBufferedReader } from "../dialects/responses/buffered-reader.ts";
import { callerHeaderPrefixes, callerHeaders } from "./answer-headers.ts";
import { namedContentType } from "./content-type.ts";
import { readErrorBody } from "./error-answer.ts";
import type { Redactor } from "./redaction.ts";
import { readRetryAfterMs } from "./retry-after.ts";
import type { HttpAnswer } from "./upstream/http-answer.ts";

/** Who answered, and what is needed to say so. */
export interface AnswerContext {
  readonly providerName: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
}

/** The failure of an answer whose status is not 2xx. Its body is read within bounds and the connection is free afterwards. */
export async function failureOfStatus(answer: HttpAnswer, context: AnswerContext): Promise<Failure> {
  const { providerName, clock, redactor } = context;
  if (answer.status < 400) {
    answer.body.cancel();
    // Not retried: the same place would be shown again. Where to is not told, it may be an address of the inside (decisions 5).
    return unusable(`provider ${providerName} answered with status ${answer.status}, which is not followed`);
  }
  const body = await readErrorBody(answer.body, clock);
  const retryAfterMs = readRetryAfterMs(answer.headers, clock.wallNow());
  const headers = callerHeaders(answer.headers.entries(callerHeaderPrefixes), redactor.contains);
  return redactor.failure(failureOfErrorBody({ status: answer.status, body, providerName, headers, retryAfterMs }));
}

/** The failure of JSON where a stream was asked for: the error that the JSON is in its dialect, or else its content type (decisions 7). */
export async function failureOfJsonForStream(
  answer: HttpAnswer,
  dialect: Dialect | undefined,
  context: AnswerContext,
): Promise<Failure> {
  const body = await readErrorBody(answer.body, context.clock);
  const reader = bufferedReaderOf(dialect, context.providerName);
  const failure = reader.push(body).failure ?? reader.end().failure;
  return failure?.origin === "status" ? context.redactor.failure(failure) : failureOfContentType(answer, true, context);
}

function bufferedReaderOf(dialect: Dialect | undefined, providerName: string): AnswerReader {
  switch (dialect) {
    case "responses":
      return createResponsesBufferedReader({ providerName });
    case "messages":
      return createMessagesBufferedReader({ providerName, operation: "messages" });
    case "gemini":
      return createGeminiBufferedReader({ providerName });
    case "chat-completions":
    case undefined:
      return createBufferedReader({ operation: "chat-completions", providerName });
  }
}

/** The failure of a body of the wrong kind; it is not read. */
export function failureOfContentType(answer: HttpAnswer, stream: boolean, context: AnswerContext): Failure {
  answer.body.cancel();
  const got = namedContentType(answer.headers.get("content-type"));
  const asked = stream ? "text/event-stream" : "application/json";
  return unusable(`provider ${context.providerName} answered with ${got} instead of ${asked}`);
}

/** A success that is no answer: 502, not retried, eligible for failover (behaviour 2.11). */
export function unusable(message: string): Failure {
  return new Failure({ origin: "answer", status: 502, type: "provider_error", message });
}
