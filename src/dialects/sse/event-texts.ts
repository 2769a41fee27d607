// The events of a stream as texts, one by one, and runs of those that differ in nothing but one string together.

import { Buffer } from "node:buffer";
import type { StreamEvent } from "../../core/chat-answer.ts";
import { FoundPieces } from "../json/found-pieces.ts";
import { type IgnoredMembers, RepeatedEvent } from "../json/repeated-event.ts";
import { EventScanner } from "./event-scanner.ts";

/** Who makes events of the hub of them. */
export interface EventTextReader {
  /** The data of one event. `bytes`: what it lies in, for `learn`; undefined when it is not in one piece there. */
  readText(text: string, bytes: Uint8Array | undefined, events: StreamEvent[]): void;
  /** The strings of several that are like the event last learnt, empty ones left out. */
  readPieces(pieces: FoundPieces, events: StreamEvent[]): void;
}

// Works on any Uint8Array and makes no view of it.
const { utf8Slice } = Buffer.prototype;
const decoder = new TextDecoder();

export class EventTexts {
  readonly #scanner = new EventScanner();
  readonly #repeated: RepeatedEvent;

  /** `ignored`: what may differ besides the string. */
  constructor(ignored?: IgnoredMembers) {
    this.#repeated = new RepeatedEvent(ignored);
  }

  push(bytes: Uint8Array, reader: EventTextReader, events: StreamEvent[]): void {
    this.#read(this.#scanner.push(bytes), reader, events);
  }

  /** Nothing follows. */
  finish(reader: EventTextReader, events: StreamEvent[]): void {
    this.#read(this.#scanner.finish(), reader, events);
  }

  /** After `finish`: the last event when its blank line is missing. */
  readTail(reader: EventTextReader, events: StreamEvent[]): void {
    if (this.#scanner.takeTail()) reader.readText(decoder.decode(this.#scanner.data()), undefined, events);
  }

  /** To be called while the event is read: its kind says nothing but `text`, the value of `key` somewhere in it. */
  learn(bytes: Uint8Array, key: string, text: string): void {
    this.#repeated.learn(bytes, this.#scanner, key, text);
  }

  #read(bytes: Uint8Array, reader: EventTextReader, events: StreamEvent[]): void {
    const scanner = this.#scanner;
    for (;;) {
      if (this.#repeated.isReady && scanner.ahead >= 0) this.#readRun(bytes, reader, events);
      if (!scanner.next()) return;
      if (scanner.dataLines === 1) {
        reader.readText(utf8Slice.call(bytes, scanner.dataStart, scanner.dataEnd), bytes, events);
      } else if (scanner.dataLines > 1) reader.readText(decoder.decode(scanner.data()), undefined, events);
    }
  }

  #readRun(bytes: Uint8Array, reader: EventTextReader, events: StreamEvent[]): void {
    const start = this.#scanner.ahead;
    const pieces = new FoundPieces(bytes);
    const end = this.#repeated.take(pieces, start);
    if (end === start) return;
    this.#scanner.skipTo(end);
    if (pieces.count > 0) reader.readPieces(pieces, events);
  }
}
