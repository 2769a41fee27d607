import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import type { Price } from "../core/usage.ts";
import { bundledPrice, type PriceLookUp } from "./bundled-prices.ts";
import { createPrices } from "./prices.ts";

function model(id: string, price?: Price) {
  return { id, price, contextWindow: undefined, supportsPrefill: undefined };
}

function prices(lookUp: PriceLookUp, clock = new FakeClock(), models: readonly ReturnType<typeof model>[] = []) {
  return createPrices({ providers: [{ name: "eu", type: "openai", models }], lookUp, clock });
}

const list: PriceLookUp = (_type, id) => ({
  price: id.startsWith("listed")
    ? { inputPerMtok: 2, outputPerMtok: 8, tiers: [{ fromInputTokens: 101, inputPerMtok: 4, outputPerMtok: 16 }] }
    : undefined,
  changesWithTime: id === "listed-timed",
});

describe("bundled prices", () => {
  const noon = Date.UTC(2026, 5, 1, 12);
  const night = Date.UTC(2026, 5, 1, 20);
  const table: readonly (readonly [type: string, model: string, at: number, price: Price | undefined])[] = [
    ["openai", "gpt-4o", noon, { inputPerMtok: 2.5, outputPerMtok: 10, cachedInputPerMtok: 1.25 }],
    ["azure", "gpt-4o", noon, { inputPerMtok: 2.5, outputPerMtok: 10, cachedInputPerMtok: 1.25 }],
    ["groq", "llama-3.3-70b-versatile", noon, { inputPerMtok: 0.59, outputPerMtok: 0.79 }],
    ["deepseek", "deepseek-chat", noon, { inputPerMtok: 0.27, outputPerMtok: 1.1, cachedInputPerMtok: 0.07 }],
    ["deepseek", "deepseek-chat", night, { inputPerMtok: 0.135, outputPerMtok: 0.55, cachedInputPerMtok: 0.035 }],
    ["openrouter", "agentica-org/deepcoder-14b-preview:free", noon, { inputPerMtok: 0, outputPerMtok: 0 }],
    ["openai", "whisper-1", noon, undefined],
    ["openai", "no-such-model", noon, undefined],
    ["ollama", "gpt-4o", noon, undefined],
    ["kimicode", "kimi-for-coding", noon, { inputPerMtok: 0, outputPerMtok: 0 }],
    ["vllm", "gpt-4o", noon, undefined],
    [
      "anthropic",
      "claude-sonnet-4-5",
      noon,
      {
        inputPerMtok: 3,
        outputPerMtok: 15,
        cachedInputPerMtok: 0.3,
        cacheWritePerMtok: 3.75,
        tiers: [
          {
            fromInputTokens: 200_001,
            inputPerMtok: 6,
            outputPerMtok: 22.5,
            cachedInputPerMtok: 0.6,
            cacheWritePerMtok: 7.5,
          },
        ],
      },
    ],
  ];
  for (const [type, id, at, price] of table) {
    test(`${type} ${id} at ${new Date(at).getUTCHours()} h is ${JSON.stringify(price) ?? "unknown"}`, () => {
      expect(bundledPrice(type, id, at).price).toEqual(price);
    });
  }

  test("xai has prices under its own name in the list", () => {
    expect(bundledPrice("xai", "grok-3", noon).price?.inputPerMtok).toBeGreaterThan(0);
  });

  test("a price by the time of day is marked, a constant one is not", () => {
    expect(bundledPrice("deepseek", "deepseek-chat", noon).changesWithTime).toBe(true);
    expect(bundledPrice("openai", "gpt-4o", noon).changesWithTime).toBe(false);
  });
});

describe("createPrices", () => {
  test("looks a model up by the provider's type, not by its name", () => {
    const asked: string[] = [];
    const subject = prices((type, id) => {
      asked.push(`${type} ${id}`);
      return { price: undefined, changesWithTime: false };
    });
    subject.priceOf({ providerName: "eu", model: "gpt-4o" });
    expect(asked).toEqual(["openai gpt-4o"]);
  });

  test("remembers a constant price for good and a timed one for a minute", () => {
    const clock = new FakeClock();
    const asked: string[] = [];
    const subject = prices((type, id, at) => {
      asked.push(id);
      return list(type, id, at);
    }, clock);
    for (const waitMs of [0, 59_999, 1]) {
      clock.tick(waitMs);
      subject.priceOf({ providerName: "eu", model: "listed" });
      subject.priceOf({ providerName: "eu", model: "listed-timed" });
    }
    expect(asked).toEqual(["listed", "listed-timed", "listed-timed"]);
  });

  test("an override replaces single rates, at every size of request", () => {
    const subject = prices(list, undefined, [model("listed", { inputPerMtok: 1, outputPerMtok: undefined })]);
    expect(subject.priceOf({ providerName: "eu", model: "listed" })).toEqual({
      inputPerMtok: 1,
      outputPerMtok: 8,
      tiers: [{ fromInputTokens: 101, inputPerMtok: 1, outputPerMtok: 16 }],
    });
  });

  test("an override's tiers replace the listed ones, and an override alone is a price", () => {
    const subject = prices(list, undefined, [
      model("listed", { tiers: [{ fromInputTokens: 10, inputPerMtok: 9 }] }),
      model("own", { inputPerMtok: 0, outputPerMtok: 0 }),
    ]);
    expect(subject.priceOf({ providerName: "eu", model: "listed" })?.tiers).toEqual([
      { fromInputTokens: 10, inputPerMtok: 9 },
    ]);
    expect(subject.priceOf({ providerName: "eu", model: "own" })).toEqual({ inputPerMtok: 0, outputPerMtok: 0 });
  });

  test("a provider that is not registered has no prices", () => {
    expect(prices(list).priceOf({ providerName: "us", model: "listed" })).toBeUndefined();
  });

  test("remembers at most 10000 names, for callers make names up", () => {
    let lookUps = 0;
    const subject = prices(() => {
      lookUps++;
      return { price: undefined, changesWithTime: false };
    });
    for (let index = 0; index < 10_001; index++) subject.priceOf({ providerName: "eu", model: `m${index}` });
    subject.priceOf({ providerName: "eu", model: "m0" });
    expect(lookUps).toBe(10_002);
  });

  test("prices an answer of a priced target and leaves one of an unpriced target null", () => {
    const usage = {
      inputTokens: 100,
      outputTokens: 10,
      totalTokens: 110,
      cachedInputTokens: 0,
      cacheWriteTokens: 0,
      reasoningTokens: 0,
      audioInputTokens: 0,
      audioOutputTokens: 0,
      cacheIsExtra: false,
      reasoningIsExtra: false,
      unmappedFields: [],
      raw: {},
    };
    expect(prices(list).costOf(usage, { providerName: "eu", model: "listed" }).totalUsd).toBe(0.00028);
    expect(prices(list).costOf(usage, { providerName: "eu", model: "other" }).totalUsd).toBeNull();
  });
});
