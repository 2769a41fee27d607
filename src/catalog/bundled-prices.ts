// Prices of public models by provider type, read from the bundled price list and brought into our form.

import { calcPrice, type ModelPrice, type TieredPrices } from "@pydantic/genai-prices";
import type { Price } from "../core/usage.ts";

/** A price with how long it may be remembered. */
interface BundledPrice {
  /** Undefined when the list has none. */
  readonly price: Price | undefined;
  /** The rates depend on the date or the time of day, so they must be looked up again. */
  readonly changesWithTime: boolean;
}

/** Looks a model up at a moment in milliseconds since the epoch. */
export type PriceLookUp = (providerType: string, model: string, atMs: number) => BundledPrice;

/**
 * The list's names for our provider types. A type that is missing has no public price: what it serves costs whatever its
 * operator pays for it (`ollama`, `vllm`).
 */
const listNames: ReadonlyMap<string, string> = new Map([
  ["openai", "openai"],
  ["azure", "azure"],
  ["groq", "groq"],
  ["deepseek", "deepseek"],
  ["xai", "x-ai"],
  ["openrouter", "openrouter"],
  ["anthropic", "anthropic"],
  ["gemini", "google"],
  ["vertex", "google"],
  ["mistral", "mistral"],
  ["together", "together"],
  ["cohere", "cohere"],
  ["cerebras", "cerebras"],
  ["perplexity", "perplexity"],
  ["fireworks", "fireworks"],
  ["minimax", "minimax"],
  ["zai", "zai"],
  ["bedrock", "aws"],
]);

type Rate = "inputPerMtok" | "outputPerMtok" | "cachedInputPerMtok" | "cacheWritePerMtok";

const tieredRates: readonly (readonly [key: string, rate: Rate])[] = [
  ["input_mtok", "inputPerMtok"],
  ["output_mtok", "outputPerMtok"],
  ["cache_read_mtok", "cachedInputPerMtok"],
  ["cache_write_mtok", "cacheWritePerMtok"],
];

const flatRates: readonly (readonly [
  key: string,
  rate: "reasoningOutputPerMtok" | "audioInputPerMtok" | "audioOutputPerMtok",
])[] = [
  ["output_reasoning_mtok", "reasoningOutputPerMtok"],
  ["input_audio_mtok", "audioInputPerMtok"],
  ["output_audio_mtok", "audioOutputPerMtok"],
];

const unknown: BundledPrice = { price: undefined, changesWithTime: false };

/** The bundled list's price. Costs some 30 us: remember it. */
export const bundledPrice: PriceLookUp = (providerType, model, atMs) => {
  const providerId = listNames.get(providerType);
  if (providerId === undefined) return unknown;
  const found = calcPrice({}, model, { providerId, timestamp: new Date(atMs) });
  if (found === null) return unknown;
  return { price: priceFromList(found.model_price), changesWithTime: Array.isArray(found.model.prices) };
};

/** Undefined when nothing in it concerns tokens. The list says "free" with no rate at all. */
function priceFromList(listed: ModelPrice): Price | undefined {
  if (Object.keys(listed).length === 0) return { inputPerMtok: 0, outputPerMtok: 0 };
  const price: { -readonly [K in Rate | (typeof flatRates)[number][1]]?: number } = {};
  for (const [key, rate] of [...tieredRates, ...flatRates]) {
    const value = listed[key];
    if (value !== undefined) price[rate] = baseOf(value);
  }
  if (price.inputPerMtok === undefined && price.outputPerMtok === undefined) return undefined;
  const tiers = tiersOf(listed);
  return tiers.length === 0 ? price : { ...price, tiers };
}

function baseOf(value: number | TieredPrices): number {
  return typeof value === "number" ? value : value.base;
}

/** The list keeps steps per rate and applies one above its start; ours are steps of all rates, each from a first token on. */
function tiersOf(listed: ModelPrice): NonNullable<Price["tiers"]> {
  const starts = new Set<number>();
  for (const [key] of tieredRates) {
    const value = listed[key];
    if (typeof value === "object") for (const tier of value.tiers) starts.add(tier.start);
  }
  return [...starts]
    .toSorted((a, b) => a - b)
    .map((start) => {
      const tier: { fromInputTokens: number } & { -readonly [K in Rate]?: number } = { fromInputTokens: start + 1 };
      for (const [key, rate] of tieredRates) {
        const value = listed[key];
        if (typeof value !== "object") continue;
        const step = value.tiers.findLast((candidate) => candidate.start <= start);
        if (step !== undefined) tier[rate] = step.price;
      }
      return tier;
    });
}
