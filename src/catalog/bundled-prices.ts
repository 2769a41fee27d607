// Prices of public models by provider type, looked up in the bundled price list.

import { readFileSync } from "node:fs";
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

/** What a model's name must be like. Texts are lower case, for names are compared so. */
export type NameRule =
  | { readonly equals: string }
  | { readonly starts_with: string }
  | { readonly ends_with: string }
  | { readonly contains: string }
  | { readonly regex: string }
  | { readonly or: readonly NameRule[] }
  | { readonly and: readonly NameRule[] };

/** A price that holds at some times; null when nothing in it concerns tokens. */
export interface TimedPrice {
  readonly price: Price | null;
  /** Milliseconds since the epoch. */
  readonly from?: number;
  /** Milliseconds of the day in UTC, the end excluded; past midnight when it ends before it starts. */
  readonly daily?: readonly [startMs: number, endMs: number];
}

export type ListedModel =
  | { readonly match: NameRule; readonly price: Price | null }
  /** Of several that hold the last one counts; the first when none does. */
  | { readonly match: NameRule; readonly timed: readonly TimedPrice[] };

export interface ListedProvider {
  /** The first rule that matches wins. */
  readonly models: readonly ListedModel[];
  /** Names of the providers whose models are looked through after its own; theirs are not followed. */
  readonly fallbacks: readonly string[];
}

/** Written by `scripts/generate-docs.ts`; only what a look-up needs. */
export type PriceList = Readonly<Record<string, ListedProvider>>;

/**
 * The list's names for our provider types. A type that is missing has no public price: what it serves costs whatever its
 * operator pays for it (`ollama`, `vllm`).
 */
export const listNames: ReadonlyMap<string, string> = new Map([
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
  ["kimi", "moonshotai"],
  ["bedrock", "aws"],
]);

/** Paid by subscription: an answer costs nothing (behaviour 3.6). */
const freeTypes: ReadonlySet<string> = new Set(["kimicode"]);
const free: BundledPrice = { price: { inputPerMtok: 0, outputPerMtok: 0 }, changesWithTime: false };

const dayMs = 86_400_000;
const unknown: BundledPrice = { price: undefined, changesWithTime: false };

let bundled: PriceList | undefined;

/** The bundled list's price. Goes through rules one by one: remember it. */
export const bundledPrice: PriceLookUp = (providerType, model, atMs) => {
  if (freeTypes.has(providerType)) return free;
  const listName = listNames.get(providerType);
  if (listName === undefined) return unknown;
  bundled ??= readBundledList();
  const name = model.toLowerCase().trim();
  const found = findModel(bundled, listName, name) ?? findModel(bundled, listName, withDashedDate(name));
  if (found === undefined) return unknown;
  return "timed" in found
    ? { price: priceAt(found.timed, atMs), changesWithTime: true }
    : { price: found.price ?? undefined, changesWithTime: false };
};

/** At the first look-up: a gateway in front of local models never needs it. */
function readBundledList(): PriceList {
  return JSON.parse(readFileSync(new URL("price-list.json", import.meta.url), "utf8"));
}

function findModel(list: PriceList, listName: string, name: string): ListedModel | undefined {
  const provider = list[listName];
  if (provider === undefined) return undefined;
  const own = provider.models.find(({ match }) => matches(match, name));
  if (own !== undefined) return own;
  for (const fallback of provider.fallbacks) {
    const found = list[fallback]?.models.find(({ match }) => matches(match, name));
    if (found !== undefined) return found;
  }
  return undefined;
}

function matches(rule: NameRule, name: string): boolean {
  if ("equals" in rule) return name === rule.equals;
  if ("starts_with" in rule) return name.startsWith(rule.starts_with);
  if ("contains" in rule) return name.includes(rule.contains);
  if ("or" in rule) return rule.or.some((part) => matches(part, name));
  if ("regex" in rule) return new RegExp(rule.regex).test(name);
  if ("ends_with" in rule) return name.endsWith(rule.ends_with);
  return rule.and.every((part) => matches(part, name));
}

/** `gpt-4o-20240806` is listed as `gpt-4o-2024-08-06`; digits that are no day of the calendar stay. */
function withDashedDate(name: string): string {
  return name.replace(/-(20\d{2})(\d{2})(\d{2})(?=-|:|$)/g, (all: string, year: string, month: string, day: string) => {
    const date = new Date(`${year}-${month}-${day}T00:00:00Z`);
    const exists = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
    return exists ? `-${year}-${month}-${day}` : all;
  });
}

function priceAt(prices: readonly TimedPrice[], atMs: number): Price | undefined {
  const timed = prices.findLast((candidate) => holds(candidate, atMs)) ?? prices[0];
  return timed?.price ?? undefined;
}

function holds({ from, daily }: TimedPrice, atMs: number): boolean {
  if (from !== undefined) return atMs >= from;
  if (daily === undefined) return true;
  const [startMs, endMs] = daily;
  const timeMs = ((atMs % dayMs) + dayMs) % dayMs;
  return endMs < startMs ? timeMs >= startMs || timeMs < endMs : timeMs >= startMs && timeMs < endMs;
}
