import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { WeightedRotation } from "./weighted-rotation.ts";

function turns(weights: readonly number[], count: number): number[] {
  const rotation = new WeightedRotation(weights);
  return Array.from({ length: count }, () => rotation.next());
}

const weightLists = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 6 });
const total = (weights: readonly number[]) => weights.reduce((sum, weight) => sum + weight, 0);

describe("WeightedRotation", () => {
  const table: readonly (readonly [weights: readonly number[], expected: string])[] = [
    [[1], "000"],
    [[1, 1], "0101"],
    [[5, 1, 1], "0010200"],
    [[3, 1], "0010"],
    [[1, 3], "1011"],
    [[2, 2, 1], "01201"],
    [[0.5, 0.25], "010"],
  ];
  for (const [weights, expected] of table) {
    test(`weights ${weights.join(":")} come up as ${expected}`, () => {
      expect(turns(weights, expected.length).join("")).toBe(expected);
    });
  }

  test("each index comes up exactly as often as its weight in every period", () => {
    fc.assert(
      fc.property(weightLists, fc.integer({ min: 0, max: 3 }), (weights, skippedPeriods) => {
        const period = total(weights);
        const seen = turns(weights, period * (skippedPeriods + 1)).slice(period * skippedPeriods);
        expect(weights.map((_, index) => seen.filter((turn) => turn === index).length)).toEqual([...weights]);
      }),
    );
  });

  test("no index ever runs ahead of or behind its share by a whole round of the others", () => {
    fc.assert(
      fc.property(weightLists, (weights) => {
        const period = total(weights);
        const counts = weights.map(() => 0);
        turns(weights, period).forEach((turn, position) => {
          counts[turn]!++;
          weights.forEach((weight, index) => {
            const share = ((position + 1) * weight) / period;
            expect(Math.abs(counts[index]! - share)).toBeLessThan(weights.length);
          });
        });
      }),
    );
  });

  test("an index that has no majority never comes up twice in a row between equals", () => {
    fc.assert(
      fc.property(fc.integer({ min: 2, max: 8 }), fc.integer({ min: 1, max: 9 }), (size, weight) => {
        const seen = turns(Array<number>(size).fill(weight), size * 3);
        expect(seen).toEqual(seen.map((_, position) => position % size));
      }),
    );
  });
});
