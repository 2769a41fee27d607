// Gives an answer in the caller's dialect that its own reader has read in the provider's.

import { joinBytes } from "../core/byte-pieces.ts";
import type { ChatAnswer, ChatEvent } from "../core/chat-answer.ts";
import { Failure, unexpectedError } from "../core/failure.ts";
import type { AnswerFacts } from "../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../core/provider.ts";
import type {
  AnswerContext,
  AnswerOrigin,
  ClientTranslator,
  ProviderTranslator,
  StreamDecoder,
  StreamEncoder,
} from "../core/translation.ts";
import { CustomCallRestorer, customToolNames, restoreCustomCalls } from "../dialects/hub/custom-tools.ts";
import { cutAnswerAtStop, StopCutter } from "../dialects/hub/stop-sequences.ts";

export interface Translation {
  readonly from: ProviderTranslator;
  readonly to: ClientTranslator;
  readonly origin: AnswerOrigin;
  readonly context: AnswerContext;
  /** Where the gateway ends the output; empty for nowhere. */
  readonly stopSequences: readonly string[];
}

/** `reader` has the last word on what is an answer: only what it relays is translated. */
export function translateAnswer(reader: AnswerReader, translation: Translation): AnswerReader {
  return reader.contentType === "text/event-stream"
    ? new TranslatedStream(reader, translation)
    : new TranslatedDocument(reader, translation);
}

class TranslatedDocument implements AnswerReader {
  readonly contentType = "application/json";
  readonly #reader: AnswerReader;
  readonly #translation: Translation;

  constructor(reader: AnswerReader, translation: Translation) {
    this.#reader = reader;
    this.#translation = translation;
  }

  push(bytes: Uint8Array): ReadStep {
    return this.#translate(this.#reader.push(bytes));
  }

  end(): ReadStep {
    return this.#translate(this.#reader.end());
  }

  facts(): AnswerFacts {
    return this.#reader.facts();
  }

  #translate(step: ReadStep): ReadStep {
    if (step.relay === undefined || step.failure !== undefined) return step;
    const { from, to, origin, context } = this.#translation;
    try {
      const answer = this.#finished(from.decodeAnswer(step.relay, origin));
      return { ...step, relay: to.encodeAnswer(answer, context) };
    } catch (error) {
      return { ...step, relay: undefined, events: 0, finished: false, complete: false, failure: failureOf(error) };
    }
  }

  #finished(answer: ChatAnswer): ChatAnswer {
    const { stopSequences, context } = this.#translation;
    const cut = stopSequences.length === 0 ? answer : cutAnswerAtStop(answer, stopSequences);
    return restoreCustomCalls(cut, customToolNames(context.request));
  }
}

class TranslatedStream implements AnswerReader {
  readonly contentType = "text/event-stream";
  readonly #reader: AnswerReader;
  readonly #decoder: StreamDecoder;
  readonly #encoder: StreamEncoder;
  readonly #stop: StopCutter | undefined;
  readonly #customCalls: CustomCallRestorer;
  #failure: Failure | undefined;

  constructor(reader: AnswerReader, { from, to, origin, context, stopSequences }: Translation) {
    this.#reader = reader;
    this.#decoder = from.createDecoder(origin);
    this.#encoder = to.createEncoder(context);
    this.#stop = stopSequences.length === 0 ? undefined : new StopCutter(stopSequences);
    this.#customCalls = new CustomCallRestorer(customToolNames(context.request));
  }

  push(bytes: Uint8Array): ReadStep {
    return this.#translate(this.#reader.push(bytes));
  }

  end(): ReadStep {
    return this.#translate(this.#reader.end());
  }

  breakOff(message: string, code: string): Uint8Array {
    return this.#encoder.breakOff(message, code);
  }

  facts(): AnswerFacts {
    return this.#reader.facts();
  }

  #translate(step: ReadStep): ReadStep {
    if (this.#failure !== undefined) return brokenStep(step, undefined, this.#failure);
    let relay: Uint8Array | undefined;
    try {
      const good = step.relay?.subarray(0, step.relay.length - (step.brokenBytes ?? 0));
      const events: ChatEvent[] = [];
      if (good !== undefined) this.#decoder.push(good, events);
      // Of an answer that broke nothing is closed: its caller would take the pieces for the whole, and no other target could go on.
      if (step.complete) this.#decoder.finish(events);
      relay = this.#encoder.encode(this.#filtered(events, step.complete));
      if (step.failure !== undefined) return brokenStep(step, relay, step.failure);
      if (step.complete)
        relay = joinBytes(relay === undefined ? [this.#encoder.finish()] : [relay, this.#encoder.finish()]);
    } catch (error) {
      this.#failure = failureOf(error);
      return brokenStep(step, relay, this.#failure);
    }
    return { ...step, relay };
  }

  #filtered(events: readonly ChatEvent[], isLast: boolean): readonly ChatEvent[] {
    const stop = this.#stop;
    const cut = stop === undefined ? events : stop.cut(events);
    const rest = stop === undefined || !isLast ? cut : [...cut, ...stop.finish()];
    const restored = this.#customCalls.restore(rest);
    return isLast ? [...restored, ...this.#customCalls.finish()] : restored;
  }
}

/** What the provider says about its own error is in the failure; the caller gets an event of ours in his dialect. */
function brokenStep(step: ReadStep, relay: Uint8Array | undefined, failure: Failure): ReadStep {
  return { relay, events: step.events, finished: false, complete: false, failure, inBand: false };
}

function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : unexpectedError(error);
}
