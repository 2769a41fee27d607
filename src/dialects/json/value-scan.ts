// Walks over JSON values in bytes, checking every byte and building nothing.

import { createLongStrings, type LongStrings } from "./long-strings.ts";

/** Why some bytes are not a usable JSON object. */
export interface JsonProblem {
  /** `not-object`: it may be JSON, but its outermost value is no object. `too-deep`: nested beyond the limit. */
  readonly kind: "syntax" | "not-object" | "too-deep";
  /** For people; without the position. */
  readonly message: string;
  /** The first byte that does not fit. */
  readonly offset: number;
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
/** 1 for `"`, `\`, `/`, `b`, `f`, `n`, `r`, `t`: what may follow a backslash alone. */
const isShortEscape = new Uint8Array(256);
for (const byte of [quote, backslash, 0x2f, 0x62, 0x66, 0x6e, 0x72, 0x74]) isShortEscape[byte] = 1;
/** 1 for bytes that are no plain part of a string: its end, an escape, a control character. A byte behind the end reads as one. */
const endsRun = new Uint8Array(256);
for (let byte = 0; byte < 0x20; byte++) endsRun[byte] = 1;
for (const byte of [quote, backslash]) endsRun[byte] = 1;

/** A string of more bytes than these is left to `LongStrings`. */
const longString = 32;

let scans = 0;
/** Made for the first long string; null: there is none on this machine. */
let shared: LongStrings | null | undefined;

/** Methods that move take a position and give the next one, or -1 after they have set `problem`. */
export class ValueScan {
  problem: JsonProblem | undefined;
  readonly #bytes: Uint8Array;
  readonly #maxDepth: number;
  readonly #scan = ++scans;
  #longStrings: LongStrings | null | undefined;
  /** 1 = object, 0 = array, for each open level below the top. */
  #kinds: Uint8Array | undefined;

  /** `longStrings`: null for byte by byte; default: as this machine can. */
  constructor(bytes: Uint8Array, maxDepth: number, longStrings: LongStrings | null | undefined = shared) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
    this.#longStrings = longStrings;
  }

  /** One value of any kind, starting exactly at `start`. */
  value(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    let depth = 1;
    for (;;) {
      const byte = bytes[at];
      let opened = false;
      if (byte === quote) at = this.#string(at);
      else if (byte === openBrace || byte === openBracket) {
        if (depth === this.#maxDepth) return this.#tooDeep(at);
        const kinds = (this.#kinds ??= new Uint8Array(this.#maxDepth + 1));
        const isObject = byte === openBrace;
        kinds[depth++] = isObject ? 1 : 0;
        at = this.space(at + 1);
        if (bytes[at] === (isObject ? closeBrace : closeBracket)) {
          depth--;
          at++;
        } else {
          opened = true;
          if (isObject) at = this.#nameAndColon(at);
        }
      } else if (byte === 0x74) at = this.#literal(at, "true");
      else if (byte === 0x66) at = this.#literal(at, "false");
      else if (byte === 0x6e) at = this.#literal(at, "null");
      else at = this.#number(at);
      if (at < 0) return -1;
      if (opened) continue;

      // A value has ended: close levels until another value has to follow.
      for (;;) {
        if (depth === 1) return at;
        at = this.space(at);
        const isObject = this.#kinds?.[depth - 1] === 1;
        const next = bytes[at];
        if (next === comma) {
          at = this.space(at + 1);
          if (isObject) at = this.#nameAndColon(at);
          if (at < 0) return -1;
          break;
        }
        if (next !== (isObject ? closeBrace : closeBracket)) return this.#unexpected(at);
        depth--;
        at++;
      }
    }
  }

  #nameAndColon(start: number): number {
    const end = this.name(start);
    return end < 0 ? -1 : this.afterColon(end);
  }

  /** A member's name, quotes included. */
  name(start: number): number {
    return this.#bytes[start] === quote ? this.#string(start) : this.#unexpected(start);
  }

  /** The start of the value behind a name. */
  afterColon(start: number): number {
    const at = this.space(start);
    return this.#bytes[at] === colon ? this.space(at + 1) : this.#unexpected(at);
  }

  space(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    for (;;) {
      const byte = bytes[at];
      if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) return at;
      at++;
    }
  }

  #string(start: number): number {
    const bytes = this.#bytes;
    const longFrom = start + longString;
    let at = start + 1;
    for (;;) {
      while (at < longFrom && endsRun[bytes[at] ?? 0] === 0) at++;
      if (at >= longFrom) {
        const end = this.#longString(at);
        if (end >= 0) return end;
        at = ~end;
      }
      const byte = bytes[at];
      if (byte === quote) return at + 1;
      if (byte !== backslash) return this.#badByte(at);
      if (isShortEscape[bytes[at + 1] ?? 0] === 1) at += 2;
      else {
        at = this.#escape(at);
        if (at < 0) return -1;
      }
    }
  }

  /** As `LongStrings.skip`. */
  #longString(start: number): number {
    const bytes = this.#bytes;
    if (this.#longStrings === undefined) this.#longStrings = shared ??= createLongStrings() ?? null;
    if (this.#longStrings !== null) return this.#longStrings.skip(this.#scan, bytes, start);
    let at = start;
    while (endsRun[bytes[at] ?? 0] === 0) at++;
    return ~at;
  }

  #badByte(at: number): -1 {
    return at >= this.#bytes.length ? this.#unexpected(at) : this.#fail("control character in a string", at);
  }

  #escape(start: number): number {
    const bytes = this.#bytes;
    const byte = bytes[start + 1];
    if (byte === 0x75) {
      for (let at = start + 2; at < start + 6; at++) if (!isHexDigit(bytes[at])) return this.#badEscape(at);
      return start + 6;
    }
    return this.#badEscape(start + 1);
  }

  #badEscape(at: number): number {
    return at >= this.#bytes.length ? this.#unexpected(at) : this.#fail("invalid escape in a string", at);
  }

  #literal(start: number, word: string): number {
    for (let index = 1; index < word.length; index++) {
      if (this.#bytes[start + index] !== word.charCodeAt(index)) return this.#unexpected(start + index);
    }
    return start + word.length;
  }

  #number(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    if (bytes[at] === 0x2d) at++;
    if (bytes[at] === 0x30) at++;
    else at = this.#digits(at);
    if (at >= 0 && bytes[at] === 0x2e) at = this.#digits(at + 1);
    if (at >= 0 && (bytes[at] === 0x65 || bytes[at] === 0x45)) {
      at++;
      if (bytes[at] === 0x2b || bytes[at] === 0x2d) at++;
      at = this.#digits(at);
    }
    return at;
  }

  /** At least one digit. */
  #digits(start: number): number {
    const bytes = this.#bytes;
    let at = start;
    while (isDigit(bytes[at])) at++;
    return at === start ? this.#unexpected(at) : at;
  }

  #tooDeep(at: number): -1 {
    return this.#fail(`nested deeper than ${this.#maxDepth} levels`, at, "too-deep");
  }

  /** The problem of a byte, or the end, that no value may have at this place. */
  unexpectedAt(at: number): JsonProblem | undefined {
    this.#unexpected(at);
    return this.problem;
  }

  #unexpected(at: number): -1 {
    const byte = this.#bytes[at];
    if (byte === undefined) return this.#fail(at === 0 ? "empty" : "unexpected end", this.#bytes.length);
    return this.#fail(byte > 0x20 && byte < 0x7f ? `unexpected ${String.fromCharCode(byte)}` : "unexpected byte", at);
  }

  #fail(message: string, offset: number, kind: JsonProblem["kind"] = "syntax"): -1 {
    this.problem = { kind, message, offset };
    return -1;
  }
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
