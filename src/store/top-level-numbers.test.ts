// Numbers are found where JSON.parse would find them, and nowhere else.

import { expect, test } from "bun:test";
import fc from "fast-check";
import { topLevelNumbers } from "./top-level-numbers.ts";

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
  expect(topLevelNumbers(json, ["n", "temperature"])).toEqual([undefined, value]);
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
        expect(topLevelNumbers(json, ["temperature"])[0]).toBe(typeof expected === "number" ? expected : undefined);
      },
    ),
    { numRuns: 500, seed: 7 },
  );
});

test("several are found in one pass, in the order of the names", () => {
  const json = '{"max_tokens":5,"x":{"n":1},"temperature":0.5,"n":2}';
  expect(topLevelNumbers(json, ["temperature", "n", "max_completion_tokens", "max_tokens"])).toEqual([
    0.5,
    2,
    undefined,
    5,
  ]);
});
