// Randomness that a seed brings back, so that a failure found by chance can be looked at again.

/** Whole numbers from 0 up to `limit`, exclusive. */
export type Draw = (limit: number) => number;

/** The same seed gives the same numbers (xorshift32). */
export function drawFrom(seed: number): Draw {
  // Zero stays zero for ever, and small seeds begin alike.
  let state = Math.imul(seed + 1, 0x9e3779b1) | 1;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}
