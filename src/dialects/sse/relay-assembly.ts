// Collects what of a chunk goes to the caller, in the chunk itself.

import { joinBytes, partOf } from "../../core/byte-pieces.ts";

const nothing = new Uint8Array(0);

/**
 * Ranges of a source in order, with other bytes between them where needed. One per reader; `begin` for every chunk. A gap is closed by moving the shorter
 * side over it: without its usage event a burst would otherwise be copied, and memory outside the heap is what makes collections come, a quarter of
 * what a burst costs.
 */
export class RelayAssembly {
  #source: Uint8Array = nothing;
  /** All ranges before the last one, moved together. */
  #from = 0;
  #to = 0;
  /** The last range, still where it came. */
  #lastFrom = 0;
  #lastTo = 0;
  #pieces: Uint8Array[] | undefined;

  /** The source may be written to, but never behind the range that was included last. */
  begin(source: Uint8Array): void {
    this.#source = source;
    this.#from = 0;
    this.#to = 0;
    this.#lastFrom = 0;
    this.#lastTo = 0;
  }

  /** A range of the source, behind all earlier ones. */
  include(from: number, to: number): void {
    if (from !== this.#lastTo) {
      this.#moveTogether();
      this.#lastFrom = from;
    }
    this.#lastTo = to;
  }

  /** Bytes from elsewhere. */
  append(bytes: Uint8Array): void {
    this.#flush();
    (this.#pieces ??= []).push(bytes);
  }

  /** Undefined when there is nothing; the source itself when all of it goes. Nothing of the source is kept. */
  finish(): Uint8Array | undefined {
    const pieces = this.#pieces;
    if (pieces !== undefined) {
      this.#flush();
      this.#pieces = undefined;
      this.begin(nothing);
      return joinBytes(pieces);
    }
    this.#moveTogether();
    const relay = this.#from === this.#to ? undefined : partOf(this.#source, this.#from, this.#to);
    this.begin(nothing);
    return relay;
  }

  #flush(): void {
    this.#moveTogether();
    if (this.#from < this.#to) (this.#pieces ??= []).push(partOf(this.#source, this.#from, this.#to));
    this.#from = this.#to;
  }

  #moveTogether(): void {
    const length = this.#to - this.#from;
    const lastLength = this.#lastTo - this.#lastFrom;
    if (lastLength === 0) return;
    if (length === 0) {
      this.#from = this.#lastFrom;
      this.#to = this.#lastTo;
    } else if (lastLength <= length) {
      this.#source.copyWithin(this.#to, this.#lastFrom, this.#lastTo);
      this.#to += lastLength;
    } else {
      this.#source.copyWithin(this.#lastFrom - length, this.#from, this.#to);
      this.#from = this.#lastFrom - length;
      this.#to = this.#lastTo;
    }
    this.#lastFrom = this.#lastTo;
  }
}
