// Lines of server-sent events: where they end, and what of them is data.

const lf = 0x0a;
const cr = 0x0d;
const space = 0x20;
const colon = 0x3a;
const byteOrderMark = [0xef, 0xbb, 0xbf];
export const byteOrderMarkLength = byteOrderMark.length;

/** The index of the next such byte; the length when there is none. */
export function find(bytes: Uint8Array, byte: number, from: number): number {
  if (from >= bytes.length) return bytes.length;
  const at = bytes.indexOf(byte, from);
  return at < 0 ? bytes.length : at;
}

/** Where the value of a line that is a `data` field starts; -1 for any other line. */
export function dataValueStart(bytes: Uint8Array, start: number, end: number): number {
  if (bytes[start] !== 0x64 || bytes[start + 1] !== 0x61 || bytes[start + 2] !== 0x74 || bytes[start + 3] !== 0x61) {
    return -1;
  }
  const at = start + 4;
  if (at === end) return end;
  if (at > end || bytes[at] !== colon) return -1;
  return at + 1 < end && bytes[at + 1] === space ? at + 2 : at + 1;
}

/** Whether the bytes are a byte order mark as far as they go. */
export function startsLikeMark(bytes: Uint8Array): boolean {
  for (let index = 0; index < byteOrderMark.length && index < bytes.length; index++) {
    if (bytes[index] !== byteOrderMark[index]) return false;
  }
  return true;
}

/** From the first data line's value on; an LF after a CR reads as an empty line here, which has no data. */
export function joinDataLines(bytes: Uint8Array, firstStart: number, firstEnd: number, end: number): Uint8Array {
  const joined = new Uint8Array(end - firstStart);
  joined.set(bytes.subarray(firstStart, firstEnd));
  let length = firstEnd - firstStart;
  let nextLf = -1;
  let nextCr = -1;
  for (let lineStart = firstEnd + 1; lineStart < end;) {
    if (nextLf < lineStart) nextLf = find(bytes, lf, lineStart);
    if (nextCr < lineStart) nextCr = find(bytes, cr, lineStart);
    const lineEnd = Math.min(nextLf, nextCr, end);
    const valueStart = dataValueStart(bytes, lineStart, lineEnd);
    if (valueStart >= 0) {
      joined[length++] = lf;
      joined.set(bytes.subarray(valueStart, lineEnd), length);
      length += lineEnd - valueStart;
    }
    lineStart = lineEnd + 1;
  }
  return joined.subarray(0, length);
}
