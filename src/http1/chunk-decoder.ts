// Takes the chunked transfer coding off a body, in place and at any split.

import { BadMessage } from "./bad-message.ts";

const maxSizeDigits = 12;
const maxExtensionBytes = 16 * 1024;
const maxTrailerBytes = 64 * 1024;

// Where the next byte belongs. Numbers, for this runs for every byte outside chunk data.
const size = 0;
const extension = 1;
const sizeLineFeed = 2;
const data = 3;
const dataReturn = 4;
const dataLineFeed = 5;
const trailerStart = 6;
const trailer = 7;
const trailerLineFeed = 8;
const lastLineFeed = 9;
const finished = 10;

/** One body. Sizes are strict, extensions and trailers are skipped within bounds. */
export class ChunkDecoder {
  #stage = size;
  #digits = 0;
  #left = 0;
  #skipped = 0;
  /** Where the last `decode` put the payload within its bytes; empty when both are the same. */
  payloadStart = 0;
  payloadEnd = 0;
  /** Headers came behind the last chunk. */
  hasTrailers = false;

  /** The last chunk and the trailers are through. */
  get done(): boolean {
    return this.#stage === finished;
  }

  reset(): void {
    this.#stage = size;
    this.#digits = 0;
    this.#left = 0;
    this.#skipped = 0;
    this.hasTrailers = false;
  }

  /**
   * Decodes from `start`, moves the payload of all chunks together and says where it stopped: at the end of the bytes, or after the body.
   * Throws `BadMessage`.
   */
  decode(bytes: Uint8Array, start: number): number {
    const length = bytes.length;
    let at = start;
    this.payloadStart = start;
    this.payloadEnd = start;
    while (at < length && this.#stage !== finished) {
      if (this.#stage === data) {
        const take = Math.min(this.#left, length - at);
        this.#keep(bytes, at, at + take);
        at += take;
        this.#left -= take;
        if (this.#left === 0) this.#stage = dataReturn;
        continue;
      }
      const after = this.#stage === size && this.#digits === 0 ? this.#wholeChunk(bytes, at) : 0;
      if (after > 0) at = after;
      else this.#step(bytes[at++] ?? 0);
    }
    return at;
  }

  /** A plain chunk that has arrived whole, as most do: the index after it. 0 for anything else, which goes byte by byte. */
  #wholeChunk(bytes: Uint8Array, start: number): number {
    let at = start;
    let length = 0;
    for (let digit = hexDigit(bytes[at] ?? 0); digit >= 0 && at - start < 8; digit = hexDigit(bytes[at] ?? 0)) {
      length = length * 16 + digit;
      at++;
    }
    const from = at + 2;
    const to = from + length;
    if (length === 0 || to + 2 > bytes.length || bytes[at] !== 13 || bytes[at + 1] !== 10) return 0;
    if (bytes[to] !== 13 || bytes[to + 1] !== 10) return 0;
    this.#keep(bytes, from, to);
    return to + 2;
  }

  /** Moves payload up to the payload before it. */
  #keep(bytes: Uint8Array, from: number, to: number): void {
    if (this.payloadEnd === this.payloadStart) {
      this.payloadStart = from;
      this.payloadEnd = to;
      return;
    }
    bytes.copyWithin(this.payloadEnd, from, to);
    this.payloadEnd += to - from;
  }

  #step(byte: number): void {
    switch (this.#stage) {
      case size:
        return this.#sizeByte(byte);
      case extension:
        if (byte === 13) this.#stage = sizeLineFeed;
        else this.#skip(byte, maxExtensionBytes);
        return;
      case sizeLineFeed:
        expect(byte, 10);
        this.#stage = this.#left === 0 ? trailerStart : data;
        this.#digits = 0;
        this.#skipped = 0;
        return;
      case dataReturn:
        expect(byte, 13);
        this.#stage = dataLineFeed;
        return;
      case dataLineFeed:
        expect(byte, 10);
        this.#stage = size;
        return;
      case trailerStart:
        if (byte === 13) {
          this.#stage = lastLineFeed;
          return;
        }
        this.#stage = trailer;
        this.hasTrailers = true;
        return this.#skip(byte, maxTrailerBytes);
      case trailer:
        if (byte === 13) this.#stage = trailerLineFeed;
        else this.#skip(byte, maxTrailerBytes);
        return;
      case trailerLineFeed:
        expect(byte, 10);
        this.#stage = trailerStart;
        return;
      case lastLineFeed:
        expect(byte, 10);
        this.#stage = finished;
        return;
    }
  }

  #sizeByte(byte: number): void {
    const digit = hexDigit(byte);
    if (digit >= 0) {
      if (++this.#digits > maxSizeDigits)
        throw new BadMessage("a chunk of the body has an absurd size", "malformed_chunk");
      this.#left = this.#left * 16 + digit;
      return;
    }
    if (this.#digits === 0) throw malformed();
    if (byte === 13) this.#stage = sizeLineFeed;
    else if (byte === 59) this.#stage = extension;
    else throw malformed();
  }

  #skip(byte: number, limit: number): void {
    if ((byte < 32 && byte !== 9) || byte === 127) throw malformed();
    if (++this.#skipped > limit) throw new BadMessage("the body has too much besides its chunks", "malformed_chunk");
  }
}

function hexDigit(byte: number): number {
  if (byte >= 48 && byte <= 57) return byte - 48;
  const letter = byte | 0x20;
  return letter >= 97 && letter <= 102 ? letter - 87 : -1;
}

function expect(byte: number, wanted: number): void {
  if (byte !== wanted) throw malformed();
}

function malformed(): BadMessage {
  return new BadMessage("the body has a malformed chunk", "malformed_chunk");
}
