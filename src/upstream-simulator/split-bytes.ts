// Bytes in pieces, for writes that fall where no writer would put them.

/** One piece for every byte. */
export function eachByte(bytes: Uint8Array): Uint8Array[] {
  return Array.from(bytes, (_, index) => bytes.subarray(index, index + 1));
}

/** Pieces of 1 to 40 bytes; the same for the same seed. */
export function randomPieces(bytes: Uint8Array, seed: number): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  let state = seed >>> 0;
  for (let start = 0; start < bytes.length;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    const end = start + 1 + ((state >>> 16) % 40);
    pieces.push(bytes.subarray(start, end));
    start = end;
  }
  return pieces;
}
