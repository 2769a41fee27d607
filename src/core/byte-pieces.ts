// Puts pieces of bytes together, and takes one out.

/**
 * Up to so many bytes a copy lies in the heap and costs half of a view. A larger one has memory of its own, which costs two to ten times what a view of bytes
 * from a socket does, and makes collections come.
 */
const cheaplyCopied = 1000;

/** The bytes from `start` to `end`, the source itself when these are all. A view or a copy, whatever is cheaper: not to be written to. */
export function partOf(bytes: Uint8Array, start: number, end: number): Uint8Array {
  if (start === 0 && end === bytes.length) return bytes;
  return end - start <= cheaplyCopied ? bytes.slice(start, end) : bytes.subarray(start, end);
}

/** The piece itself when there is only one. */
export function joinBytes(pieces: readonly Uint8Array[]): Uint8Array {
  const [only] = pieces;
  if (only !== undefined && pieces.length === 1) return only;
  let length = 0;
  for (const piece of pieces) length += piece.length;
  const joined = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    joined.set(piece, at);
    at += piece.length;
  }
  return joined;
}
