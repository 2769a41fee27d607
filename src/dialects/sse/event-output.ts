// Collects the events of a stream for a caller as bytes: text of ours, and pieces of the provider's that are copied as they are.

import { Buffer } from "node:buffer";
import type { JsonPieces } from "../../core/json-pieces.ts";

const encoder = new TextEncoder();
// Works on any Uint8Array, and at any place in it without a view.
const { utf8Write } = Buffer.prototype;

/** What is collected here is copied out once: an array for every event, or one that grows, costs more than the copy. */
const sharedRoom = new Uint8Array(64 * 1024);
const longestNumber = 16;
/** Whose turn it is in the shared room. */
let turns = 0;

/** What stands around the pieces of a run, as text. `number`: of the first event, between `before` and `behindNumber`; those behind it count on. */
export interface PieceFrame {
  readonly before: string;
  readonly number?: { readonly first: number; readonly behind: string };
  readonly behind: string;
}

/** What is written goes out with the next `take`, before which nobody else may write. */
export class EventOutput {
  /** Behind what is in the room. */
  #text = "";
  #room: Uint8Array = sharedRoom;
  #length = 0;
  #turn = 0;

  write(text: string): void {
    this.#text += text;
  }

  /** An event for each piece. */
  writePieces(pieces: JsonPieces, { before, number, behind }: PieceFrame): void {
    const { count } = pieces;
    if (count === 0) return;
    this.#writeText();
    const first = number?.first ?? 0;
    const behindNumber = number?.behind ?? "";
    // No unit of text becomes more than three bytes.
    this.#reserve(3 * (before.length + behindNumber.length + behind.length) + longestNumber + pieces.length);
    let room = this.#room;
    const beforeStart = this.#length;
    const beforeEnd = beforeStart + utf8Write.call(room, before, beforeStart);
    const numberEnd = number === undefined ? beforeEnd : writeNumber(room, first, beforeEnd);
    const textStart = behindNumber === "" ? numberEnd : numberEnd + utf8Write.call(room, behindNumber, numberEnd);
    const behindStart = pieces.copy(0, room, textStart);
    const behindEnd = behindStart + utf8Write.call(room, behind, behindStart);
    this.#length = behindEnd;
    if (count === 1) return;
    // The others have the same around their pieces, which is copied from the first.
    const around = behindEnd - behindStart + textStart - beforeStart + longestNumber;
    this.#reserve((count - 1) * around + pieces.length);
    room = this.#room;
    let at = copied(room, beforeStart, beforeEnd, behindEnd);
    const betweenEnd = at;
    for (let index = 1; ; index++) {
      if (number !== undefined) {
        at = copied(room, numberEnd, textStart, writeNumber(room, first + index, at));
      }
      at = pieces.copy(index, room, at);
      if (index === count - 1) break;
      at = copied(room, behindStart, betweenEnd, at);
    }
    this.#length = copied(room, behindStart, behindEnd, at);
  }

  /** Undefined: nothing has been written. */
  take(): Uint8Array | undefined {
    const text = this.#text;
    if (this.#length === 0) {
      if (text === "") return undefined;
      this.#text = "";
      return encoder.encode(text);
    }
    this.#writeText();
    const bytes = this.#room.slice(0, this.#length);
    this.#room = sharedRoom;
    this.#length = 0;
    return bytes;
  }

  #writeText(): void {
    const text = this.#text;
    if (text === "") return;
    this.#text = "";
    this.#reserve(3 * text.length);
    this.#length += utf8Write.call(this.#room, text, this.#length);
  }

  #reserve(bytes: number): void {
    if (this.#length === 0) this.#turn = ++turns;
    else if (this.#room === sharedRoom && this.#turn !== turns) throw new Error("two outputs were written at once");
    const needed = this.#length + bytes;
    if (needed <= this.#room.length) return;
    const roomier = new Uint8Array(Math.max(needed, 2 * this.#length));
    roomier.set(this.#room.subarray(0, this.#length));
    this.#room = roomier;
  }
}

function copied(room: Uint8Array, start: number, end: number, at: number): number {
  room.copyWithin(at, start, end);
  return at + end - start;
}

/** A whole number that is not negative. */
function writeNumber(room: Uint8Array, value: number, at: number): number {
  let end = at + 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) end++;
  for (let place = end - 1, rest = value; place >= at; place--, rest = Math.floor(rest / 10)) {
    room[place] = 0x30 + (rest % 10);
  }
  return end;
}
