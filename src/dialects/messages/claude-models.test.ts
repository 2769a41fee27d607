// Which models take what, by their ids as providers and clouds write them.

import { expect, test } from "bun:test";
import { traitsOf } from "./claude-models.ts";

const thinksAdaptively: readonly (readonly [model: string, adaptive: boolean])[] = [
  ["claude-fable-5", true],
  ["claude-opus-4-8", true],
  ["claude-opus-4-7-20260416", true],
  ["claude-opus-4-6", true],
  ["claude-sonnet-4-6-20260217", true],
  ["anthropic/claude-opus-4.6", true],
  ["claude-opus-5-5", true],
  ["claude-sonnet-4-5-20250929", false],
  ["us.anthropic.claude-opus-4-5-20251101-v1:0", false],
  ["claude-opus-4-20250514", false],
  ["claude-opus-4-60", false],
  ["claude-3-7-sonnet-20250219", false],
  ["kimi-k2", false],
];

for (const [model, adaptive] of thinksAdaptively) {
  test(`${model} thinks adaptively: ${adaptive}`, () => {
    expect(traitsOf(model).thinksAdaptively).toBe(adaptive);
  });
}

test("the third generation cannot think, but for 3.7", () => {
  const models = ["claude-3-5-sonnet-20241022", "claude-3-haiku-20240307", "claude-2.1", "claude-3-7-sonnet-20250219"];
  expect(models.map((model) => traitsOf(model).neverThinks)).toEqual([true, true, true, false]);
});

test("messages of the system stay where they are from 4.8 on", () => {
  const models = ["claude-opus-4-7", "claude-opus-4-8", "claude-sonnet-5", "claude-haiku-4-5", "gpt-5"];
  expect(models.map((model) => traitsOf(model).takesSystemMessages)).toEqual([false, true, true, false, false]);
});

test("sampling is refused from 4.7 on, and two kinds of it at once from 4.1 on", () => {
  const models = ["claude-opus-4-20250514", "claude-opus-4-1-20250805", "claude-sonnet-4-6", "claude-opus-4-7"];
  const traits = models.map((model) => traitsOf(model));
  expect(traits.map((trait) => trait.refusesSampling)).toEqual([false, false, false, true]);
  expect(traits.map((trait) => trait.refusesTwoSamplings)).toEqual([false, true, true, true]);
});

test("some always think", () => {
  const models = ["claude-fable-5-1", "claude-opus-5-5", "claude-opus-5", "claude-haiku-5-5"];
  expect(models.map((model) => traitsOf(model).alwaysThinks)).toEqual([true, true, false, false]);
});
