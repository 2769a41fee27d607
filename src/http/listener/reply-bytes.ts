// What of a reply waits to be written, and how it looks on the wire.

import type { ReplyHead } from "./reply.ts";

/** Room for the size of a chunk and its two line ends, or for the end of the body. */
const chunkOverhead = 16;
/** A chunk is not cut to be smaller than this: what does not fit waits for the next write. */
const leastChunk = 1024;
const carriageReturn = 13;
const lineFeed = 10;
const zero = 48;
const hexDigits = "0123456789abcdef";

export class ReplyBytes {
  #head: ReplyHead | undefined;
  /** A head that is larger than a write. */
  #longHead: Uint8Array | undefined;
  #headAt = 0;
  #chunked = false;
  readonly #pieces: Uint8Array[] = [];
  /** The first piece that is not through, and how much of it is. */
  #piece = 0;
  #pieceAt = 0;
  #lastCame = false;
  #ended = false;

  /** Something is left that `fill` has not given. */
  get waiting(): boolean {
    if (this.#head !== undefined || this.#longHead !== undefined || this.#piece < this.#pieces.length) return true;
    return this.#lastCame && !this.#ended;
  }

  /** Everything has been given by `fill`. */
  get ended(): boolean {
    return this.#ended;
  }

  begin(head: ReplyHead, chunked: boolean): void {
    this.clear();
    this.#head = head;
    this.#chunked = chunked;
  }

  /** Not empty, for an empty chunk would be the end. */
  add(piece: Uint8Array): void {
    if (piece.length === 0) return;
    this.#pieces.push(piece);
  }

  /** No piece follows. */
  end(): void {
    this.#lastCame = true;
  }

  clear(): void {
    this.#head = undefined;
    this.#longHead = undefined;
    this.#headAt = 0;
    this.#forgetPieces();
    this.#lastCame = false;
    this.#ended = false;
  }

  /** Puts as much as there is, and as fits, into `target` from `start` on, and gives the index after it. */
  fill(target: Buffer, start: number): number {
    if (this.#ended) return start;
    let at = this.#fillHead(target, start);
    if (this.#longHead !== undefined) return at;
    const overhead = this.#chunked ? chunkOverhead : 0;
    for (let piece = this.#pieces[this.#piece]; piece !== undefined; piece = this.#pieces[this.#piece]) {
      const left = piece.length - this.#pieceAt;
      const room = target.length - at - overhead;
      if (room < left && room < leastChunk) return at;
      const size = Math.min(left, room);
      if (this.#chunked) at = writeSize(target, at, size);
      target.set(size === piece.length ? piece : piece.subarray(this.#pieceAt, this.#pieceAt + size), at);
      at += size;
      if (this.#chunked) at = writeLineEnd(target, at);
      this.#pieceAt += size;
      if (size === left) {
        this.#piece++;
        this.#pieceAt = 0;
      }
    }
    this.#forgetPieces();
    return this.#lastCame ? this.#fillEnd(target, at) : at;
  }

  #fillHead(target: Buffer, start: number): number {
    const head = this.#head;
    if (head !== undefined) {
      this.#head = undefined;
      if (head.length <= target.length - start) return head.write(target, start);
      this.#longHead = new Uint8Array(head.length);
      head.write(this.#longHead, 0);
    }
    const long = this.#longHead;
    if (long === undefined) return start;
    const size = Math.min(long.length - this.#headAt, target.length - start);
    target.set(long.subarray(this.#headAt, this.#headAt + size), start);
    this.#headAt += size;
    if (this.#headAt === long.length) this.#longHead = undefined;
    return start + size;
  }

  #fillEnd(target: Buffer, start: number): number {
    if (this.#chunked) {
      if (target.length - start < chunkOverhead) return start;
      this.#ended = true;
      target[start] = zero;
      return writeLineEnd(target, writeLineEnd(target, start + 1));
    }
    this.#ended = true;
    return start;
  }

  #forgetPieces(): void {
    if (this.#pieces.length > 0) this.#pieces.length = 0;
    this.#piece = 0;
    this.#pieceAt = 0;
  }
}

/** Hexadecimal digits and a line end; the index after them. */
function writeSize(target: Uint8Array, start: number, size: number): number {
  let digits = 1;
  for (let rest = size >>> 4; rest > 0; rest >>>= 4) digits++;
  let rest = size;
  for (let at = start + digits - 1; at >= start; at--) {
    target[at] = hexDigits.charCodeAt(rest & 15);
    rest >>>= 4;
  }
  return writeLineEnd(target, start + digits);
}

function writeLineEnd(target: Uint8Array, at: number): number {
  target[at] = carriageReturn;
  target[at + 1] = lineFeed;
  return at + 2;
}
