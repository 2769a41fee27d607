// Puts a head together that arrives in pieces.

import { type AnswerHead, maxHeadBytes, parseAnswerHead } from "./answer-head.ts";
import { BadMessage } from "../../http1/bad-message.ts";

/**
 * Keeps the bytes until the head is whole and looks at each only a few times, so that an upstream which sends byte by byte costs no
 * more than its bytes.
 */
export class HeadCollector {
  #buffer = new Uint8Array(0);
  #length = 0;

  /** The bytes collected so far; after `push` gave a head, that head and what came after it. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Undefined until the head is whole. Throws `BadMessage`. */
  push(bytes: Uint8Array): AnswerHead | undefined {
    const before = this.#length;
    this.#append(bytes);
    const end = this.#findEnd(before);
    // What is malformed is said at once while there is little of it; later only at its end.
    const head = end === 0 && before > 64 ? undefined : parseAnswerHead(this.bytes, 0);
    if ((head?.end ?? this.#length) > maxHeadBytes) throw tooLarge();
    return head;
  }

  #append(bytes: Uint8Array): void {
    const needed = this.#length + bytes.length;
    if (needed > this.#buffer.length) {
      const grown = new Uint8Array(Math.max(needed, 2 * this.#buffer.length, 1024));
      grown.set(this.bytes);
      this.#buffer = grown;
    }
    this.#buffer.set(bytes, this.#length);
    this.#length = needed;
  }

  /** Index after the first blank line that ends in the new bytes, 0 without one. */
  #findEnd(from: number): number {
    const buffer = this.#buffer;
    for (let at = Math.max(from, 1); at < this.#length; at++) {
      if (buffer[at] !== 10) continue;
      if (buffer[at - 1] !== 13) throw new BadMessage("the head of the answer has a line that does not end in CRLF");
      if (at >= 3 && buffer[at - 2] === 10) return at + 1;
    }
    return 0;
  }
}

/** Above `maxHeadBytes`. */
export function tooLarge(): BadMessage {
  return new BadMessage(`the head of the answer is larger than ${maxHeadBytes / 1024} kB`, "head_too_large");
}
