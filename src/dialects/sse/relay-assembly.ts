// Collects what of a chunk goes to the caller, without more copies than views would cost.

import { joinBytes, partOf } from "../../core/byte-pieces.ts";

/** Ranges of `source` in order, with other bytes between them where needed. */
export class RelayAssembly {
  readonly #source: Uint8Array;
  #from = 0;
  #to = 0;
  #pieces: Uint8Array[] | undefined;

  constructor(source: Uint8Array) {
    this.#source = source;
  }

  /** A range of the source, behind all earlier ones. */
  include(from: number, to: number): void {
    if (from !== this.#to) {
      this.#flush();
      this.#from = from;
    }
    this.#to = to;
  }

  /** Bytes from elsewhere. */
  append(bytes: Uint8Array): void {
    this.#flush();
    (this.#pieces ??= []).push(bytes);
  }

  /** Undefined when there is nothing; the source itself when all of it goes. */
  finish(): Uint8Array | undefined {
    if (this.#pieces === undefined) {
      if (this.#from === this.#to) return undefined;
      return partOf(this.#source, this.#from, this.#to);
    }
    this.#flush();
    return joinBytes(this.#pieces);
  }

  #flush(): void {
    if (this.#from < this.#to) (this.#pieces ??= []).push(partOf(this.#source, this.#from, this.#to));
    this.#from = this.#to;
  }
}
