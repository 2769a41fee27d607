// Usage of several answers as one, in the spellings that providers have for it.

import { describe, expect, test } from "bun:test";
import { addUsage } from "./usage-sum.ts";
import { brokenFacts, usageOfAll } from "./part-usage.ts";
import type { BrokenPart } from "./part-usage.ts";
import { plainUsage, readUsage } from "../answers/usage.ts";

function usage(raw: object): NonNullable<ReturnType<typeof readUsage>> {
  const read = readUsage(raw, plainUsage);
  if (read === undefined) throw new Error("no usage");
  return read;
}

const openai = {
  prompt_tokens: 100,
  completion_tokens: 20,
  total_tokens: 120,
  prompt_tokens_details: { cached_tokens: 64, audio_tokens: 1 },
  completion_tokens_details: { reasoning_tokens: 5, audio_tokens: 2, accepted_prediction_tokens: 3 },
};

describe("the sum", () => {
  test("has every count of both, and what is no count from the last", () => {
    expect(addUsage({ ...openai, is_byok: false, tier: "a", note: null }, [usage(openai)], false)).toEqual({
      prompt_tokens: 200,
      completion_tokens: 40,
      total_tokens: 240,
      prompt_tokens_details: { cached_tokens: 128, audio_tokens: 2 },
      completion_tokens_details: { reasoning_tokens: 10, audio_tokens: 4, accepted_prediction_tokens: 6 },
      is_byok: false,
      tier: "a",
      note: null,
    });
  });

  test("speaks the last one's language, whatever the others speak", () => {
    const deepseek = {
      prompt_tokens: 10,
      completion_tokens: 4,
      total_tokens: 14,
      prompt_cache_hit_tokens: 6,
      prompt_cache_miss_tokens: 4,
    };
    expect(addUsage(deepseek, [usage(openai)], false)).toEqual({
      prompt_tokens: 110,
      completion_tokens: 24,
      total_tokens: 134,
      prompt_cache_hit_tokens: 70,
      prompt_cache_miss_tokens: 40,
      completion_tokens_details: { reasoning_tokens: 5 },
    });
    expect(addUsage({ input_tokens: 1, output_tokens: 2 }, [usage(deepseek), usage(deepseek)], false)).toEqual({
      input_tokens: 21,
      output_tokens: 10,
      input_tokens_details: { cached_tokens: 12 },
    });
    expect(addUsage(openai, [usage(deepseek)], false)).toMatchObject({
      prompt_tokens_details: { cached_tokens: 70, audio_tokens: 1 },
      completion_tokens_details: { reasoning_tokens: 5 },
    });
  });

  test("has a cost only when every part has one: half a cost is none", () => {
    const priced = { prompt_tokens: 1, completion_tokens: 1, cost: 0.5, cost_details: { upstream: 0.25 } };
    expect(addUsage(priced, [usage(priced)], false)).toMatchObject({ cost: 1, cost_details: { upstream: 0.5 } });
    const sum = addUsage(priced, [usage(openai)], false);
    expect(sum).toEqual({
      prompt_tokens: 101,
      completion_tokens: 21,
      cost_details: {},
      prompt_tokens_details: { cached_tokens: 64 },
      completion_tokens_details: { reasoning_tokens: 5 },
    });
  });

  test("counts that only the last one knows stay", () => {
    expect(addUsage({ prompt_tokens: 1, image_tokens: 7, num_search_count: 2 }, [usage(openai)], false)).toMatchObject({
      prompt_tokens: 101,
      image_tokens: 7,
      num_search_count: 2,
    });
  });

  test("says that it is an estimate when it is one", () => {
    expect(addUsage({ prompt_tokens: 1 }, [], true)).toEqual({ prompt_tokens: 1, estimated: true });
  });
});

function part(textPieces: number, prefillPieces = 0, raw?: object): BrokenPart {
  return {
    facts: { usage: raw === undefined ? undefined : usage(raw), emptyReason: undefined },
    textPieces,
    prefillPieces,
  };
}

const caveat = "estimated: the stream broke before the provider told what it used";

describe("an answer that did not tell", () => {
  const last = { prompt_tokens: 50, completion_tokens: 9, total_tokens: 59 };

  test("used the prompt of the one that started anew, and a token for each piece of its text", () => {
    const [facts] = brokenFacts([part(12)], usage(last), 0);
    expect(facts?.usage).toMatchObject({ inputTokens: 50, outputTokens: 12, totalTokens: 62, caveat });
    expect(usageOfAll(last, [part(12)], 0)).toEqual({
      prompt_tokens: 100,
      completion_tokens: 21,
      total_tokens: 121,
      estimated: true,
    });
  });

  test("used a prompt without the text that the other was asked to go on from", () => {
    expect(brokenFacts([part(12)], usage(last), 12)[0]?.usage).toMatchObject({ inputTokens: 38, outputTokens: 12 });
    expect(brokenFacts([part(99)], usage(last), 99)[0]?.usage).toMatchObject({ inputTokens: 0, outputTokens: 99 });
    expect(usageOfAll(last, [part(12)], 12)).toMatchObject({ prompt_tokens: 88, completion_tokens: 21 });
  });

  test("and was itself asked to go on, used that text as well", () => {
    const facts = brokenFacts([part(12), part(5, 12)], usage(last), 17);
    expect(facts.map((each) => each.usage?.inputTokens)).toEqual([33, 45]);
    expect(usageOfAll(last, [part(12), part(5, 12)], 17)).toMatchObject({ prompt_tokens: 128, completion_tokens: 26 });
  });

  test("is taken to have had nothing from a cache: its cost is not understated", () => {
    expect(brokenFacts([part(12)], usage(openai), 0)[0]?.usage).toMatchObject({
      inputTokens: 100,
      cachedInputTokens: 0,
    });
    expect(usageOfAll(openai, [part(12)], 0)).toMatchObject({
      prompt_tokens: 200,
      prompt_tokens_details: { cached_tokens: 64 },
    });
  });

  test("can be judged by another that broke, when the last one did not tell either", () => {
    const facts = brokenFacts([part(12), part(3, 12, { prompt_tokens: 30, completion_tokens: 4 })], undefined, 0);
    expect(facts[0]?.usage).toMatchObject({ inputTokens: 18, outputTokens: 12, caveat });
    expect(facts[1]?.usage).toMatchObject({ inputTokens: 30, outputTokens: 4 });
    expect(facts[1]?.usage?.caveat).toBeUndefined();
  });

  test("stays unknown when nobody told, or only zeros", () => {
    expect(brokenFacts([part(12)], undefined, 0)[0]?.usage).toBeUndefined();
    const zeros = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
    expect(brokenFacts([part(12)], usage(zeros), 0)[0]?.usage).toBeUndefined();
    expect(usageOfAll(zeros, [part(12)], 0)).toBe(zeros);
    expect(usageOfAll({ queue_time: 1 }, [part(12)], 0)).toEqual({ queue_time: 1 });
  });

  test("and one that did: the sum of both is exact, and not marked", () => {
    expect(usageOfAll(last, [part(12, 0, { prompt_tokens: 40, completion_tokens: 6 })], 0)).toEqual({
      prompt_tokens: 90,
      completion_tokens: 15,
      total_tokens: 105,
    });
  });
});

describe("an answer that told its prompt first and counts what it writes as it goes on", () => {
  const anthropic = {
    ...usage({ input_tokens: 3, output_tokens: 1 }),
    cachedInputTokens: 100,
    cacheWriteTokens: 7,
    totalTokens: 111,
    cacheIsExtra: true,
  };
  const broken: BrokenPart = {
    facts: { usage: anthropic, emptyReason: undefined },
    textPieces: 9,
    prefillPieces: 0,
  };

  test("wrote at least what came of it", () => {
    expect(brokenFacts([broken], usage(openai), 0)[0]?.usage).toMatchObject({
      inputTokens: 3,
      cachedInputTokens: 100,
      cacheWriteTokens: 7,
      outputTokens: 9,
      totalTokens: 119,
      cacheIsExtra: true,
      caveat,
    });
  });

  test("adds what was cached to the prompt of a dialect that counts it there", () => {
    expect(usageOfAll({ prompt_tokens: 50, completion_tokens: 4, total_tokens: 54 }, [broken], 0)).toEqual({
      prompt_tokens: 160,
      completion_tokens: 13,
      total_tokens: 173,
      prompt_tokens_details: { cached_tokens: 100 },
      estimated: true,
    });
  });

  test("lets the prompt of another be judged by all of its own", () => {
    const facts = brokenFacts([part(2)], anthropic, 0);
    expect(facts[0]?.usage).toMatchObject({ inputTokens: 110, outputTokens: 2 });
  });
});
