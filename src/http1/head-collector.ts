// Puts a head together that arrives in pieces.

/** What the head is read with. */
export interface HeadReader<Head> {
  /** The head that starts at `start`; undefined when its end has not arrived. Throws for what is none. */
  readonly parse: (bytes: Uint8Array, start: number) => Head | undefined;
  readonly maxBytes: number;
  /** What is thrown above `maxBytes`. */
  readonly tooLarge: () => Error;
  /** What is thrown for a line that does not end in CRLF. */
  readonly bareLineFeed: () => Error;
}

/**
 * Keeps the bytes until the head is whole and looks at each only a few times, so that a sender who sends byte by byte costs no
 * more than its bytes.
 */
export class HeadCollector<Head extends { readonly end: number }> {
  readonly #reader: HeadReader<Head>;
  #buffer = new Uint8Array(0);
  #length = 0;

  constructor(reader: HeadReader<Head>) {
    this.#reader = reader;
  }

  /** The bytes collected so far; after `push` gave a head, that head and what came after it. */
  get bytes(): Uint8Array {
    return this.#buffer.subarray(0, this.#length);
  }

  /** Undefined until the head is whole. Throws what the reader throws. */
  push(bytes: Uint8Array): Head | undefined {
    const before = this.#length;
    this.#append(bytes);
    const end = this.#findEnd(before);
    // What is malformed is said at once while there is little of it; later only at its end.
    const head = end === 0 && before > 64 ? undefined : this.#reader.parse(this.bytes, 0);
    if ((head?.end ?? this.#length) > this.#reader.maxBytes) throw this.#reader.tooLarge();
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
      if (buffer[at - 1] !== 13) throw this.#reader.bareLineFeed();
      if (at >= 3 && buffer[at - 2] === 10) return at + 1;
    }
    return 0;
  }
}
