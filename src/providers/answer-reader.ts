// Puts together what reads one answer: the provider's dialect, the gateway's own stop, clean failures, and the caller's dialect.

import type { Dialect } from "../core/chat-request.ts";
import type { Clock } from "../core/clock.ts";
import type { AnswerFacts, Operation } from "../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../core/provider.ts";
import { type BufferedReaderOptions, createBufferedReader } from "../dialects/chat-completions/buffered-reader.ts";
import { emulateStop } from "../dialects/chat-completions/stop-emulation.ts";
import { createStreamReader, type StreamReaderOptions } from "../dialects/chat-completions/stream-reader.ts";
import type { UsageFamily } from "../dialects/answers/usage.ts";
import { createGeminiBufferedReader } from "../dialects/gemini/buffered-reader.ts";
import { createGeminiStreamReader } from "../dialects/gemini/stream-reader.ts";
import { createMessagesBufferedReader } from "../dialects/messages/buffered-reader.ts";
import { createMessagesStreamReader } from "../dialects/messages/stream-reader.ts";
import { createResponsesBufferedReader } from "../dialects/responses/buffered-reader.ts";
import { createCollectingReader } from "../dialects/responses/collecting-reader.ts";
import { createResponsesStreamReader } from "../dialects/responses/stream-reader.ts";
import type { Header } from "./answer-headers.ts";
import type { Redactor } from "./redaction.ts";
import type { AnswerContext } from "./refused-answer.ts";
import { readRetryAfterMs } from "./retry-after.ts";
import { translateAnswer, type Translation } from "./translated-reader.ts";
import type { AnswerHeaders } from "./upstream/http-answer.ts";

/** What the request settles about reading its answer. */
export interface Reading {
  readonly operation: Operation;
  /** What the provider answers in; undefined for embeddings. */
  readonly dialect: Dialect | undefined;
  readonly stream: boolean;
  /** We asked for the usage event and the caller did not. */
  readonly cutUsageEvent: boolean;
  /** The provider streams what the caller asked for in one piece. */
  readonly collectsStream: boolean;
  /** Where the gateway ends the output of an answer whose bytes pass; empty for nowhere. */
  readonly stopSequences: readonly string[];
  readonly usageFamily: UsageFamily;
  /** The request asked for more than one choice. */
  readonly severalChoices: boolean;
  /** Undefined: the bytes pass. Made anew for each answer. */
  readonly translation: (() => Translation) | undefined;
}

/** A reader for one answer; `errorHeaders` go with an error that a 200 hides; `skipMalformed` is for streams. */
export function createAnswerReader(
  reading: Reading,
  headers: AnswerHeaders,
  errorHeaders: readonly Header[],
  context: AnswerContext,
  skipMalformed: boolean,
): AnswerReader {
  const options = new ReaderOptions(reading, headers, errorHeaders, context, skipMalformed);
  const reader = readerOf(reading, options);
  const { stopSequences, translation } = reading;
  const clean = new CleanReader(
    stopSequences.length === 0 ? reader : emulateStop(reader, stopSequences),
    context.redactor,
  );
  return translation === undefined ? clean : translateAnswer(clean, translation());
}

function readerOf({ dialect, stream, collectsStream, operation }: Reading, options: ReaderOptions): AnswerReader {
  switch (dialect) {
    case "responses":
      if (collectsStream) return createCollectingReader(options);
      return stream ? createResponsesStreamReader(options) : createResponsesBufferedReader(options);
    case "messages":
      if (stream) return createMessagesStreamReader(options);
      return createMessagesBufferedReader({
        providerName: options.providerName,
        errorHeaders: options.errorHeaders,
        retryAfterMs: options.retryAfterMs,
        operation: operation === "count-tokens" ? operation : "messages",
      });
    case "gemini":
      return stream ? createGeminiStreamReader(options) : createGeminiBufferedReader(options);
    case "chat-completions":
    case undefined:
      return stream ? createStreamReader(options) : createBufferedReader(options);
  }
}

/** What both kinds of reader take. */
class ReaderOptions implements StreamReaderOptions, BufferedReaderOptions {
  readonly providerName: string;
  readonly usageFamily: UsageFamily;
  readonly errorHeaders: readonly Header[];
  readonly cutUsageEvent: boolean;
  readonly operation: Operation;
  readonly severalChoices: boolean;
  readonly skipMalformed: boolean;
  readonly #headers: AnswerHeaders;
  readonly #clock: Clock;

  constructor(
    reading: Reading,
    headers: AnswerHeaders,
    errorHeaders: readonly Header[],
    context: AnswerContext,
    skipMalformed: boolean,
  ) {
    this.providerName = context.providerName;
    this.usageFamily = reading.usageFamily;
    this.errorHeaders = errorHeaders;
    this.cutUsageEvent = reading.cutUsageEvent;
    this.operation = reading.operation;
    this.severalChoices = reading.severalChoices;
    this.skipMalformed = skipMalformed;
    this.#headers = headers;
    this.#clock = context.clock;
  }

  /** Worked out only when an error turns up: nearly every answer has rate-limit headers. */
  get retryAfterMs(): number | undefined {
    return this.errorHeaders.length === 0 ? undefined : readRetryAfterMs(this.#headers, this.#clock.wallNow());
  }
}

/** The bytes that pass are not touched, the failures found in them are. */
class CleanReader implements AnswerReader {
  readonly contentType: string;
  readonly #reader: AnswerReader;
  readonly #redactor: Redactor;

  constructor(reader: AnswerReader, redactor: Redactor) {
    this.contentType = reader.contentType;
    this.#reader = reader;
    this.#redactor = redactor;
  }

  push(bytes: Uint8Array): ReadStep {
    return this.#clean(this.#reader.push(bytes));
  }

  end(): ReadStep {
    return this.#clean(this.#reader.end());
  }

  breakOff(message: string, code: string): Uint8Array | undefined {
    return this.#reader.breakOff?.(message, code);
  }

  facts(): AnswerFacts {
    return this.#reader.facts();
  }

  #clean(step: ReadStep): ReadStep {
    return step.failure === undefined ? step : { ...step, failure: this.#redactor.failure(step.failure) };
  }
}
