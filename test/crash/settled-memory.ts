// Whether memory after equal waves of work has settled: a heap goes up and down by when it was last collected, a leak only goes up.

import { expect } from "bun:test";

/** What may differ beyond the swing of the first half. */
const noise = 1.25;
/** Fewer say nothing about a trend. */
const leastWaves = 4;

/**
 * The least of the later half against the most of the first half, so that one reading just before or just after a collection
 * decides nothing. With fewer than four waves nothing is judged.
 */
export function expectSettledMemory(megabytes: readonly number[]): void {
  if (megabytes.length < leastWaves) return;
  const half = Math.floor(megabytes.length / 2);
  expect(Math.min(...megabytes.slice(half))).toBeLessThan(Math.max(...megabytes.slice(0, half)) * noise);
}
