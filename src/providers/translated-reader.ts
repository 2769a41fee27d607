// Gives an answer in the caller's dialect that its own reader has read in the provider's.

import type { ChatAnswer, StreamEvent } from "../core/chat-answer.ts";
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
import { oversizedAnswer } from "../dialects/answers/unusable-answer.ts";
import { CustomCallRestorer, customToolNames, restoreCustomCalls } from "../dialects/hub/custom-tools.ts";
import { plainEvents } from "../dialects/hub/plain-events.ts";
import { CallIds } from "../dialects/hub/repeated-call-ids.ts";
import { cutAnswerAtStop, StopCutter } from "../dialects/hub/stop-sequences.ts";

export interface Translation {
  readonly from: ProviderTranslator;
  readonly to: ClientTranslator;
  /** A provider's stream need not be one of server-sent events. */
  readonly stream: boolean;
  readonly origin: AnswerOrigin;
  readonly context: AnswerContext;
  /** Where the gateway ends the output; empty for nowhere. */
  readonly stopSequences: readonly string[];
}

/** `reader` has the last word on what is an answer: only what it relays is translated. */
export function translateAnswer(reader: AnswerReader, translation: Translation): AnswerReader {
  return translation.stream ? new TranslatedStream(reader, translation) : new TranslatedDocument(reader, translation);
}

/** Of a translated stream, as of a buffered answer (decisions 11). */
const maxAnswerBytes = 32 * 1024 * 1024;

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
    const restored = restoreCustomCalls(cut, customToolNames(context.request));
    return new CallIds(context.request.messages).inAnswer(restored);
  }
}

class TranslatedStream implements AnswerReader {
  readonly contentType = "text/event-stream";
  readonly #reader: AnswerReader;
  readonly #decoder: StreamDecoder;
  readonly #encoder: StreamEncoder;
  readonly #providerName: string;
  readonly #stop: StopCutter | undefined;
  readonly #customCalls: CustomCallRestorer;
  readonly #callIds: CallIds;
  #length = 0;
  /** Something went to the caller. */
  #begun = false;
  /** The step that was the last one, without its bytes: nothing follows the end. */
  #last: ReadStep | undefined;

  constructor(reader: AnswerReader, { from, to, origin, context, stopSequences }: Translation) {
    this.#reader = reader;
    this.#providerName = origin.providerName;
    this.#decoder = from.createDecoder(origin);
    this.#encoder = to.createEncoder(context);
    this.#stop = stopSequences.length === 0 ? undefined : new StopCutter(stopSequences);
    this.#customCalls = new CustomCallRestorer(customToolNames(context.request));
    this.#callIds = new CallIds(context.request.messages);
  }

  push(bytes: Uint8Array): ReadStep {
    return this.#last ?? this.#noteLast(this.#translate(this.#reader.push(bytes)));
  }

  end(): ReadStep {
    return this.#last ?? this.#noteLast(this.#translate(this.#reader.end()));
  }

  breakOff(message: string, code: string): Uint8Array {
    return this.#encoder.breakOff(message, code);
  }

  facts(): AnswerFacts {
    return this.#reader.facts();
  }

  #noteLast(step: ReadStep): ReadStep {
    if (step.complete || step.failure !== undefined) this.#last = { ...step, relay: undefined, events: 0 };
    return step;
  }

  #translate(step: ReadStep): ReadStep {
    const events: StreamEvent[] = [];
    let failure = step.failure;
    let said = events;
    try {
      this.#decode(step, events);
    } catch (error) {
      failure ??= failureOf(error);
      // An event that cannot be read tells nothing, not even that an answer begins.
      if (events.every(({ kind }) => kind === "start")) said = [];
    }
    // Of an answer that broke before it said anything there is nothing to translate: another target may still be asked.
    if (failure !== undefined && !this.#begun && said.length === 0) return brokenStep(step, undefined, failure);
    let relay: Uint8Array | undefined;
    try {
      relay = this.#encode(said, failure !== undefined ? "broken" : step.complete ? "complete" : "open");
    } catch (error) {
      return brokenStep(step, undefined, failureOf(error));
    }
    return failure === undefined ? { ...step, relay } : brokenStep(step, relay, failure);
  }

  /** `events` has what came before a break, also when this throws. */
  #decode(step: ReadStep, events: StreamEvent[]): void {
    const good = goodBytes(step);
    this.#length += good?.length ?? 0;
    // Encoders may have to keep the whole of it, to say it again at its end.
    if (this.#length > maxAnswerBytes) throw oversizedAnswer(this.#providerName);
    if (good !== undefined) this.#decoder.push(good, events);
    // Of a broken answer nothing is closed: a call that was cut must not look like one to be made.
    if (step.complete) this.#decoder.finish(events);
  }

  #encode(events: readonly StreamEvent[], state: AnswerState): Uint8Array | undefined {
    const said = this.#filtered(events, state);
    const relay = state === "complete" ? this.#encoder.finish(said) : this.#encoder.encode(said);
    if (relay !== undefined) this.#begun = true;
    return relay;
  }

  #filtered(events: readonly StreamEvent[], state: AnswerState): readonly StreamEvent[] {
    if (this.#stop === undefined && !this.#customCalls.isNeeded) return this.#callIds.inEvents(events);
    const stop = this.#stop;
    const plain = plainEvents(events);
    const cut = stop === undefined ? plain : stop.cut(plain);
    const rest = stop === undefined || state === "open" ? cut : [...cut, ...stop.finish()];
    const restored = this.#callIds.inEvents(this.#customCalls.restore(rest));
    if (state !== "complete") return restored;
    const last = this.#customCalls.finish();
    return last.length === 0 ? restored : [...restored, ...last];
  }
}

/** `broken`: text that was held back still goes out, and nothing is closed. */
type AnswerState = "open" | "complete" | "broken";

/** A view only where it is needed: made of every piece that arrives, views cost more than decoding them. */
function goodBytes({ relay, brokenBytes = 0 }: ReadStep): Uint8Array | undefined {
  return relay === undefined || brokenBytes === 0 ? relay : relay.subarray(0, relay.length - brokenBytes);
}

/** What the provider says about its own error is in the failure; the caller gets an event of ours in his dialect. */
function brokenStep(step: ReadStep, relay: Uint8Array | undefined, failure: Failure): ReadStep {
  return { relay, events: step.events, finished: false, complete: false, failure, inBand: false };
}

function failureOf(error: unknown): Failure {
  return error instanceof Failure ? error : unexpectedError(error);
}
