// Looks for a short text in many bytes, by the part of it that is rarest in what people write.

import { Buffer } from "node:buffer";

// Works on any Uint8Array and makes no view of it.
const { indexOf } = Buffer.prototype;

/** Rarer than letters in what people write. Quotes, of which JSON is full, are the opposite. */
const rare = /[_.]/;
const notQuote = /[^"]/;

/**
 * The search for a text is as fast as its first byte is rare: 20 kB of prompts take 2.2 microseconds with `"extra_content"` and 0.4 with `_content"`. What is before
 * that part is compared where it is found.
 */
export class ByteMark {
  readonly #mark: Buffer;
  readonly #tail: Buffer;
  /** Bytes of the mark before its tail. */
  readonly #lead: number;

  /** `text`: ASCII. */
  constructor(text: string) {
    this.#mark = Buffer.from(text);
    this.#lead = Math.max(0, text.search(rare.test(text) ? rare : notQuote));
    this.#tail = this.#mark.subarray(this.#lead);
  }

  /** The index of the first one that begins at `from` or later; -1: there is none. */
  indexIn(bytes: Uint8Array, from = 0): number {
    for (let at = from + this.#lead; ; at++) {
      at = indexOf.call(bytes, this.#tail, at);
      if (at < 0) return -1;
      if (this.#leads(bytes, at - this.#lead)) return at - this.#lead;
    }
  }

  isIn(bytes: Uint8Array): boolean {
    return this.indexIn(bytes) >= 0;
  }

  #leads(bytes: Uint8Array, start: number): boolean {
    for (let index = 0; index < this.#lead; index++) if (bytes[start + index] !== this.#mark[index]) return false;
    return true;
  }
}
