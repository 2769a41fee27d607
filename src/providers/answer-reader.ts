// Puts together what reads one answer: the dialect, the gateway's own stop, and clean failures.

import type { Operation } from "../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../core/provider.ts";
import { createBufferedReader } from "../dialects/chat-completions/buffered-reader.ts";
import { emulateStop } from "../dialects/chat-completions/stop-emulation.ts";
import { createStreamReader } from "../dialects/chat-completions/stream-reader.ts";
import type { UsageFamily } from "../dialects/chat-completions/usage.ts";
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

/** A reader for one answer; `errorHeaders` go with an error that a 200 hides. */
export function createAnswerReader(
  reading: Reading,
  headers: AnswerHeaders,
  errorHeaders: readonly Header[],
  context: AnswerContext,
): AnswerReader {
  const { providerName, clock, redactor } = context;
  const options = {
    providerName,
    usageFamily: reading.usageFamily,
    errorHeaders,
    // Worked out only when an error turns up; nearly every answer has rate-limit headers.
    get retryAfterMs() {
      return errorHeaders.length === 0 ? undefined : readRetryAfterMs(headers, clock.wallNow());
    },
    cutUsageEvent: reading.cutUsageEvent,
    operation: reading.operation,
    severalChoices: reading.severalChoices,
  };
  const reader = reading.stream ? createStreamReader(options) : createBufferedReader(options);
  const { stopSequences } = reading;
  return withoutSecrets(stopSequences.length === 0 ? reader : emulateStop(reader, stopSequences), redactor);
}

/** The bytes that pass are not touched, the failures found in them are. */
function withoutSecrets(reader: AnswerReader, redactor: Redactor): AnswerReader {
  const clean = (step: ReadStep): ReadStep =>
    step.failure === undefined ? step : { ...step, failure: redactor.failure(step.failure) };
  return {
    contentType: reader.contentType,
    push: (bytes) => clean(reader.push(bytes)),
    end: () => clean(reader.end()),
    facts: () => reader.facts(),
  };
}
