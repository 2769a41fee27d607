// What must hold whatever happens to the database: callers notice nothing, and not one row is unaccounted for.

import { expect } from "bun:test";
import type { StorageCase } from "./storage-cases.ts";
import type { TroubleFigures } from "./storage-trouble.ts";

/** Milliseconds that any request may take on a busy machine without being called slow. */
const everydayMs = 50;

export function judgeStorage(storageCase: StorageCase, episodes: number, seen: TroubleFigures): void {
  const { latencyWell, latencyInTrouble } = seen;
  console.log(
    `${storageCase.name}, ${episodes}x: ${seen.answered} answered, ${seen.stored} stored, ${seen.dropped} dropped; ` +
      `latency ms well ${words(latencyWell)}, in trouble ${words(latencyInTrouble)}`,
  );
  expect(seen.failed).toEqual([]);
  expect(seen.integrity).toBe('[{"integrity_check":"ok"}]');
  expect(seen.storedTwice).toBe(0);
  expect(seen.dropped).toBe(seen.answered - seen.stored);
  expect(seen.dropped).toBeGreaterThan(0);
  expect(seen.missingAfterwards).toBe(0);
  expect(seen.lines.map(({ level }) => level)).toEqual(Array(episodes).fill(["error", "info"]).flat());
  seen.lines.forEach(({ text }, index) => {
    expect(text).toMatch(index % 2 === 0 ? storageCase.explained : /^the request log is written again$/);
  });
  const told = seen.lines.reduce((sum, { dropped }) => sum + (typeof dropped === "number" ? dropped : 0), 0);
  expect(told).toBe(seen.dropped);
  expect(latencyInTrouble.median).toBeLessThan(10 * Math.max(latencyWell.median, everydayMs));
  expect(latencyInTrouble.p99).toBeLessThan(10 * Math.max(latencyWell.p99, everydayMs));
}

function words({ median, p99 }: { readonly median: number; readonly p99: number }): string {
  return `median ${median.toFixed(1)} p99 ${p99.toFixed(1)}`;
}
