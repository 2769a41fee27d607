// Watches a Messages stream whose bytes pass: did an event come, did the answer end, is there an error, what was used?

import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import { emptyStream, malformedEvent, oversizedEvent, truncatedStream } from "../answers/unusable-answer.ts";
import { isAllZero } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { isDone, parseAscii, skipSpace, skipSpaceBack } from "../sse/event-data.ts";
import { eventName } from "../sse/event-name.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { RelayAssembly } from "../sse/relay-assembly.ts";
import { failureOfMessagesError, isErrorEnvelope, saysError } from "./error-answer.ts";
import { failureEventOf } from "./error-event.ts";
import { EventMarks } from "./event-marks.ts";
import { namedEvent } from "./named-event.ts";
import { isStopReason } from "./stop-reason.ts";
import { laterUsage, readMessagesUsage } from "./usage.ts";

const encoder = new TextEncoder();
const stopEvent = encoder.encode('event: message_stop\ndata: {"type":"message_stop"}\n\n');
/** How an event of a piece begins. */
const deltaHead = encoder.encode("event: content_block_delta\ndata: {");
const oneLineEnd = encoder.encode("\n");
const twoLineEnds = encoder.encode("\n\n");

/** Malformed events that are left out of one stream: each may have held text, and an upstream that sends nothing else has to end some time. */
const mostSkipped = 10;

/**
 * Events of blocks are told by their name and not parsed (decisions 9, 10). The terminal is `message_stop`; from a stop reason on its absence is made good.
 * An event that is the reason of a failure is not counted in `events`; as the first one it is not relayed either. Comments and pings are no events, and
 * before the first event they are dropped; so are events with empty data wherever they are. An event without a name gets that of its type: recorded clients
 * pass over it otherwise (recordings, consequence 11).
 */
export function createMessagesStreamReader(options: ReaderOptions): AnswerReader {
  return new MessagesStreamReader(options);
}

class MessagesStreamReader implements AnswerReader {
  readonly contentType = "text/event-stream";
  readonly #options: ReaderOptions;
  readonly #scanner = new EventScanner();
  readonly #relay = new RelayAssembly();
  readonly #marks = new EventMarks();
  /** An event has gone to the caller. */
  #started = false;
  #hasContent = false;
  /** A stop reason was told. */
  #finished = false;
  #complete = false;
  #failure: Failure | undefined;
  #inBand = false;
  #brokenBytes: number | undefined;
  #events = 0;
  #skipped = 0;
  #usage: JsonObject | undefined;

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
    if (!this.#isOver) this.#stopWithoutEvent();
    return this.#step();
  }

  facts(): AnswerFacts {
    const usage = readMessagesUsage(this.#usage);
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
      finished: this.#finished,
      complete: this.#complete,
      failure: this.#failure,
      inBand: this.#inBand,
      brokenBytes,
    };
  }

  #readEvents(bytes: Uint8Array): void {
    const scanner = this.#scanner;
    const skipMalformed = this.#options.skipMalformed ?? false;
    this.#marks.reset(bytes);
    for (;;) {
      if (this.#started && !skipMalformed && !this.#isOver) this.#passDeltas();
      if (this.#isOver || !scanner.next()) return;
      if (scanner.dataLines === 0) {
        if (this.#started) this.#relay.include(scanner.start, scanner.end);
        continue;
      }
      const isOneLine = scanner.dataLines === 1;
      const data = isOneLine ? bytes : scanner.data();
      const from = skipSpace(data, isOneLine ? scanner.dataStart : 0, isOneLine ? scanner.dataEnd : data.length);
      const to = skipSpaceBack(data, from, isOneLine ? scanner.dataEnd : data.length);
      if (from === to) continue;
      const isObject = data[from] === 0x7b && data[to - 1] === 0x7d;
      if (isObject && isOneLine && !skipMalformed && this.#marks.isPlainBlock(scanner.start, from, to)) {
        this.#hasContent = true;
        this.#relayEvent();
      } else this.#readClosely(bytes, data, from, to);
    }
  }

  /** Nearly all events are pieces of a block, and are read in one go. */
  #passDeltas(): void {
    const passed = this.#scanner.passPlain(deltaHead, this.#marks);
    if (passed === 0) return;
    this.#relay.include(this.#scanner.start, this.#scanner.end);
    this.#hasContent = true;
    this.#events += passed;
  }

  #readClosely(bytes: Uint8Array, data: Uint8Array, from: number, to: number): void {
    const { start, end, dataStart, dataEnd } = this.#scanner;
    const parsed = parseAscii(data, from, to);
    const name = eventName(bytes, start, dataStart, dataEnd, end);
    if (name === "error" || (parsed !== undefined && saysError(parsed))) {
      this.#fail(data.subarray(from, to), parsed, name);
    } else if (parsed === undefined) {
      if (isDone(data, from, to)) this.#stopWithoutEvent();
      else this.#meetMalformed();
    } else this.#take(parsed, name, data, from, to);
  }

  #take(parsed: JsonObject, name: string | undefined, data: Uint8Array, from: number, to: number): void {
    const type = typeof parsed.type === "string" ? parsed.type : name;
    if (type === "ping") {
      if (this.#started) this.#relay.include(this.#scanner.start, this.#scanner.end);
      return;
    }
    if (type !== "message_stop") this.#takeNote(parsed, type);
    else if (this.#started && (this.#finished || this.#hasContent)) this.#complete = true;
    else {
      // It ends no answer: nothing was said, and not why.
      this.#stopWithoutEvent();
      return;
    }
    if (name !== undefined || type === undefined || /[\r\n]/.test(type)) this.#relayEvent();
    else {
      // Clients that look at names alone would have an answer of nothing.
      this.#relay.append(namedEvent(type, data.subarray(from, to)));
      this.#started = true;
      this.#events++;
    }
  }

  #takeNote(parsed: JsonObject, type: string | undefined): void {
    if (type === "message_start") {
      const message: unknown = parsed.message;
      if (!isJsonObject(message)) return;
      if (isJsonObject(message.usage)) this.#usage = laterUsage(this.#usage, message.usage);
    } else if (type === "message_delta") {
      const { delta, usage } = parsed;
      if (isJsonObject(usage)) this.#usage = laterUsage(this.#usage, usage);
      if (isJsonObject(delta) && isStopReason(delta.stop_reason)) this.#finished = true;
    } else if (type?.startsWith("content_block") === true) this.#hasContent = true;
  }

  /** Nothing says that more would follow: a stop event is put at the end of an answer that is whole; any other has failed. */
  #stopWithoutEvent(): void {
    const { providerName } = this.#options;
    if (this.#finished) {
      this.#relay.append(stopEvent);
      this.#events++;
      this.#complete = true;
    } else if (this.#started) this.#failure = truncatedStream(providerName);
    else this.#failure = this.#skipped > 0 ? malformedEvent(providerName, false) : emptyStream();
  }

  /** The last event when its blank line is missing: only what ends an answer is taken, and only when it is whole. */
  #readTail(): void {
    const { start, end, dataStart, dataEnd, tail } = this.#scanner;
    const data = this.#scanner.data();
    const from = skipSpace(data, 0, data.length);
    const json = data.subarray(from, skipSpaceBack(data, from, data.length));
    const parsed = parseAscii(json);
    if (parsed === undefined) return;
    const name = eventName(tail, start, dataStart, dataEnd, end);
    if (name === "error" || saysError(parsed)) {
      this.#failure = failureOfMessagesError(json, parsed, this.#options);
      this.#noteErrorEvent();
      return;
    }
    const type = typeof parsed.type === "string" ? parsed.type : name;
    if (type === "message_stop") {
      if (!this.#started || !this.#hasContent || this.#finished) return;
      this.#relay.append(stopEvent);
      this.#events++;
      this.#complete = true;
    } else if (type === "message_delta" && this.#started && !this.#finished) {
      this.#takeNote(parsed, type);
      if (!this.#finished) return;
      if (name === undefined) this.#relay.append(namedEvent(type, json));
      else {
        this.#relay.append(tail);
        this.#relay.append(tail.at(-1) === 0x0a ? oneLineEnd : twoLineEnds);
      }
      this.#events++;
    }
  }

  #relayEvent(): void {
    this.#relay.include(this.#scanner.start, this.#scanner.end);
    this.#started = true;
    this.#events++;
  }

  /** The event says that the answer has failed. It is relayed as it is when every client knows it for an error, otherwise in the form of one. */
  #fail(json: Uint8Array, parsed: JsonObject | undefined, name: string | undefined): void {
    this.#failure = failureOfMessagesError(json, parsed, this.#options);
    if (parsed !== undefined && isJsonObject(parsed.usage)) this.#usage = laterUsage(this.#usage, parsed.usage);
    if (!this.#started) return;
    if (name !== "error" || parsed === undefined || !isErrorEnvelope(parsed)) {
      this.#noteErrorEvent();
      return;
    }
    this.#relay.include(this.#scanner.start, this.#scanner.end);
    this.#brokenBytes = this.#scanner.end - this.#scanner.start;
    this.#inBand = true;
  }

  #noteErrorEvent(): void {
    if (!this.#started || this.#failure === undefined) return;
    const event = failureEventOf(this.#failure);
    this.#relay.append(event);
    this.#brokenBytes = event.length;
    this.#inBand = true;
  }

  /** The malformed event ends the stream, unless it is left out. */
  #meetMalformed(): void {
    if (this.#options.skipMalformed === true && this.#skipped < mostSkipped) {
      this.#skipped++;
      return;
    }
    this.#failure = malformedEvent(this.#options.providerName, this.#started);
    if (!this.#started) return;
    this.#relay.include(this.#scanner.start, this.#scanner.end);
    this.#brokenBytes = this.#scanner.end - this.#scanner.start;
  }
}
