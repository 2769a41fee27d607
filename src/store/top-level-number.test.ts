// Numbers are found where JSON.parse would find them, and nowhere else.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { topLevelNumber } from "./top-level-number.ts";

const cases: readonly [json: string, value: number | undefined][] = [
  ['{"temperature":0.7}', 0.7],
  ['{ "temperature" : -1e2 , "model":"m"}', -100],
  ['{"messages":[{"temperature":9}],"temperature":1}', 1],
  ['{"messages":[{"temperature":9}]}', undefined],
  ['{"text":"\\"temperature\\":5"}', undefined],
  ['{"text":"ends in a backslash \\\\","temperature":2}', 2],
  ['{"temperature":"hot"}', undefined],
  ['{"temperature":null}', undefined],
  ['{"temperature":1,"temperature":2}', 2],
  ['{"a":"temperature","temperature":0}', 0],
  ['{"text":"cut in the midd', undefined],
  ["", undefined],
];

test.each(cases)("%s gives %p", (json, value) => {
  expect(topLevelNumber(json, "temperature")).toBe(value);
});

test("it agrees with JSON.parse on any object", () => {
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.oneof(fc.constant("temperature"), fc.string()),
        fc.oneof(fc.jsonValue(), fc.double({ noNaN: true, noDefaultInfinity: true })),
      ),
      (object) => {
        const json = JSON.stringify(object);
        const parsed: Record<string, unknown> = JSON.parse(json);
        const expected = Object.hasOwn(parsed, "temperature") ? parsed["temperature"] : undefined;
        expect(topLevelNumber(json, "temperature")).toBe(typeof expected === "number" ? expected : undefined);
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});
