// What the `event` fields of an event say, read in its bytes.

import { Buffer } from "node:buffer";

const field = [0x65, 0x76, 0x65, 0x6e, 0x74, 0x3a];
const error = [0x65, 0x72, 0x72, 0x6f, 0x72];
/** Longest prefix of an event that is its data: `data: `. */
const dataFieldLength = 6;

const { latin1Slice } = Buffer.prototype;

/** Looks at the fields before the data, of which nearly no event of chat completions has any. */
export function isNamedError(bytes: Uint8Array, start: number, dataStart: number): boolean {
  if (dataStart - start <= dataFieldLength) return false;
  for (let at = nextName(bytes, firstLine(bytes, start), dataStart); at >= 0; at = nextName(bytes, at, dataStart)) {
    if (isAt(bytes, at, error) && isLineEnd(bytes[at + error.length])) return true;
  }
  return false;
}

/** The last name beside the data of an event, behind it or before it, a character for each byte; undefined when there is none. */
export function eventName(
  bytes: Uint8Array,
  start: number,
  dataStart: number,
  dataEnd: number,
  end: number,
): string | undefined {
  return lastName(bytes, dataEnd, end) ?? lastName(bytes, firstLine(bytes, start), dataStart);
}

function lastName(bytes: Uint8Array, start: number, end: number): string | undefined {
  let last = -1;
  for (let at = nextName(bytes, start, end); at >= 0; at = nextName(bytes, at, end)) last = at;
  if (last < 0) return undefined;
  let nameEnd = last;
  while (nameEnd < end && !isLineEnd(bytes[nameEnd])) nameEnd++;
  return latin1Slice.call(bytes, last, nameEnd);
}

/** Where the value of the next `event` field begins; -1 when no line that begins between `start` and `end` has one. */
function nextName(bytes: Uint8Array, start: number, end: number): number {
  for (let at = start; at + field.length <= end; at++) {
    if (!isAt(bytes, at, field) || (at > start && !isLineEnd(bytes[at - 1]))) continue;
    const value = at + field.length;
    return value < end && bytes[value] === 0x20 ? value + 1 : value;
  }
  return -1;
}

/** Behind a byte order mark. */
function firstLine(bytes: Uint8Array, start: number): number {
  return bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf ? start + 3 : start;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function isAt(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}
