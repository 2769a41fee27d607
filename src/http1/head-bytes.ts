// Reads heads of HTTP/1 messages in place: which bytes names and values may hold, and names compared without decoding them.

const tab = 9;
const space = 32;
const deletion = 127;

/** 1 for each byte that the name of a header and a method may hold (RFC 9110, 5.6.2). */
export const inName = Uint8Array.from({ length: 256 }, (_, code) =>
  /[!#$%&'*+.^_`|~0-9A-Za-z-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/** Index of the first byte that no value may hold. */
export function skipText(bytes: Uint8Array, start: number): number {
  const length = bytes.length;
  let at = start;
  for (; at < length; at++) {
    const byte = bytes[at] ?? 0;
    if (byte < space ? byte !== tab : byte === deletion) return at;
  }
  return at;
}

/** The white space that may stand around a value. */
export function isBlank(byte: number | undefined): boolean {
  return byte === space || byte === tab;
}

/** Whether `name` stands at `start`, in any case; the lengths are known to be equal. */
export function isName(bytes: Uint8Array, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    // No two legal name characters collide here: names that differ in more than case differ in these bits too.
    if (((bytes[start + index] ?? 0) | 0x20) !== (name.charCodeAt(index) | 0x20)) return false;
  }
  return true;
}

/** Bytes of a head as a string, one character for each. */
export function headText(bytes: Uint8Array, start: number, end: number): string {
  // Half the price of a TextDecoder, which needs a view of its own for each piece.
  return Buffer.prototype.toString.call(bytes, "latin1", start, end);
}
