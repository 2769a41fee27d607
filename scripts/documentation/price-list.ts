// What the gateway needs of the public price list, brought into its own form.

import { findProvider, type MatchLogic, type ModelPrice, type TieredPrices } from "@pydantic/genai-prices";
import {
  type ListedModel,
  type ListedProvider,
  listNames,
  type NameRule,
  type PriceList,
  type TimedPrice,
} from "../../src/catalog/bundled-prices.ts";
import type { Price } from "../../src/core/usage.ts";

type Provider = NonNullable<ReturnType<typeof findProvider>>;
type Model = Provider["models"][number];
type Condition = NonNullable<Exclude<Model["prices"], ModelPrice>[number]["constraint"]>;
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

/** `src/catalog/price-list.json`, a line for each model. */
export function priceListText(): string {
  const providers = Object.entries(priceList()).map(([name, { models, fallbacks }]) => {
    const lines = models.map((model) => JSON.stringify(model)).join(",\n");
    return `${JSON.stringify(name)}:{"fallbacks":${JSON.stringify(fallbacks)},"models":[\n${lines}\n]}`;
  });
  return `{\n${providers.join(",\n")}\n}\n`;
}

/** The providers that ours are looked up in, and those that they fall back on. */
function priceList(): PriceList {
  const listed: Record<string, ListedProvider> = {};
  const wanted = [...listNames.values()];
  for (let name = wanted.shift(); name !== undefined; name = wanted.shift()) {
    if (name in listed) continue;
    const provider = findProvider({ providerId: name });
    if (provider?.id !== name) throw new Error(`the price list has no provider ${name}`);
    const fallbacks = provider.fallback_model_providers ?? [];
    wanted.push(...fallbacks);
    listed[name] = { fallbacks, models: provider.models.map(listedModel) };
  }
  return listed;
}

function listedModel({ match, prices }: Model): ListedModel {
  if (!Array.isArray(prices)) return { match: nameRule(match), price: priceFromList(prices) ?? null };
  const timed = prices.map(({ constraint, prices: rates }): TimedPrice => {
    const price = priceFromList(rates) ?? null;
    return constraint === undefined ? { price } : { price, ...condition(constraint) };
  });
  return { match: nameRule(match), timed };
}

function condition(constraint: Condition): Pick<TimedPrice, "from" | "daily"> {
  switch (constraint.type) {
    case "start_date":
      return { from: new Date(constraint.start_date).getTime() };
    case "time_of_date":
      return { daily: [timeOfDay(constraint.start_time), timeOfDay(constraint.end_time)] };
  }
}

/** Milliseconds since midnight in UTC of `16:30:00Z`. */
function timeOfDay(text: string): number {
  const time = new Date(`1970-01-02T${text}`).getTime() % 86_400_000;
  if (Number.isNaN(time)) throw new Error(`${text} is no time of day`);
  return time;
}

function nameRule(match: MatchLogic): NameRule {
  if ("or" in match) return { or: match.or.map(nameRule) };
  if ("and" in match) return { and: match.and.map(nameRule) };
  if ("regex" in match) return match;
  if ("equals" in match) return { equals: match.equals.toLowerCase() };
  if ("starts_with" in match) return { starts_with: match.starts_with.toLowerCase() };
  if ("ends_with" in match) return { ends_with: match.ends_with.toLowerCase() };
  return { contains: match.contains.toLowerCase() };
}

/** Undefined when nothing in it concerns tokens. The list says "free" with no rate at all. */
export function priceFromList(listed: ModelPrice): Price | undefined {
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
