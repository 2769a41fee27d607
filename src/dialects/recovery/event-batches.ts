// Keeps the bytes of delivered events and reads them in batches: most streams end well, and reading is for the others.

import { Buffer } from "node:buffer";
import { EventScanner } from "../sse/event-scanner.ts";

/** Whoever makes sense of the events. */
export interface EventSink {
  /** Nothing more has to be read. */
  readonly isSettled: boolean;
  /** An event with data; the scanner stands on it. */
  readEvent(scanner: EventScanner): void;
  /** The bytes are no whole events. */
  unreadable(): void;
}

const batchBytes = 64 * 1024;
const firstBatchBytes = 16 * 1024;
const nothing = new Uint8Array(0);

export class EventBatches {
  readonly #sink: EventSink;
  #batch: Uint8Array = nothing;
  #length = 0;
  /** Whether anything was read before the batch. */
  #hasBegun = false;

  constructor(sink: EventSink) {
    this.#sink = sink;
  }

  /** Whole events, in order. Copied: the runtime may use the memory of a piece again. */
  took(relay: Uint8Array): void {
    if (this.#sink.isSettled) return;
    if (this.#length + relay.length > batchBytes) {
      this.flush();
      if (relay.length > batchBytes) {
        this.#read(relay);
        return;
      }
    }
    const length = this.#length + relay.length;
    if (length > this.#batch.length) {
      // Not cleared first: only what has been written is read.
      const roomier = Buffer.allocUnsafe(
        Math.min(batchBytes, Math.max(length, firstBatchBytes, 2 * this.#batch.length)),
      );
      roomier.set(this.#batch.subarray(0, this.#length));
      this.#batch = roomier;
    }
    this.#batch.set(relay, this.#length);
    this.#length = length;
  }

  /** Reads what has been taken so far. */
  flush(): void {
    const batch = this.#batch.subarray(0, this.#length);
    this.#length = 0;
    if (batch.length > 0) this.#read(batch);
    if (this.#sink.isSettled) this.#batch = nothing;
  }

  /** Each batch is a stream of its own, except for the mark that only the first bytes of a stream can be. */
  #read(bytes: Uint8Array): void {
    const sink = this.#sink;
    if (sink.isSettled) return;
    const scanner = new EventScanner();
    if (this.#hasBegun && bytes[0] === 0xef) sink.unreadable();
    this.#hasBegun = true;
    scanner.push(bytes);
    this.#readEvents(scanner);
    scanner.finish();
    this.#readEvents(scanner);
    if (!sink.isSettled && scanner.tail.length > 0) sink.unreadable();
  }

  #readEvents(scanner: EventScanner): void {
    while (!this.#sink.isSettled && scanner.next()) if (scanner.dataLines > 0) this.#sink.readEvent(scanner);
  }
}
