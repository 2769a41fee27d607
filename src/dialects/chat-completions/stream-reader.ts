// Watches a chat-completions stream whose bytes pass: did an event come, did the answer finish, is there an error, what was used?

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { failureOfErrorBody } from "../answers/error-body.ts";
import { errorIn } from "../answers/error-shapes.ts";
import { isDone, parseAscii, skipSpace, skipSpaceBack } from "../sse/event-data.ts";
import { isNamedError } from "../sse/event-name.ts";
import { EventMarks } from "./event-marks.ts";
import { FinishTracker } from "./finish-tracker.ts";
import { RelayAssembly } from "../sse/relay-assembly.ts";
import { UsageNotes } from "./usage-notes.ts";
import {
  emptyStream,
  malformedEvent,
  oversizedEvent,
  truncatedStream,
  unnamedError,
} from "../answers/unusable-answer.ts";
import { isAllZero, plainUsage } from "../answers/usage.ts";
import type { UsageFamily } from "../answers/usage.ts";

export interface StreamReaderOptions {
  /** We asked for the usage event and the caller did not: an event with `usage` and no choices is not delivered. */
  readonly cutUsageEvent: boolean;
  /** For messages. */
  readonly providerName: string;
  /** False when the request has no `n` above 1: events of other choices are then not looked for, a fifth of the work. Default true. */
  readonly severalChoices?: boolean;
  /** Default: what OpenAI does. */
  readonly usageFamily?: UsageFamily;
  /**
   * An event that is no JSON object is left out and counted in `facts` instead of failing the stream, up to ten of them (stream recovery,
   * behaviour 2.12). Every event is then parsed, about a microsecond each. Default false: it is relayed and ends the stream.
   */
  readonly skipMalformed?: boolean;
  /** Handed to the caller with an error that is the stream's first event. */
  readonly errorHeaders?: Failure["headers"];
  /** The provider's wish in the headers of this answer, for the same case. */
  readonly retryAfterMs?: number | undefined;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();
const doneEvent = encoder.encode("data: [DONE]\n\n");
/** How an event begins that is nothing but its data. */
const plainHead = encoder.encode("data: {");
const oneLineEnd = encoder.encode("\n");
const twoLineEnds = encoder.encode("\n\n");
const none: readonly unknown[] = [];

/** Malformed events that are left out of one stream: each may have held text, and an upstream that sends nothing else has to end some time. */
const mostSkipped = 10;

/**
 * Events are told apart by their bytes and parsed only when these show that something may be in them (decisions 9, 10, runtime.md). An event that is
 * the reason of a failure is not counted in `events`; as the first one it is not relayed either. Comments before the first event are
 * dropped, and so are events with empty data, which break the OpenAI SDKs.
 */
export function createStreamReader(options: StreamReaderOptions): AnswerReader {
  return new StreamReader(options);
}

class StreamReader implements AnswerReader {
  readonly contentType = "text/event-stream";
  readonly #options: StreamReaderOptions;
  readonly #scanner = new EventScanner();
  readonly #relay = new RelayAssembly();
  readonly #marks: EventMarks;
  readonly #choices = new FinishTracker();
  /** An event has gone to the caller. */
  #started = false;
  #complete = false;
  #failure: Failure | undefined;
  #inBand = false;
  #brokenBytes: number | undefined;
  #events = 0;
  #skipped = 0;
  readonly #usage = new UsageNotes();

  constructor(options: StreamReaderOptions) {
    this.#options = options;
    this.#marks = new EventMarks(options.severalChoices ?? true);
  }

  push(chunk: Uint8Array): ReadStep {
    if (this.#isOver) return this.#step();
    const bytes = this.#scanner.push(chunk);
    this.#relay.begin(bytes);
    this.#readEvents(bytes);
    if (!this.#isOver && this.#scanner.overflowed)
      this.#failure = oversizedEvent(this.#options.providerName, this.#started);
    return this.#step();
  }

  end(): ReadStep {
    if (this.#isOver) return this.#step();
    const bytes = this.#scanner.finish();
    this.#relay.begin(bytes);
    this.#readEvents(bytes);
    if (!this.#isOver && this.#scanner.takeTail()) this.#readTail();
    if (!this.#isOver) {
      if (this.#choices.finished) {
        this.#relay.append(doneEvent);
        this.#complete = true;
      } else if (this.#started) this.#failure = truncatedStream(this.#options.providerName);
      else this.#failure = this.#skipped > 0 ? malformedEvent(this.#options.providerName, false) : emptyStream();
    }
    return this.#step();
  }

  facts(): AnswerFacts {
    const usage = this.#usage.read(this.#options.usageFamily ?? plainUsage);
    const emptyReason = usage !== undefined && isAllZero(usage) ? "no_usage" : undefined;
    return this.#skipped === 0 ? { usage, emptyReason } : { usage, emptyReason, skippedEvents: this.#skipped };
  }

  get #isOver(): boolean {
    return this.#complete || this.#failure !== undefined;
  }

  #step(): ReadStep {
    const events = this.#events;
    const brokenBytes = this.#brokenBytes;
    this.#events = 0;
    this.#brokenBytes = undefined;
    return {
      relay: this.#relay.finish(),
      events,
      finished: this.#choices.finished,
      complete: this.#complete,
      failure: this.#failure,
      inBand: this.#inBand,
      brokenBytes,
    };
  }

  #readEvents(bytes: Uint8Array): void {
    const scanner = this.#scanner;
    const marks = this.#marks;
    const skipMalformed = this.#options.skipMalformed === true;
    marks.reset(bytes);
    for (;;) {
      if (this.#started && !skipMalformed) this.#passPlain();
      if (!scanner.next()) return;
      const { start, end, dataLines } = scanner;
      if (dataLines === 0) {
        if (this.#started) this.#relay.include(start, end);
        continue;
      }
      const isOneLine = dataLines === 1;
      const data = isOneLine ? bytes : scanner.data();
      const dataStart = isOneLine ? scanner.dataStart : 0;
      const dataEnd = isOneLine ? scanner.dataEnd : data.length;
      const from = skipSpace(data, dataStart, dataEnd);
      const to = skipSpaceBack(data, from, dataEnd);
      if (from === to) continue;
      if (data[from] === 0x7b && data[to - 1] === 0x7d) {
        const named = isNamedError(bytes, start, scanner.dataStart);
        const isRead = skipMalformed || named || !isOneLine || !marks.isPlain(from, to);
        const parsed = isRead ? parseAscii(data, from, to) : undefined;
        if (parsed !== undefined) {
          if (this.#fails(parsed, data, from, to, named)) return this.#relayBroken();
          if (this.#takeNote(parsed)) this.#relayEvent();
        } else if (!skipMalformed) {
          this.#choices.sawFirstChoice();
          this.#relayEvent();
        } else if (this.#failsMalformed(named)) return;
      } else if (isDone(data, from, to)) {
        if (!this.#completes()) return;
        // With a space too many the SDKs would parse it as JSON.
        if (isOneLine && from === dataStart && to === dataEnd) this.#relay.include(start, end);
        else this.#relay.append(doneEvent);
        return;
      } else if (this.#failsMalformed(isNamedError(bytes, start, scanner.dataStart))) return;
    }
  }

  /** Nearly all events say nothing that matters here, and are read in one go. */
  #passPlain(): void {
    const passed = this.#scanner.passPlain(plainHead, this.#marks);
    if (passed === 0) return;
    this.#relay.include(this.#scanner.start, this.#scanner.end);
    this.#choices.sawFirstChoice();
    this.#events += passed;
  }

  /** The last event when its blank line is missing: only what ends an answer is taken, and only when it is whole. */
  #readTail(): void {
    const data = this.#scanner.data();
    const from = skipSpace(data, 0, data.length);
    const to = skipSpaceBack(data, from, data.length);
    if (isDone(data, from, to)) {
      if (this.#completes()) this.#relay.append(doneEvent);
      return;
    }
    const parsed = parseAscii(data, from, to);
    if (parsed === undefined) return;
    const failed = this.#fails(parsed, data, from, to, false);
    if (failed ? this.#started : this.#takeNote(parsed) && this.#choices.finished) {
      const { tail } = this.#scanner;
      const lineEnds = tail.at(-1) === 0x0a ? oneLineEnd : twoLineEnds;
      this.#relay.append(tail);
      this.#relay.append(lineEnds);
      if (failed) {
        this.#brokenBytes = tail.length + lineEnds.length;
        return;
      }
      this.#started = true;
      this.#events++;
    }
  }

  #relayEvent(): void {
    this.#relay.include(this.#scanner.start, this.#scanner.end);
    this.#started = true;
    this.#events++;
  }

  /** The event that is the failure: as the first one it is not relayed. */
  #relayBroken(): void {
    if (!this.#started) return;
    this.#relay.include(this.#scanner.start, this.#scanner.end);
    this.#brokenBytes = this.#scanner.end - this.#scanner.start;
  }

  /** Whether the malformed event ends the stream; otherwise it is left out. One that calls itself an error is one, whatever it says. */
  #failsMalformed(named: boolean): boolean {
    if (this.#options.skipMalformed === true && !named && this.#skipped < mostSkipped) {
      this.#skipped++;
      return false;
    }
    this.#failure = malformedEvent(this.#options.providerName, this.#started);
    this.#relayBroken();
    return true;
  }

  /** False: a terminal with nothing before it ends no answer. */
  #completes(): boolean {
    if (!this.#started) {
      this.#failure = emptyStream();
      return false;
    }
    this.#events++;
    this.#complete = true;
    return true;
  }

  /** Whether the event says that the answer has failed. `named`: it is an event of the type error. */
  #fails(parsed: JsonObject, data: Uint8Array, from: number, to: number, named: boolean): boolean {
    if (named || errorIn(parsed) !== undefined) {
      const { providerName, errorHeaders: headers = [], retryAfterMs } = this.#options;
      const json = data.subarray(from, to);
      const isPlain = errorIn(parsed) !== undefined;
      // Clients read the data only and see no error in it, so one of ours has to follow once the stream has begun.
      const body = isPlain ? json : encoder.encode(`{"error":${decoder.decode(json)}}`);
      this.#failure = failureOfErrorBody({ status: 200, body, providerName, headers, retryAfterMs });
      if (isPlain) this.#inBand = this.#started;
    } else if (endsInError(parsed)) {
      // Clients take it for a normal end, so it is no error terminal: one of ours has to follow.
      this.#failure = unnamedError(this.#options.providerName);
    } else return false;
    this.#usage.note(parsed);
    return true;
  }

  /** Remembers what a good event says; false: it is the usage event that the caller did not ask for. */
  #takeNote(parsed: JsonObject): boolean {
    const hasUsage = this.#usage.note(parsed);
    let isEmpty = true;
    for (const choice of choicesOf(parsed)) {
      if (!isJsonObject(choice)) continue;
      const { index, finish_reason: reason, usage } = choice;
      if (isJsonObject(usage)) this.#usage.noteOfChoice(usage);
      const finishes = reason !== undefined && reason !== null && reason !== "";
      this.#choices.saw(typeof index === "number" ? index : 0, finishes);
      isEmpty = false;
    }
    return !(isEmpty && hasUsage && this.#options.cutUsageEvent && Array.isArray(parsed.choices));
  }
}

function choicesOf(parsed: JsonObject): readonly unknown[] {
  const choices: unknown = parsed.choices;
  return Array.isArray(choices) ? choices : none;
}

function endsInError(parsed: JsonObject): boolean {
  return choicesOf(parsed).some((choice) => isJsonObject(choice) && choice.finish_reason === "error");
}
