import { expect, test } from "bun:test";
import { plainUsage } from "../../test/support/request-record.ts";
import { addCost, addUsage } from "./add-usage.ts";
import type { Cost } from "./usage.ts";

const cost: Cost = { inputUsd: 0.1, outputUsd: 0.2, totalUsd: 0.3, source: "model_pricing", caveat: null };

test("two answers used what each of them used, and what makes one uncertain makes the sum uncertain", () => {
  const estimated = { ...plainUsage, caveat: "estimated" };
  expect(addUsage(estimated, plainUsage)).toMatchObject({
    inputTokens: 2 * plainUsage.inputTokens,
    outputTokens: 2 * plainUsage.outputTokens,
    totalTokens: 2 * plainUsage.totalTokens,
    caveat: "estimated",
  });
  expect(addUsage(estimated, { ...plainUsage, caveat: "estimated" })?.caveat).toBe("estimated");
  expect(addUsage(estimated, { ...plainUsage, caveat: "rounded" })?.caveat).toBe("estimated; rounded");
});

test("an answer that told nothing adds nothing", () => {
  expect(addUsage(undefined, plainUsage)).toBe(plainUsage);
  expect(addUsage(plainUsage, undefined)).toBe(plainUsage);
  expect(addUsage(undefined, undefined)).toBeUndefined();
});

test("a sum of costs is known when both are", () => {
  expect(addCost(cost, cost)).toEqual({ ...cost, inputUsd: 0.2, outputUsd: 0.4, totalUsd: 0.6 });
  const unknown: Cost = { inputUsd: null, outputUsd: null, totalUsd: null, source: null, caveat: "no price" };
  expect(addCost(cost, unknown)).toEqual({ ...unknown, source: "model_pricing" });
});
