// Finds the events of a server-sent event stream in bytes that arrive in any pieces, without decoding them.

import { byteOrderMarkLength, dataValueStart, find, joinDataLines, startsLikeMark } from "./event-lines.ts";

/** Longest block of lines without the blank line that ends it (decisions 11). */
const maxEventBytes = 32 * 1024 * 1024;

const lf = 0x0a;
const cr = 0x0d;
const closeBrace = 0x7d;
const nothing = new Uint8Array(0);

/** Who knows which events say nothing that matters. */
export interface PlainJudge {
  /** Of the data between `from` and `to` of the bytes at hand. Asked in order, and perhaps again for the last one. */
  isPlain(from: number, to: number): boolean;
}

/**
 * Follows the WHATWG rules: lines end in LF, CR or CRLF, a byte order mark is skipped at the start only, one space after the colon is not
 * part of the value. Use: `push`, then `next` until it is false; the positions refer to what `push` (or `finish`) gave. What is left over is
 * kept (a copy, for the chunk may be reused) and never searched twice.
 */
export class EventScanner {
  /** The event's lines with the blank line that ends them, and stray blank lines before them: blocks follow each other without gaps. */
  start = 0;
  end = 0;
  /** 0: comments or other fields only. */
  dataLines = 0;
  /** The value of the first data line. */
  dataStart = 0;
  dataEnd = 0;

  #bytes: Uint8Array = nothing;
  /** What is left over, at the start of a buffer with room to grow. */
  #held: Uint8Array = nothing;
  #heldLength = 0;

  /** Start of the event under way and of its line under way. */
  #eventStart = 0;
  #lineStart = 0;
  /** No line ends between `#lineStart` and here. */
  #searchFrom = 0;
  #nextLf = -1;
  #nextCr = -1;
  #hasLines = false;
  #lines = 0;
  #firstStart = 0;
  #firstEnd = 0;
  /** The line before this one ended in a CR alone. */
  #afterLoneCr = false;
  #atStreamStart = true;
  #final = false;

  /** The event under way has grown beyond what one event may be. */
  get overflowed(): boolean {
    return this.#heldLength > maxEventBytes;
  }

  /** Takes the next bytes; gives the bytes that the positions of the following events refer to. */
  push(chunk: Uint8Array): Uint8Array {
    if (this.#heldLength === 0) this.#bytes = chunk;
    else {
      this.#append(chunk);
      this.#bytes = this.#held.subarray(0, this.#heldLength);
    }
    this.#nextLf = -1;
    this.#nextCr = -1;
    return this.#bytes;
  }

  /** Nothing follows: a CR at the end needs to wait for no LF. Then `next` as after `push`, then perhaps `takeTail`. */
  finish(): Uint8Array {
    this.#final = true;
    return this.push(nothing);
  }

  /** Moves to the next whole event. False: there is none yet, and what is left over has been put aside. */
  next(): boolean {
    const bytes = this.#bytes;
    if (this.#atStreamStart && !this.#passStreamStart(bytes)) return this.#keepRest();
    for (;;) {
      const lineEnd = this.#lineEnd(bytes);
      if (lineEnd === bytes.length) {
        this.#searchFrom = lineEnd;
        return this.#keepRest();
      }
      let nextLine = lineEnd + 1;
      let loneCr = false;
      if (bytes[lineEnd] === cr) {
        if (bytes[nextLine] === lf) nextLine++;
        else if (nextLine < bytes.length || this.#final) loneCr = true;
        else if (lineEnd === this.#lineStart && this.#hasLines && this.#afterLoneCr) {
          // A stream of CRs alone: waiting for an LF would hold every event back until the next one. Should one come, it reads as a
          // stray blank line.
          loneCr = true;
        } else {
          this.#searchFrom = lineEnd;
          return this.#keepRest();
        }
      }
      let isBlank = lineEnd === this.#lineStart;
      if (!isBlank) {
        this.#takeLine(bytes, lineEnd);
        // Nearly every event is one line: its blank line is not searched for.
        if (bytes[nextLine] === lf) {
          isBlank = true;
          nextLine++;
        }
      }
      this.#afterLoneCr = loneCr;
      this.#moveTo(nextLine);
      if (isBlank && this.#hasLines) {
        this.#publish(nextLine);
        return true;
      }
    }
  }

  /**
   * After `finish` and the last `next`: the unfinished event as if its last line and the event were ended. False when no data line is in it.
   * Gives its positions like `next`, in the bytes returned by `tail`.
   */
  takeTail(): boolean {
    const bytes = this.tail;
    if (this.#lineStart < bytes.length) this.#takeLine(bytes, bytes.length);
    this.#bytes = bytes;
    this.#publish(bytes.length);
    return this.dataLines > 0;
  }

  /** Where the next event begins, when nothing of it has been looked at; else -1. */
  get ahead(): number {
    return this.#searchFrom === this.#eventStart && !this.#hasLines ? this.#eventStart : -1;
  }

  /**
   * Passes over the events that come next as long as each is what nearly all of a stream are: it begins with `head`, which ends in the brace of its data, that
   * ends on the same line, a blank line follows, every line ends in an LF, and `judge` finds nothing in it. Gives their number; `start` and `end` are then those
   * of all of them together.
   */
  passPlain(head: Uint8Array, judge: PlainJudge): number {
    const start = this.ahead;
    if (start < 0) return 0;
    let passed = start;
    let events = 0;
    for (;;) {
      const end = this.#plainEnd(passed, head);
      if (end < 0 || !judge.isPlain(passed + head.length - 1, end)) break;
      passed = end + 2;
      events++;
    }
    if (events === 0) return 0;
    this.skipTo(passed);
    this.start = start;
    this.end = passed;
    return events;
  }

  /** Where its data ends. */
  #plainEnd(start: number, head: Uint8Array): number {
    const bytes = this.#bytes;
    for (let index = head.length - 1; index >= 0; index--) if (bytes[start + index] !== head[index]) return -1;
    const from = start + head.length;
    if (this.#nextCr < from) this.#nextCr = find(bytes, cr, from);
    // `next` may still have to find the line ends within the head.
    const end = find(bytes, lf, from);
    return bytes[end - 1] === closeBrace && bytes[end + 1] === lf && end < this.#nextCr ? end : -1;
  }

  /** Passes over whole events that somebody else has read, from `ahead` to `end`. The last one ends in an LF. */
  skipTo(end: number): void {
    this.#eventStart = end;
    this.#afterLoneCr = false;
    this.#moveTo(end);
  }

  /** What waits for the rest of its event. */
  get tail(): Uint8Array {
    return this.#held.subarray(0, this.#heldLength);
  }

  /** The event's data, its lines joined by LF; a copy only when there are several. */
  data(): Uint8Array {
    if (this.dataLines === 1) return this.#bytes.subarray(this.dataStart, this.dataEnd);
    return joinDataLines(this.#bytes, this.dataStart, this.dataEnd, this.end);
  }

  #publish(end: number): void {
    this.start = this.#eventStart;
    this.end = end;
    this.dataLines = this.#lines;
    this.dataStart = this.#firstStart;
    this.dataEnd = this.#firstEnd;
    this.#eventStart = end;
    this.#hasLines = false;
    this.#lines = 0;
  }

  #moveTo(position: number): void {
    this.#lineStart = position;
    this.#searchFrom = position;
  }

  #lineEnd(bytes: Uint8Array): number {
    const from = this.#searchFrom;
    if (this.#nextLf < from) this.#nextLf = bytes[from] === lf ? from : find(bytes, lf, from);
    if (this.#nextCr < from) this.#nextCr = find(bytes, cr, from);
    return this.#nextLf < this.#nextCr ? this.#nextLf : this.#nextCr;
  }

  #takeLine(bytes: Uint8Array, lineEnd: number): void {
    this.#hasLines = true;
    const valueStart = dataValueStart(bytes, this.#lineStart, lineEnd);
    if (valueStart < 0) return;
    if (this.#lines === 0) {
      this.#firstStart = valueStart;
      this.#firstEnd = lineEnd;
    }
    this.#lines++;
  }

  /** False: what is there may still become a byte order mark. */
  #passStreamStart(bytes: Uint8Array): boolean {
    const isMark = startsLikeMark(bytes);
    if (isMark && bytes.length < byteOrderMarkLength && !this.#final) return false;
    this.#atStreamStart = false;
    if (isMark && bytes.length >= byteOrderMarkLength) this.#moveTo(byteOrderMarkLength);
    return true;
  }

  #keepRest(): false {
    const bytes = this.#bytes;
    const from = this.#eventStart;
    if (from === bytes.length) this.#hold(nothing);
    // A held buffer may have been handed out up to here, so the rest gets one of its own.
    else if (this.#heldLength === 0 || from > 0) this.#hold(bytes.slice(from));
    this.#bytes = nothing;
    this.#eventStart = 0;
    this.#lineStart -= from;
    this.#searchFrom -= from;
    this.#firstStart -= from;
    this.#firstEnd -= from;
    this.#nextLf = -1;
    this.#nextCr = -1;
    return false;
  }

  #hold(bytes: Uint8Array): void {
    this.#held = bytes;
    this.#heldLength = bytes.length;
  }

  /** Doubles the room when it is used up, so that an event in many pieces is copied a fixed number of times. */
  #append(chunk: Uint8Array): void {
    const needed = this.#heldLength + chunk.length;
    if (needed > this.#held.length) {
      const roomier = new Uint8Array(Math.max(needed, 2 * this.#heldLength));
      roomier.set(this.tail);
      this.#held = roomier;
    }
    this.#held.set(chunk, this.#heldLength);
    this.#heldLength = needed;
  }
}
