// Usage in the spellings of several providers, and counts that are none.

import { describe, expect, test } from "bun:test";
import { isAllZero, plainUsage, readUsage } from "./usage.ts";

const xai = { reasoningIsExtra: true, reportedCost: "xai_cost_in_usd_ticks" } as const;
const openrouter = { reasoningIsExtra: false, reportedCost: "openrouter_credits" } as const;

describe("spellings", () => {
  test("OpenAI", () => {
    const raw = {
      prompt_tokens: 100,
      completion_tokens: 50,
      total_tokens: 150,
      prompt_tokens_details: { cached_tokens: 40, audio_tokens: 7 },
      completion_tokens_details: {
        reasoning_tokens: 30,
        audio_tokens: 4,
        accepted_prediction_tokens: 2,
        rejected_prediction_tokens: 1,
      },
    };
    expect(readUsage(raw, plainUsage)).toEqual({
      inputTokens: 100,
      outputTokens: 50,
      totalTokens: 150,
      cachedInputTokens: 40,
      cacheWriteTokens: 0,
      reasoningTokens: 30,
      audioInputTokens: 7,
      audioOutputTokens: 4,
      cacheIsExtra: false,
      reasoningIsExtra: false,
      unmappedFields: [],
      raw,
    });
  });

  test.each([
    [
      "DeepSeek",
      { prompt_tokens: 14, completion_tokens: 2, prompt_cache_hit_tokens: 8, prompt_cache_miss_tokens: 6 },
      { cachedInputTokens: 8, totalTokens: 16 },
    ],
    [
      "flat fields",
      { prompt_tokens: 9, completion_tokens: 9, cached_tokens: 3, reasoning_tokens: 4 },
      { cachedInputTokens: 3, reasoningTokens: 4 },
    ],
    [
      "prefixed fields",
      {
        prompt_tokens: 9,
        completion_tokens: 9,
        prompt_cached_tokens: 2,
        completion_reasoning_tokens: 5,
        prompt_audio_tokens: 1,
        completion_audio_tokens: 3,
      },
      { cachedInputTokens: 2, reasoningTokens: 5, audioInputTokens: 1, audioOutputTokens: 3 },
    ],
    [
      "input and output",
      { input_tokens: 3, output_tokens: 4, input_tokens_details: { cached_tokens: 1 } },
      { inputTokens: 3, outputTokens: 4, totalTokens: 7, cachedInputTokens: 1 },
    ],
    ["embeddings", { prompt_tokens: 8, total_tokens: 8 }, { inputTokens: 8, outputTokens: 0, totalTokens: 8 }],
    [
      "cache writes",
      { prompt_tokens: 9, completion_tokens: 1, prompt_tokens_details: { cache_write_tokens: 6 } },
      { cacheWriteTokens: 6 },
    ],
    [
      "Groq's times",
      { queue_time: 0.1, prompt_tokens: 1, completion_tokens: 2, total_time: 0.2 },
      { unmappedFields: [] },
    ],
    [
      "details that are null",
      { prompt_tokens: 1, completion_tokens: 2, prompt_tokens_details: null },
      { cachedInputTokens: 0 },
    ],
    [
      "unknown counts",
      {
        prompt_tokens: 1,
        image_tokens: 3,
        search_count: 2,
        zero_tokens: 0,
        completion_tokens_details: { video_tokens: 4 },
      },
      { unmappedFields: ["image_tokens", "search_count", "completion_video_tokens"] },
    ],
  ])("%s", (_name, raw, expected) => {
    expect(readUsage(raw, plainUsage)).toMatchObject(expected);
  });

  test("xAI counts reasoning beside the output and says what it cost", () => {
    const raw = {
      prompt_tokens: 32,
      completion_tokens: 9,
      completion_tokens_details: { reasoning_tokens: 228 },
      num_sources_used: 0,
      cost_in_usd_ticks: 37_756_000,
    };
    expect(readUsage(raw, xai)).toMatchObject({
      outputTokens: 9,
      reasoningTokens: 228,
      reasoningIsExtra: true,
      totalTokens: 269,
      reportedCost: { usd: 0.0037756, source: "xai_cost_in_usd_ticks" },
    });
  });

  test("OpenRouter's cost is in credits of one USD; elsewhere a field of that name means nothing", () => {
    const raw = { prompt_tokens: 1, completion_tokens: 1, cost: 0.0000731 };
    expect(readUsage(raw, openrouter)?.reportedCost).toEqual({ usd: 0.0000731, source: "openrouter_credits" });
    expect(readUsage({ ...raw, cost: 0 }, openrouter)?.reportedCost).toEqual({ usd: 0, source: "openrouter_credits" });
    expect(readUsage({ ...raw, cost: -1 }, openrouter)?.reportedCost).toBeUndefined();
    expect(readUsage(raw, plainUsage)?.reportedCost).toBeUndefined();
  });
});

describe("what is no count", () => {
  test.each([[-1], [1.5], [Number.NaN], [Number.POSITIVE_INFINITY], ["5"], [null], [1e15], [{}]])(
    "%p is absent",
    (value) => {
      expect(readUsage({ prompt_tokens: value }, plainUsage)).toBeUndefined();
      expect(readUsage({ prompt_tokens: value, completion_tokens: 3 }, plainUsage)).toMatchObject({
        inputTokens: 0,
        totalTokens: 3,
      });
    },
  );

  test.each([[undefined], [null], [5], ["x"], [[]], [{}], [{ cached_tokens: 3 }]])("%j is no usage", (raw) => {
    expect(readUsage(raw, plainUsage)).toBeUndefined();
  });

  test("a sub-count is never more than what it is part of", () => {
    const raw = { prompt_tokens: 5, completion_tokens: 6, cached_tokens: 50, reasoning_tokens: 60 };
    expect(readUsage(raw, plainUsage)).toMatchObject({ cachedInputTokens: 5, reasoningTokens: 6 });
  });

  test("nothing but zeros is told apart", () => {
    const zero = readUsage({ prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, plainUsage);
    const one = readUsage({ prompt_tokens: 0, completion_tokens: 1 }, plainUsage);
    expect(zero !== undefined && isAllZero(zero)).toBe(true);
    expect(one !== undefined && isAllZero(one)).toBe(false);
  });
});

describe("costs of other places", () => {
  const counts = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };
  const edenai = { reasoningIsExtra: false, reportedCost: "edenai_cost" } as const;
  const perplexity = { reasoningIsExtra: false, reportedCost: "perplexity_cost" } as const;

  test("Eden AI's is beside the usage", () => {
    expect(readUsage(counts, edenai, 0.25)?.reportedCost).toEqual({ usd: 0.25, source: "edenai_cost" });
    expect(readUsage({ ...counts, cost: 0.5 }, edenai)?.reportedCost).toBeUndefined();
  });

  test("Perplexity's is an object in the usage", () => {
    const raw = { ...counts, cost: { input_tokens_cost: 0.1, request_cost: 0.005, total_cost: 0.125 } };
    expect(readUsage(raw, perplexity)?.reportedCost).toEqual({ usd: 0.125, source: "perplexity_cost" });
    expect(readUsage({ ...counts, cost: 0.5 }, perplexity)?.reportedCost).toBeUndefined();
  });

  test.each([["0.25"], [-1], [Number.POSITIVE_INFINITY], [null]])("%p is no cost", (cost) => {
    expect(readUsage(counts, edenai, cost)?.reportedCost).toBeUndefined();
    expect(readUsage({ ...counts, cost: { total_cost: cost } }, perplexity)?.reportedCost).toBeUndefined();
  });
});
