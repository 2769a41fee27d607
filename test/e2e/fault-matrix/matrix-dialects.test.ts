// The fault matrix in all dialects, short: callers of each, providers of each, and for every pair of them a part of the ways to end, under both profiles.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cells } from "./cell.ts";
import { runCells, type MatrixResult } from "./run-cells.ts";
import { isChatAlone, oneOfEachKind, spread } from "./sample.ts";
import { crossPairs, type Pair, samePairs } from "./speakers.ts";
import type { Context } from "./surroundings.ts";

const contexts: readonly Context[] = [
  "alone",
  "second target healthy",
  "all targets faulty",
  "alone in another dialect",
  "second target in a third dialect",
];

/** Chat completions alone have tests of their own. */
const pairs = [...samePairs.slice(1), ...crossPairs];
const isOf =
  ({ asks, speaks }: Pair) =>
  (cell: Pair) =>
    cell.asks === asks && cell.speaks === speaks;

describe("every cell ends as the rule table says", () => {
  // A byte a millisecond takes longer than all the rest.
  const complete = (["classic", "strong"] as const).flatMap((resilience, index) =>
    cells({ resilience, contexts, callers: ["stays"], firstNumber: 40_000 + 20_000 * index }),
  );
  const foreign = complete.filter((cell) => !isChatAlone(cell) && cell.fault.name !== "trickle");
  const all = spread(oneOfEachKind(foreign), 17);
  let result: MatrixResult;
  beforeAll(async () => {
    result = await runCells(all);
  }, 120_000);
  afterAll(() => {
    console.log(`${result.cells} cells in dialects, ${result.wrong.size} wrong, ${Math.round(result.ms / 1000)} s`);
  });

  test.each(pairs.map((pair) => ({ ...pair, pair })))("$asks from a provider of $speaks", ({ pair }) => {
    const names = new Set(all.filter(isOf(pair)).map(({ name }) => name));
    expect(names.size).toBeGreaterThan(25);
    expect([...result.wrong].filter(([name]) => names.has(name))).toEqual([]);
  });

  test.each(contexts)("%s", (context) => {
    expect(all.some((cell) => cell.context === context)).toBe(true);
  });

  test("no connection is left, nothing is thrown past a request, and no bug is logged", () => {
    expect(result.trouble).toEqual([]);
  });
});
