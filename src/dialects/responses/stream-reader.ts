// Watches a Responses stream whose bytes pass: did an event come, is the answer whole, has it failed, what was used?

import { joinBytes } from "../../core/byte-pieces.ts";
import type { Failure } from "../../core/failure.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { AnswerReader, ReadStep } from "../../core/provider.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { errorIn } from "../answers/error-shapes.ts";
import { emptyStream, malformedEvent, oversizedEvent, truncatedStream } from "../answers/unusable-answer.ts";
import { plainUsage } from "../answers/usage.ts";
import type { UsageFamily } from "../answers/usage.ts";
import type { ReaderOptions } from "../reader-options.ts";
import { isDone, parseAscii, parseObject, skipSpace, skipSpaceBack } from "../sse/event-data.ts";
import { EventScanner } from "../sse/event-scanner.ts";
import { RelayAssembly } from "../sse/relay-assembly.ts";
import { kindInBytes, kindOfType } from "./event-type.ts";
import type { EventKind } from "./event-type.ts";
import { failureEvents } from "./failure-events.ts";
import { EventNumbers } from "./event-numbers.ts";
import { failedBytes } from "./failed-bytes.ts";
import { ResponseSoFar } from "./response-so-far.ts";
import { factsOfResponse } from "./answer-facts.ts";

export interface ResponsesStreamOptions extends ReaderOptions {
  /** Default: what OpenAI does. */
  readonly usageFamily?: UsageFamily;
}

const decoder = new TextDecoder();
const oneLineEnd = new Uint8Array([0x0a]);
const twoLineEnds = new Uint8Array([0x0a, 0x0a]);

/** As in chat: each may have held text, and an upstream that sends nothing else has to end some time. */
const mostSkipped = 10;

/**
 * Events are told apart by their first bytes and parsed only where these do not tell or something is to be read (decisions 9, 10). The terminal ends the
 * answer: whatever follows it, `[DONE]` too, is dropped, for no recorded client of this dialect waits for it. A failure reaches the caller as `error` and
 * `response.failed`, each once; the one that the provider leaves out is added. As the first event it is not relayed. Comments before the first event are
 * dropped, and so are events with empty data, which break the OpenAI SDKs.
 */
export function createResponsesStreamReader(options: ResponsesStreamOptions): AnswerReader {
  return new ResponsesStreamReader(options);
}

class ResponsesStreamReader implements AnswerReader {
  readonly contentType = "text/event-stream";
  readonly #options: ResponsesStreamOptions;
  readonly #scanner = new EventScanner();
  readonly #relay = new RelayAssembly();
  readonly #response = new ResponseSoFar();
  readonly #numbers = new EventNumbers();
  #started = false;
  #complete = false;
  #failure: Failure | undefined;
  #inBand = false;
  #brokenBytes: number | undefined;
  #events = 0;
  #skipped = 0;
  #hasItems = false;
  /** Of the terminal. */
  #last: JsonObject | undefined;

  constructor(options: ResponsesStreamOptions) {
    this.#options = options;
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
      if (this.#started) this.#failure = truncatedStream(this.#options.providerName);
      else this.#failure = this.#skipped > 0 ? malformedEvent(this.#options.providerName, false) : emptyStream();
    }
    return this.#step();
  }

  breakOff(message: string, code: string): Uint8Array {
    const fields = { message, type: "provider_error", param: null, code } as const;
    return failureEvents(fields, code, this.#numbers.next, this.#response.object());
  }

  facts(): AnswerFacts {
    const told = factsOfResponse(this.#last, this.#options.usageFamily ?? plainUsage, this.#hasItems);
    const facts = this.#complete ? told : { usage: told.usage, emptyReason: undefined };
    return this.#skipped === 0 ? facts : { ...facts, skippedEvents: this.#skipped };
  }

  get #isOver(): boolean {
    return this.#complete || this.#failure !== undefined;
  }

  #step(): ReadStep {
    const events = this.#started ? this.#events : 0;
    const relay = this.#relay.finish();
    const brokenBytes = this.#brokenBytes;
    this.#events = 0;
    this.#brokenBytes = undefined;
    return {
      relay: this.#started ? relay : undefined,
      events,
      finished: this.#complete,
      complete: this.#complete,
      failure: this.#failure,
      inBand: this.#inBand,
      brokenBytes,
    };
  }

  #readEvents(bytes: Uint8Array): void {
    const scanner = this.#scanner;
    while (!this.#isOver && scanner.next()) {
      if (scanner.dataLines === 0) {
        if (this.#started) this.#relay.include(scanner.start, scanner.end);
        continue;
      }
      const isOneLine = scanner.dataLines === 1;
      const data = isOneLine ? bytes : scanner.data();
      const from = skipSpace(data, isOneLine ? scanner.dataStart : 0, isOneLine ? scanner.dataEnd : data.length);
      const to = skipSpaceBack(data, from, isOneLine ? scanner.dataEnd : data.length);
      if (from === to) continue;
      if (data[from] === 0x7b && data[to - 1] === 0x7d) this.#readObject(bytes, data, from, to);
      else if (!isDone(data, from, to)) this.#malformed(bytes);
      // A terminal of other dialects: nothing follows, and the answer is not whole.
      else this.#failure = this.#started ? truncatedStream(this.#options.providerName) : emptyStream();
    }
    this.#numbers.chunkEnds(bytes);
  }

  #readObject(bytes: Uint8Array, data: Uint8Array, from: number, to: number): void {
    const isRead = this.#options.skipMalformed === true || data !== bytes;
    const told = isRead ? undefined : kindInBytes(data, from, to);
    if (told === "other") return this.#relayEvent(bytes);
    if (told === "status" || told === "item" || told === "item-done") {
      this.#takeNote(told, data, from, to);
      return this.#relayEvent(bytes);
    }
    const parsed = parseAscii(data, from, to);
    if (parsed === undefined) return this.#malformed(bytes);
    const kind = kindOf(parsed, () => eventName(bytes, this.#scanner.start, this.#scanner.end));
    if (kind === "error" || kind === "failed") {
      this.#numbers.chunkEnds(bytes);
      const event = bytes.subarray(this.#scanner.start, this.#scanner.end);
      return this.#fails(kind, data.subarray(from, to), event, bytes);
    }
    this.#takeNote(kind, data, from, to);
    this.#relayEvent(bytes);
    if (kind === "terminal") this.#completes(parsed);
  }

  /** The last event when its blank line is missing: only what ends an answer is taken, and only when it is whole. */
  #readTail(): void {
    const data = this.#scanner.data();
    const from = skipSpace(data, 0, data.length);
    const json = data.subarray(from, skipSpaceBack(data, from, data.length));
    const parsed = parseAscii(json);
    if (parsed === undefined) return;
    const { tail } = this.#scanner;
    const kind = kindOf(parsed, () => eventName(tail, 0, tail.length));
    const whole = joinBytes([tail, tail.at(-1) === 0x0a ? oneLineEnd : twoLineEnds]);
    if (kind === "error" || kind === "failed") return this.#fails(kind, json, whole, undefined);
    if (kind !== "terminal") return;
    this.#relay.append(this.#numbers.renumbered(whole));
    this.#started = true;
    this.#events++;
    this.#completes(parsed);
  }

  #takeNote(kind: EventKind, data: Uint8Array, from: number, to: number): void {
    if (kind === "status") this.#response.sawStatus(data, from, to);
    if (kind === "item-done") this.#response.sawItem(data, from, to);
    if (kind === "item" || kind === "item-done") this.#hasItems = true;
  }

  #relayEvent(bytes: Uint8Array): void {
    this.#numbers.relay(bytes, this.#scanner.start, this.#scanner.end, this.#relay);
    this.#started = true;
    this.#events++;
  }

  #completes(parsed: JsonObject): void {
    this.#last = parsed;
    this.#complete = true;
  }

  /** Ends the stream, unless the event may be left out. One that calls itself an error is one, whatever it says. */
  #malformed(bytes: Uint8Array): void {
    const { start, end } = this.#scanner;
    if (
      this.#options.skipMalformed === true &&
      this.#skipped < mostSkipped &&
      eventName(bytes, start, end) !== "error"
    ) {
      this.#skipped++;
      this.#numbers.leftOut(bytes);
      return;
    }
    this.#failure = malformedEvent(this.#options.providerName, this.#started);
    if (!this.#started) return;
    this.#relay.include(start, end);
    this.#brokenBytes = end - start;
  }

  /** `event`: whole. `bytes`: where the next event may be, which may be the other half of the failure. */
  #fails(kind: "error" | "failed", json: Uint8Array, event: Uint8Array, bytes: Uint8Array | undefined): void {
    const first = { kind, data: parseObject(json) ?? {}, event };
    const second = kind === "error" && bytes !== undefined ? this.#failedNext(bytes) : undefined;
    const { failure, relayed } = failedBytes(first, second, this.#numbers, this.#response, this.#options);
    this.#failure = failure;
    this.#last = second?.data ?? first.data;
    if (!this.#started) return;
    this.#relay.append(relayed);
    this.#brokenBytes = relayed.length;
    this.#inBand = true;
  }

  /** The `response.failed` that is here together with its `error`. */
  #failedNext(bytes: Uint8Array): { readonly data: JsonObject; readonly event: Uint8Array } | undefined {
    const scanner = this.#scanner;
    if (!scanner.next() || scanner.dataLines === 0) return undefined;
    const data = parseObject(scanner.data());
    if (data === undefined || kindOf(data, () => undefined) !== "failed") return undefined;
    return { data, event: bytes.subarray(scanner.start, scanner.end) };
  }
}

/** `name`: of the event itself, which counts where the data has no type of this dialect. */
function kindOf(data: JsonObject, name: () => string | undefined): EventKind {
  const type = typeof data.type === "string" ? data.type : "";
  const told = kindOfType(type);
  const kind = told === "other" && !type.startsWith("response.") ? kindOfType(name() ?? "") : told;
  // Clients take any event with an error in it for the end.
  return kind !== "failed" && errorIn(data) !== undefined ? "error" : kind;
}

/** What the `event` field says. */
function eventName(bytes: Uint8Array, start: number, end: number): string | undefined {
  return /(?:^|[\r\n])event: ?([^\r\n]*)/.exec(decoder.decode(bytes.subarray(start, end)))?.[1];
}
