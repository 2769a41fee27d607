// Checks JSON bytes in one pass and says where the members of the top-level object lie, without building values.

import { isUtf8 } from "node:buffer";
import type { JsonMember } from "../../core/model-request.ts";

/** Why some bytes are not a usable JSON object. */
export interface JsonProblem {
  /** `not-object`: it may be JSON, but its outermost value is no object. `too-deep`: nested beyond the limit. */
  readonly kind: "syntax" | "not-object" | "too-deep";
  /** For people; without the position. */
  readonly message: string;
  /** The first byte that does not fit. */
  readonly offset: number;
}

/** Levels of nesting taken from callers and providers alike (decisions 11). */
export const maxJsonDepth = 256;

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;

/** Bytes read one by one before a string counts as long; a DataView pays only after that. */
const shortString = 24;

const decoder = new TextDecoder();

/**
 * The top-level members of `bytes` in order, duplicates included, or the first problem. Everything is checked: RFC 8259 grammar, UTF-8
 * and nesting up to `maxDepth` levels (the object itself is the first). Escapes of lone surrogates are allowed, as in `JSON.parse`; a byte
 * order mark is not, because the bytes are handed on as they are and not every provider skips it. No recursion, no values.
 */
export function scanObject(bytes: Uint8Array, maxDepth: number): readonly JsonMember[] | JsonProblem {
  if (!isUtf8(bytes)) return { kind: "syntax", message: "invalid UTF-8", offset: firstInvalidUtf8(bytes) };
  const scan = new Scan(bytes, maxDepth);
  const members: JsonMember[] = [];
  return scan.members(members) ? members : (scan.problem ?? { kind: "syntax", message: "not JSON", offset: 0 });
}

/** A valid but different sequence comes back wherever a replacement character was put in. */
function firstInvalidUtf8(bytes: Uint8Array): number {
  const repaired = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  let offset = 0;
  while (offset < bytes.length && bytes[offset] === repaired[offset]) offset++;
  return offset;
}

/** Methods that move take a position and give the next one, or -1 after they have set `problem`. */
class Scan {
  problem: JsonProblem | undefined;
  readonly #bytes: Uint8Array;
  readonly #maxDepth: number;
  #view: DataView | undefined;
  /** 1 = object, 0 = array, for each open level below the top. */
  #kinds: Uint8Array | undefined;

  constructor(bytes: Uint8Array, maxDepth: number) {
    this.#bytes = bytes;
    this.#maxDepth = maxDepth;
  }

  members(found: JsonMember[]): boolean {
    const bytes = this.#bytes;
    let at = this.#space(0);
    if (bytes[at] !== openBrace) {
      if (bytes[0] === 0xef && bytes[1] === 0xbb) this.#fail("unexpected byte order mark", 0);
      else if (at >= bytes.length) this.#unexpected(at);
      else this.#fail("the outermost value is not an object", at, "not-object");
      return false;
    }
    if (this.#maxDepth < 1) {
      this.#tooDeep(at);
      return false;
    }
    at = this.#space(at + 1);
    if (bytes[at] === closeBrace) return this.#atEnd(at + 1);
    for (;;) {
      const keyStart = at;
      if (bytes[at] !== quote) {
        this.#unexpected(at);
        return false;
      }
      const keyEnd = this.#string(at);
      if (keyEnd < 0) return false;
      const valueStart = this.#afterColon(keyEnd);
      if (valueStart < 0) return false;
      const valueEnd = this.#value(valueStart);
      if (valueEnd < 0) return false;
      found.push({ key: this.#key(keyStart, keyEnd), keyStart, keyEnd, valueStart, valueEnd });
      at = this.#space(valueEnd);
      const byte = bytes[at];
      if (byte === closeBrace) return this.#atEnd(at + 1);
      if (byte !== comma) {
        this.#unexpected(at);
        return false;
      }
      at = this.#space(at + 1);
    }
  }

  #atEnd(start: number): boolean {
    const at = this.#space(start);
    if (at === this.#bytes.length) return true;
    this.#unexpected(at);
    return false;
  }

  /** One value of any kind, starting exactly at `start`. */
  #value(start: number): number {
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
        at = this.#space(at + 1);
        if (bytes[at] === (isObject ? closeBrace : closeBracket)) {
          depth--;
          at++;
        } else {
          opened = true;
          if (isObject) at = this.#name(at);
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
        at = this.#space(at);
        const isObject = this.#kinds?.[depth - 1] === 1;
        const next = bytes[at];
        if (next === comma) {
          at = this.#space(at + 1);
          if (isObject) at = this.#name(at);
          if (at < 0) return -1;
          break;
        }
        if (next !== (isObject ? closeBrace : closeBracket)) return this.#unexpected(at);
        depth--;
        at++;
      }
    }
  }

  /** A member's name and its colon; gives the start of the value. */
  #name(start: number): number {
    if (this.#bytes[start] !== quote) return this.#unexpected(start);
    const end = this.#string(start);
    return end < 0 ? -1 : this.#afterColon(end);
  }

  #afterColon(start: number): number {
    const at = this.#space(start);
    return this.#bytes[at] === colon ? this.#space(at + 1) : this.#unexpected(at);
  }

  #space(start: number): number {
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
    const longFrom = start + shortString;
    let at = start + 1;
    for (;;) {
      let byte = bytes[at] ?? 0;
      while (byte !== quote && byte !== backslash && byte >= 0x20 && at < longFrom) byte = bytes[++at] ?? 0;
      if (byte === quote) return at + 1;
      if (at >= longFrom) return this.#longString(at);
      if (byte !== backslash) return this.#badByte(at);
      at = this.#escape(at);
      if (at < 0) return -1;
    }
  }

  /** The rest of a string, four bytes at a time: measured three times as fast as one by one. */
  #longString(start: number): number {
    const bytes = this.#bytes;
    const view = (this.#view ??= new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength));
    const last = bytes.length - 4;
    let at = start;
    for (;;) {
      while (at <= last) {
        const word = view.getInt32(at, true);
        const quotes = word ^ 0x22222222;
        const slashes = word ^ 0x5c5c5c5c;
        // Not zero when one of the four bytes is below 0x20, a quote or a backslash.
        const marks =
          ((word - 0x20202020) & ~word) | ((quotes - 0x01010101) & ~quotes) | ((slashes - 0x01010101) & ~slashes);
        if ((marks & 0x80808080) !== 0) break;
        at += 4;
      }
      let byte = bytes[at] ?? 0;
      while (byte !== quote && byte !== backslash && byte >= 0x20) byte = bytes[++at] ?? 0;
      if (byte === quote) return at + 1;
      if (byte !== backslash) return this.#badByte(at);
      at = this.#escape(at);
      if (at < 0) return -1;
    }
  }

  #badByte(at: number): -1 {
    return at >= this.#bytes.length ? this.#unexpected(at) : this.#fail("control character in a string", at);
  }

  #escape(start: number): number {
    const bytes = this.#bytes;
    const byte = bytes[start + 1];
    switch (byte) {
      case quote:
      case backslash:
      case 0x2f:
      case 0x62:
      case 0x66:
      case 0x6e:
      case 0x72:
      case 0x74:
        return start + 2;
      case 0x75:
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

  #key(start: number, end: number): string {
    const bytes = this.#bytes;
    const length = end - start - 2;
    let key = "";
    if (length <= 32) {
      for (let at = start + 1; at < end - 1; at++) {
        const byte = bytes[at] ?? 0;
        if (byte >= 0x80 || byte === backslash) return decodeName(bytes.subarray(start, end));
        key += String.fromCharCode(byte);
      }
      return key;
    }
    return decodeName(bytes.subarray(start, end));
  }

  #tooDeep(at: number): -1 {
    return this.#fail(`nested deeper than ${this.#maxDepth} levels`, at, "too-deep");
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

function decodeName(quoted: Uint8Array): string {
  const name: unknown = JSON.parse(decoder.decode(quoted));
  return typeof name === "string" ? name : "";
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number | undefined): boolean {
  if (byte === undefined) return false;
  return isDigit(byte) || (byte >= 0x41 && byte <= 0x46) || (byte >= 0x61 && byte <= 0x66);
}
