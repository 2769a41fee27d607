import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { Price, Usage } from "../core/usage.ts";
import { costOf } from "./cost.ts";

function usage(part: Partial<Usage>): Usage {
  return {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: [],
    raw: {},
    ...part,
  };
}

const simple: Price = { inputPerMtok: 2.5, outputPerMtok: 10 };
const sonnet: Price = { inputPerMtok: 3, outputPerMtok: 15, cachedInputPerMtok: 0.3, cacheWritePerMtok: 3.75 };
const tiered: Price = {
  ...sonnet,
  tiers: [
    { fromInputTokens: 200_001, inputPerMtok: 6, outputPerMtok: 22.5, cacheWritePerMtok: 7.5 },
    { fromInputTokens: 500_001, inputPerMtok: 12 },
  ],
};

const cases: readonly (readonly [name: string, Partial<Usage>, Price | undefined, input: number, output: number])[] = [
  ["1000 in, 100 out at 2.50 and 10", { inputTokens: 1000, outputTokens: 100 }, simple, 0.0025, 0.001],
  ["free model", { inputTokens: 1000, outputTokens: 100 }, { inputPerMtok: 0, outputPerMtok: 0 }, 0, 0],
  ["embeddings need no output rate", { inputTokens: 500_000 }, { inputPerMtok: 0.02 }, 0.01, 0],
  [
    "cached tokens within the input at the difference",
    { inputTokens: 10_000, cachedInputTokens: 8000 },
    { ...simple, cachedInputPerMtok: 1.25 },
    0.015,
    0,
  ],
  [
    "cached tokens within the input without a rate of their own",
    { inputTokens: 10_000, cachedInputTokens: 8000 },
    simple,
    0.025,
    0,
  ],
  [
    "cache creation beside the input (field report: 0.0544)",
    { inputTokens: 3, cacheWriteTokens: 12_304, outputTokens: 550, cacheIsExtra: true },
    sonnet,
    0.046149,
    0.00825,
  ],
  [
    "cache reads beside the input",
    { inputTokens: 100, cachedInputTokens: 20_000, outputTokens: 10, cacheIsExtra: true },
    sonnet,
    0.0063,
    0.00015,
  ],
  [
    "reasoning within the output, own rate",
    { outputTokens: 1000, reasoningTokens: 600 },
    { ...simple, reasoningOutputPerMtok: 20 },
    0,
    0.016,
  ],
  [
    "reasoning beside the output",
    { outputTokens: 1000, reasoningTokens: 600, reasoningIsExtra: true },
    simple,
    0,
    0.016,
  ],
  ["reasoning within the output, no rate", { outputTokens: 1000, reasoningTokens: 600 }, simple, 0, 0.01],
  [
    "audio on both sides",
    { inputTokens: 1000, audioInputTokens: 400, outputTokens: 500, audioOutputTokens: 300 },
    { ...simple, audioInputPerMtok: 40, audioOutputPerMtok: 80 },
    0.0175,
    0.026,
  ],
  [
    "fee per request on the output side",
    { inputTokens: 1000, outputTokens: 100 },
    { ...simple, perRequest: 0.005 },
    0.0025,
    0.006,
  ],
  ["fee per request alone", { inputTokens: 1000, outputTokens: 100 }, { perRequest: 0.005 }, 0, 0.005],
  ["last token below the tier", { inputTokens: 200_000, outputTokens: 1000 }, tiered, 0.6, 0.015],
  ["first token of the tier prices all", { inputTokens: 200_001, outputTokens: 1000 }, tiered, 1.200006, 0.0225],
  ["a tier keeps the rates it does not name", { inputTokens: 600_000, outputTokens: 1000 }, tiered, 7.2, 0.015],
  [
    "a tier counts cached tokens beside the input",
    { inputTokens: 1, cacheWriteTokens: 200_000, cacheIsExtra: true },
    tiered,
    1.500006,
    0,
  ],
  ["negative and NaN counts are nothing", { inputTokens: -5, outputTokens: Number.NaN }, simple, 0, 0],
];

describe("costOf", () => {
  for (const [name, part, price, input, output] of cases) {
    test(`${name} costs ${input} + ${output}`, () => {
      const cost = costOf(usage(part), price);
      expect(cost.inputUsd).toBeCloseTo(input, 12);
      expect(cost.outputUsd).toBeCloseTo(output, 12);
      expect(cost.totalUsd).toBeCloseTo(input + output, 12);
      expect(cost.source).toBe("model_pricing");
      expect(cost.caveat).toBeNull();
    });
  }

  test("is null in every part when the price is unknown", () => {
    expect(costOf(usage({ inputTokens: 10, outputTokens: 5 }), undefined)).toEqual({
      inputUsd: null,
      outputUsd: null,
      totalUsd: null,
      source: null,
      caveat: null,
    });
  });

  test("has no total when one side's rate is unknown, and keeps the known side", () => {
    const cost = costOf(usage({ inputTokens: 1000, outputTokens: 5 }), { inputPerMtok: 1 });
    expect(cost).toMatchObject({ inputUsd: 0.001, outputUsd: null, totalUsd: null, source: "model_pricing" });
  });

  test("takes the provider's own figure over the rates", () => {
    const reportedCost = { usd: 0.0123, source: "openrouter_credits" } as const;
    expect(costOf(usage({ inputTokens: 1000, reportedCost }), simple)).toEqual({
      inputUsd: null,
      outputUsd: null,
      totalUsd: 0.0123,
      source: "openrouter_credits",
      caveat: null,
    });
  });

  test("does not take a reported 0 for free when rates are known", () => {
    const reportedCost = { usd: 0, source: "openrouter_credits" } as const;
    const cost = costOf(usage({ inputTokens: 1000, reportedCost }), simple);
    expect(cost).toMatchObject({
      totalUsd: 0.0025,
      source: "model_pricing",
      caveat: "the provider reported a cost of 0",
    });
    expect(costOf(usage({ inputTokens: 1000, reportedCost }), undefined).totalUsd).toBe(0);
  });

  for (const usd of [-1, Number.NaN, Number.POSITIVE_INFINITY]) {
    test(`ignores a reported cost of ${usd}`, () => {
      const reportedCost = { usd, source: "xai_cost_in_usd_ticks" } as const;
      expect(costOf(usage({ inputTokens: 1000, reportedCost }), simple).totalUsd).toBe(0.0025);
    });
  }

  test("names every token field it could not price", () => {
    const cost = costOf(usage({ inputTokens: 1000, unmappedFields: ["video_tokens", "search_count"] }), simple);
    expect(cost.caveat).toBe("unmapped token field: video_tokens; unmapped token field: search_count");
  });

  test("says so when details exceed their base, and charges the details only", () => {
    const cost = costOf(usage({ inputTokens: 10, cachedInputTokens: 30 }), { ...simple, cachedInputPerMtok: 1 });
    expect(cost).toMatchObject({ inputUsd: 0.00003, caveat: "input token details exceed input tokens" });
  });

  test("says so when cache writes beside the input have no rate", () => {
    const cost = costOf(usage({ inputTokens: 10, cacheWriteTokens: 90, cacheIsExtra: true }), simple);
    expect(cost).toMatchObject({ inputUsd: 0.00025, caveat: "no rate for cache writes: priced as input" });
  });

  test("agrees with integer arithmetic to a nano-dollar for any counts", () => {
    const count = fc.integer({ min: 0, max: 10_000_000 });
    fc.assert(
      fc.property(count, count, count, (plain, cached, output) => {
        const cost = costOf(usage({ inputTokens: plain + cached, cachedInputTokens: cached, outputTokens: output }), {
          inputPerMtok: 2.5,
          cachedInputPerMtok: 1.25,
          outputPerMtok: 10,
        });
        // Cents of micro-dollars are whole numbers at these rates.
        const exact = Number(BigInt(plain) * 250n + BigInt(cached) * 125n + BigInt(output) * 1000n) / 1e8;
        expect(Math.abs((cost.totalUsd ?? Number.NaN) - exact)).toBeLessThan(1e-9);
      }),
    );
  });
});

test("what makes the counts uncertain makes the cost uncertain", () => {
  const estimated = usage({ inputTokens: 1000, outputTokens: 100, unmappedFields: ["x_tokens"], caveat: "estimated" });
  expect(costOf(estimated, simple)).toMatchObject({
    totalUsd: 0.0035,
    caveat: "estimated; unmapped token field: x_tokens",
  });
});
