// Watches a `streamGenerateContent?alt=sse` stream: did an event come, did the answer finish, is there an error, what was used?

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { emptyStream, malformedEvent, oversizedEvent, truncatedStream } from "../answers/unusable-answer.ts";
import { isAllZero } from "../answers/usage.ts";
import type { ReaderOptions } from "../reader-options.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { isDone, parseAscii, parseObject, skipSpace, skipSpaceBack } from "../sse/event-data.ts";
import { RelayAssembly } from "../sse/relay-assembly.ts";
import { blockReasonOf, candidatesOf } from "./answer-shape.ts";
import { CandidateTracker } from "./candidate-tracker.ts";
import { failureOfGoogleError, googleErrorIn } from "./google-error.ts";
import { readGeminiUsage } from "./read-usage.ts";

const oneLineEnd = new Uint8Array([0x0a]);
const twoLineEnds = new Uint8Array([0x0a, 0x0a]);

/** As for the other dialects: each may have held text. */
const mostSkipped = 10;

/**
 * An event is one GenerateContentResponse. There is no terminal: the end of the body completes an answer all of whose candidates have finished. An event
 * that is the reason of a failure is not counted in `events`; as the first one it is not relayed either. Comments and empty data are left out.
 */
export function createGeminiStreamReader(options: ReaderOptions): AnswerReader {
  return new GeminiStreamReader(options);
}

class GeminiStreamReader implements AnswerReader {
  readonly contentType = "text/event-stream";
  readonly #options: ReaderOptions;
  readonly #scanner = new EventScanner();
  readonly #relay = new RelayAssembly();
  readonly #candidates = new CandidateTracker();
  /** An event has been relayed. */
  #started = false;
  #complete = false;
  #failure: Failure | undefined;
  #inBand = false;
  #brokenBytes: number | undefined;
  #events = 0;
  #skipped = 0;
  #usage: unknown;

  constructor(options: ReaderOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): ReadStep {
    if (this.#isOver) return this.#step();
    const bytes = this.#scanner.push(chunk);
    this.#relay.begin(bytes);
    this.#readEvents(bytes);
    if (!this.#isOver && this.#scanner.overflowed) {
      this.#failure = oversizedEvent(this.#options.providerName, this.#started);
    }
    return this.#step();
  }

  end(): ReadStep {
    if (this.#isOver) return this.#step();
    const bytes = this.#scanner.finish();
    this.#relay.begin(bytes);
    this.#readEvents(bytes);
    if (!this.#isOver && this.#scanner.takeTail()) this.#readTail();
    if (!this.#isOver) {
      const { providerName } = this.#options;
      if (this.#candidates.finished) this.#complete = true;
      else if (this.#started) this.#failure = truncatedStream(providerName);
      else this.#failure = this.#skipped > 0 ? malformedEvent(providerName, false) : emptyStream();
    }
    return this.#step();
  }

  facts(): AnswerFacts {
    const usage = readGeminiUsage(this.#usage);
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
      finished: this.#candidates.finished,
      complete: this.#complete,
      failure: this.#failure,
      inBand: this.#inBand,
      brokenBytes,
    };
  }

  #readEvents(bytes: Uint8Array): void {
    const scanner = this.#scanner;
    while (!this.#isOver && scanner.next()) {
      if (scanner.dataLines === 0) continue;
      const isOneLine = scanner.dataLines === 1;
      const data = isOneLine ? bytes : scanner.data();
      const from = skipSpace(data, isOneLine ? scanner.dataStart : 0, isOneLine ? scanner.dataEnd : data.length);
      const to = skipSpaceBack(data, from, isOneLine ? scanner.dataEnd : data.length);
      if (from === to) continue;
      if (isDone(data, from, to)) {
        this.#readDone();
        continue;
      }
      const parsed = parsedIn(data, from, to);
      if (parsed === undefined) this.#sawMalformed();
      else if (this.#fails(parsed, data, from, to)) this.#relayBroken();
      else this.#relayEvent();
    }
  }

  /** The last event when its blank line is missing: taken when it is whole and ends the answer, one way or the other. */
  #readTail(): void {
    const data = this.#scanner.data();
    const from = skipSpace(data, 0, data.length);
    const to = skipSpaceBack(data, from, data.length);
    const parsed = parsedIn(data, from, to);
    if (parsed === undefined) return;
    const failed = this.#fails(parsed, data, from, to);
    if (failed ? !this.#started : !this.#candidates.finished) return;
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

  /** Not Google's, but servers in between close with it; it ends an answer that has finished and says nothing else. */
  #readDone(): void {
    if (this.#candidates.finished) this.#complete = true;
    else this.#failure = this.#started ? truncatedStream(this.#options.providerName) : emptyStream();
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

  #sawMalformed(): void {
    if (this.#options.skipMalformed === true && this.#skipped < mostSkipped) {
      this.#skipped++;
      return;
    }
    this.#failure = malformedEvent(this.#options.providerName, this.#started);
    this.#relayBroken();
  }

  /** Remembers what the event says; true: the answer has failed with it. */
  #fails(response: JsonObject, data: Uint8Array, from: number, to: number): boolean {
    const { providerName } = this.#options;
    if (response["usageMetadata"] !== undefined) this.#usage = response["usageMetadata"];
    if (googleErrorIn(response) !== undefined) {
      const error = googleErrorIn(parseObject(data.subarray(from, to)));
      this.#failure = failureOfGoogleError(error, this.#options);
      this.#inBand = this.#started;
      return true;
    }
    const candidates = candidatesOf(response, providerName);
    if (candidates instanceof Error) {
      this.#failure = candidates;
      return true;
    }
    for (const candidate of candidates ?? []) {
      this.#failure ??= this.#candidates.saw(candidate, providerName);
    }
    const hasNone = candidates === undefined || candidates.length === 0;
    if (hasNone && blockReasonOf(response) !== undefined) this.#candidates.sawBlock();
    return this.#failure !== undefined;
  }
}

/** Its texts are not looked at: reading them as characters is left to what fails. */
function parsedIn(data: Uint8Array, from: number, to: number): JsonObject | undefined {
  return parseAscii(data, from, to) ?? parseObject(data.subarray(from, to));
}
