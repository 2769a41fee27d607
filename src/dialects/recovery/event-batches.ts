// Keeps what was delivered of a stream and reads it in batches: most streams end well, and reading is for the others.

import { Buffer } from "node:buffer";
import { EventScanner } from "../sse/event-scanner.ts";

const batchBytes = 64 * 1024;
const firstBatchBytes = 16 * 1024;
const nothing = new Uint8Array(0);

/** One per stream. `read` gets the data of each event, in order, and says whether it wants more. */
export class EventBatches {
  readonly #read: (data: Uint8Array) => boolean;
  #batch: Uint8Array = nothing;
  #length = 0;
  /** Whether anything was read before the batch. */
  #hasBegun = false;
  #ended = false;
  #whole = true;

  constructor(read: (data: Uint8Array) => boolean) {
    this.#read = read;
  }

  /** Whole events. Copied, because the runtime may use the memory of a piece again. */
  took(bytes: Uint8Array): void {
    if (this.#ended) return;
    if (this.#length + bytes.length > batchBytes) {
      this.readAll();
      if (bytes.length > batchBytes) {
        this.#readBatch(bytes);
        return;
      }
    }
    const length = this.#length + bytes.length;
    if (length > this.#batch.length) {
      // Not cleared first: only what has been written is read.
      const roomier = Buffer.allocUnsafe(
        Math.min(batchBytes, Math.max(length, firstBatchBytes, 2 * this.#batch.length)),
      );
      roomier.set(this.#batch.subarray(0, this.#length));
      this.#batch = roomier;
    }
    this.#batch.set(bytes, this.#length);
    this.#length = length;
  }

  /** Everything that was taken has been read after it. False: something of it is no whole event. */
  readAll(): boolean {
    const batch = this.#batch.subarray(0, this.#length);
    this.#length = 0;
    if (batch.length > 0 && !this.#ended) this.#readBatch(batch);
    if (this.#ended) this.#batch = nothing;
    return this.#whole;
  }

  /** Each batch is a stream of its own, except for the mark that only the first bytes of a stream can be. */
  #readBatch(bytes: Uint8Array): void {
    const scanner = new EventScanner();
    if (this.#hasBegun && bytes[0] === 0xef) return this.#stop();
    this.#hasBegun = true;
    scanner.push(bytes);
    this.#readEvents(scanner);
    scanner.finish();
    this.#readEvents(scanner);
    if (!this.#ended && scanner.tail.length > 0) this.#stop();
  }

  #readEvents(scanner: EventScanner): void {
    while (!this.#ended && scanner.next()) {
      if (scanner.dataLines > 0 && !this.#read(scanner.data())) this.#ended = true;
    }
  }

  #stop(): void {
    this.#whole = false;
    this.#ended = true;
  }
}
