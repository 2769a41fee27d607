// Pieces of text that were found in the bytes of a stream: where each of them is.

import { Buffer } from "node:buffer";
import type { JsonPieces } from "../../core/json-pieces.ts";

const { utf8Slice } = Buffer.prototype;

/** Up to so many bytes are put together in a place that is there already; longer texts get one of their own. */
const sharedRoom = new Uint8Array(4096);

/** All in one array of bytes. */
export class FoundPieces implements JsonPieces {
  readonly bytes: Uint8Array;
  /** Where each starts and ends, one after the other. */
  readonly #places: number[] = [];
  #length = 0;
  #text: string | undefined;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
  }

  get count(): number {
    return this.#places.length >> 1;
  }

  get length(): number {
    return this.#length;
  }

  /** Not empty. */
  add(start: number, end: number): void {
    this.#places.push(start, end);
    this.#length += end - start;
  }

  #startOf(index: number): number {
    return this.#places[2 * index] ?? 0;
  }

  #endOf(index: number): number {
    return this.#places[2 * index + 1] ?? 0;
  }

  textOf(index: number): string {
    return decoded(utf8Slice.call(this.bytes, this.#startOf(index), this.#endOf(index)));
  }

  text(): string {
    if (this.#text !== undefined) return this.#text;
    if (this.count === 1) return (this.#text = this.textOf(0));
    // One text made of all bytes: a text of each, joined, costs a call and two objects for every piece.
    const room = this.#length <= sharedRoom.length ? sharedRoom : new Uint8Array(this.#length);
    let end = 0;
    for (let index = 0; index < this.count; index++) end = this.copy(index, room, end);
    this.#text = decoded(utf8Slice.call(room, 0, end));
    return this.#text;
  }

  copy(index: number, target: Uint8Array, at: number): number {
    const start = this.#startOf(index);
    const end = this.#endOf(index);
    const { bytes } = this;
    if (end - start > longPiece) target.set(bytes.subarray(start, end), at);
    else for (let from = start; from < end; from++) target[at + from - start] = bytes[from] ?? 0;
    return at + end - start;
  }
}

/** From here on a view costs less than going from byte to byte. */
const longPiece = 256;

function decoded(inner: string): string {
  if (!inner.includes("\\")) return inner;
  const value: unknown = JSON.parse(`"${inner}"`);
  return String(value);
}
