// Bytes made of ranges of others and a few new texts, put together only where they are written.

/** What goes out as a body: bytes as they are, or parts. Neither is changed while it is under way. */
export type OutgoingBytes = Uint8Array | EditedBytes;

/** A range of the source, or with `text` that, in UTF-8. */
interface Part {
  readonly text: string | undefined;
  readonly start: number;
  readonly length: number;
}

// Native copies without views; they work on any Uint8Array.
const { copy: copyBytes, utf8Write } = Buffer.prototype;
const encoder = new TextEncoder();

/** Up to so many bytes are copied one by one: a native copy costs as much as reading them. */
const shortRange = 16;

/**
 * A request body with another model name is a range, a name and a range: a copy of 20 kB for each turn cost a fifth of all time, most of it for the
 * memory and its collection.
 */
export class EditedBytes {
  readonly #source: Uint8Array;
  readonly #parts: Part[] = [];
  #length = 0;
  #rangeStart = 0;
  #rangeEnd = 0;

  constructor(source: Uint8Array) {
    this.#source = source;
  }

  get length(): number {
    return this.#length + this.#rangeEnd - this.#rangeStart;
  }

  /** The bytes from `start` to `end` of the source come next; neighbouring ranges become one. */
  keep(start: number, end: number): void {
    if (start !== this.#rangeEnd) {
      this.#endRange();
      this.#rangeStart = start;
    }
    this.#rangeEnd = end;
  }

  /** `text` comes next. */
  add(text: string): void {
    this.#endRange();
    this.#push(text, 0, Buffer.byteLength(text));
  }

  /** Copies what comes behind the first `skipped` bytes to `at`, as much as fits; gives how many bytes that were. */
  copyTo(target: Uint8Array, at: number, skipped: number): number {
    this.#endRange();
    let position = at;
    let skip = skipped;
    for (const part of this.#parts) {
      const length = part.length - skip;
      if (length <= 0) {
        skip -= part.length;
        continue;
      }
      const taken = Math.min(length, target.length - position);
      if (part.text === undefined) copyRange(this.#source, part.start + skip, taken, target, position);
      else if (taken === part.length) utf8Write.call(target, part.text, position);
      else copyRange(encoder.encode(part.text), skip, taken, target, position);
      position += taken;
      if (taken < length) break;
      skip = 0;
    }
    return position - at;
  }

  /** All of them, in one place of their own. */
  joined(): Uint8Array {
    // Not cleared first: every byte is written.
    const whole = Buffer.allocUnsafe(this.length);
    this.copyTo(whole, 0, 0);
    return whole;
  }

  #endRange(): void {
    if (this.#rangeStart < this.#rangeEnd) this.#push(undefined, this.#rangeStart, this.#rangeEnd - this.#rangeStart);
    this.#rangeStart = this.#rangeEnd;
  }

  #push(text: string | undefined, start: number, length: number): void {
    this.#parts.push({ text, start, length });
    this.#length += length;
  }
}

/** For those who need them in one place. */
export function wholeBytes(bytes: OutgoingBytes): Uint8Array {
  return bytes instanceof Uint8Array ? bytes : bytes.joined();
}

function copyRange(source: Uint8Array, start: number, length: number, target: Uint8Array, at: number): void {
  if (length > shortRange) copyBytes.call(source, target, at, start, start + length);
  else for (let index = 0; index < length; index++) target[at + index] = source[start + index] ?? 0;
}
