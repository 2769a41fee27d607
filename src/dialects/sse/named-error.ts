// Whether an event is one of the type `error`, told by its bytes.

const field = [0x65, 0x76, 0x65, 0x6e, 0x74, 0x3a];
const word = [0x65, 0x72, 0x72, 0x6f, 0x72];
/** Longest prefix of an event that is its data: `data: `. */
const dataFieldLength = 6;

/** Looks at the fields before the data, of which nearly no event has any. */
export function isNamedError(bytes: Uint8Array, start: number, dataStart: number): boolean {
  if (dataStart - start <= dataFieldLength) return false;
  const hasMark = bytes[start] === 0xef && bytes[start + 1] === 0xbb && bytes[start + 2] === 0xbf;
  let isLineStart = true;
  for (let at = hasMark ? start + 3 : start; at < dataStart; at++) {
    if (isLineStart && isAt(bytes, at, field)) {
      const value = at + field.length;
      const from = bytes[value] === 0x20 ? value + 1 : value;
      if (isAt(bytes, from, word) && isLineEnd(bytes[from + word.length])) return true;
    }
    isLineStart = isLineEnd(bytes[at]);
  }
  return false;
}

function isLineEnd(byte: number | undefined): boolean {
  return byte === 0x0a || byte === 0x0d;
}

function isAt(bytes: Uint8Array, at: number, wanted: readonly number[]): boolean {
  for (let index = 0; index < wanted.length; index++) if (bytes[at + index] !== wanted[index]) return false;
  return true;
}
