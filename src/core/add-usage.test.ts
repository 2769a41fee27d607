import { expect, test } from "bun:test";
import { plainUsage } from "../../test/support/request-record.ts";
import { addCost, addUsage } from "./add-usage.ts";
import type { Cost, Usage } from "./usage.ts";

const cost: Cost = { inputUsd: 0.1, outputUsd: 0.2, totalUsd: 0.3, source: "model_pricing", caveat: null };

const first: Usage = {
  inputTokens: 100,
  outputTokens: 200,
  totalTokens: 300,
  cachedInputTokens: 40,
  cacheWriteTokens: 50,
  reasoningTokens: 60,
  audioInputTokens: 70,
  audioOutputTokens: 80,
  cacheIsExtra: false,
  reasoningIsExtra: false,
  unmappedFields: ["image_tokens", "video_tokens"],
  raw: { of: "first" },
};
const second: Usage = {
  inputTokens: 1,
  outputTokens: 2,
  totalTokens: 3,
  cachedInputTokens: 4,
  cacheWriteTokens: 5,
  reasoningTokens: 6,
  audioInputTokens: 7,
  audioOutputTokens: 8,
  cacheIsExtra: false,
  reasoningIsExtra: false,
  unmappedFields: ["video_tokens", "tool_tokens"],
  raw: { of: "second" },
};

test("each count is added to its like, fields without a rate are named once, and the raw object is the later one's", () => {
  expect(addUsage(first, second)).toStrictEqual({
    inputTokens: 101,
    outputTokens: 202,
    totalTokens: 303,
    cachedInputTokens: 44,
    cacheWriteTokens: 55,
    reasoningTokens: 66,
    audioInputTokens: 77,
    audioOutputTokens: 88,
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: ["image_tokens", "video_tokens", "tool_tokens"],
    raw: { of: "second" },
  });
});

test("tokens beside their base in one of two answers are beside it in the sum", () => {
  const extra = { cacheIsExtra: true, reasoningIsExtra: true };
  expect(addUsage({ ...first, ...extra }, second)).toMatchObject(extra);
  expect(addUsage(first, { ...second, ...extra })).toMatchObject(extra);
});

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
  expect(addCost(unknown, cost)).toEqual({ ...unknown, source: "model_pricing" });
});

test("of two sources of a cost the earlier answer's is told", () => {
  const reported: Cost = { ...cost, source: "xai_cost_in_usd_ticks" };
  expect(addCost(cost, reported).source).toBe("model_pricing");
  expect(addCost(reported, cost).source).toBe("xai_cost_in_usd_ticks");
  expect(addCost(reported, reported).source).toBe("xai_cost_in_usd_ticks");
});
