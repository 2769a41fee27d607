// Puts together what reads one answer: the dialect, the gateway's own stop, and clean failures.

import type { Clock } from "../core/clock.ts";
import type { AnswerFacts, Operation } from "../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../core/provider.ts";
import { type BufferedReaderOptions, createBufferedReader } from "../dialects/chat-completions/buffered-reader.ts";
import { emulateStop } from "../dialects/chat-completions/stop-emulation.ts";
import { createStreamReader, type StreamReaderOptions } from "../dialects/chat-completions/stream-reader.ts";
import type { UsageFamily } from "../dialects/answers/usage.ts";
import type { Header } from "./answer-headers.ts";
import type { Redactor } from "./redaction.ts";
import type { AnswerContext } from "./refused-answer.ts";
import { readRetryAfterMs } from "./retry-after.ts";
import type { AnswerHeaders } from "./upstream/http-answer.ts";

/** What the request settles about reading its answer. */
export interface Reading {
  readonly operation: Operation;
  readonly stream: boolean;
  /** We asked for the usage event and the caller did not. */
  readonly cutUsageEvent: boolean;
  /** Where the gateway ends the output; empty for nowhere. */
  readonly stopSequences: readonly string[];
  readonly usageFamily: UsageFamily;
  /** The request asked for more than one choice. */
  readonly severalChoices: boolean;
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
  const reader = reading.stream ? createStreamReader(options) : createBufferedReader(options);
  const { stopSequences } = reading;
  return new CleanReader(stopSequences.length === 0 ? reader : emulateStop(reader, stopSequences), context.redactor);
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

  facts(): AnswerFacts {
    return this.#reader.facts();
  }

  #clean(step: ReadStep): ReadStep {
    return step.failure === undefined ? step : { ...step, failure: this.#redactor.failure(step.failure) };
  }
}
