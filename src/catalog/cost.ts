// What an answer costs: its tokens, each counted once, at the rates of the model that answered.

import type { Cost, Price, Usage } from "../core/usage.ts";

const unknownCost: Cost = { inputUsd: null, outputUsd: null, totalUsd: null, source: null, caveat: null };

/** The rates that are in force for one answer. */
interface Rates {
  readonly input: number | undefined;
  readonly output: number | undefined;
  readonly cachedInput: number | undefined;
  readonly cacheWrite: number | undefined;
}

/**
 * Behaviour 1.17: null is unknown, 0 is free. A cost that the provider reports itself wins, except a reported 0 where
 * known rates say otherwise.
 */
export function costOf(usage: Usage, price: Price | undefined): Cost {
  const reported = usage.reportedCost;
  const usable = reported !== undefined && Number.isFinite(reported.usd) && reported.usd >= 0;
  if (usable && reported.usd > 0) return reportedCost(reported);
  const priced = price === undefined ? unknownCost : pricedCost(usage, price);
  if (!usable) return priced;
  if (priced.totalUsd === null || priced.totalUsd === 0) return reportedCost(reported);
  return { ...priced, caveat: joined([priced.caveat, "the provider reported a cost of 0"]) };
}

function reportedCost(reported: NonNullable<Usage["reportedCost"]>): Cost {
  return { inputUsd: null, outputUsd: null, totalUsd: reported.usd, source: reported.source, caveat: null };
}

function pricedCost(usage: Usage, price: Price): Cost {
  const rates = ratesFor(usage, price);
  const caveats: string[] = usage.caveat === undefined ? [] : [usage.caveat];
  const input = inputMicroUsd(usage, price, rates, caveats);
  const output = outputMicroUsd(usage, price, rates, caveats);
  for (const field of usage.unmappedFields) caveats.push(`unmapped token field: ${field}`);
  return {
    inputUsd: input === null ? null : input / 1e6,
    outputUsd: output === null ? null : output / 1e6,
    // Added before the division: two roundings fewer.
    totalUsd: input === null || output === null ? null : (input + output) / 1e6,
    source: input === null && output === null ? null : "model_pricing",
    caveat: caveats.length === 0 ? null : caveats.join("; "),
  };
}

/** A tier is chosen by everything that was read, cached or not. */
function ratesFor(usage: Usage, price: Price): Rates {
  // A price that names only a fee per request charges nothing for tokens.
  const feeOnly =
    price.perRequest !== undefined && price.inputPerMtok === undefined && price.outputPerMtok === undefined;
  const base: Rates = {
    input: feeOnly ? 0 : price.inputPerMtok,
    output: feeOnly ? 0 : price.outputPerMtok,
    cachedInput: price.cachedInputPerMtok,
    cacheWrite: price.cacheWritePerMtok,
  };
  if (price.tiers === undefined) return base;
  const read = tokens(usage.inputTokens) + (usage.cacheIsExtra ? cacheTokens(usage) : 0);
  const tier = price.tiers.findLast((candidate) => read >= candidate.fromInputTokens);
  if (tier === undefined) return base;
  return {
    input: tier.inputPerMtok ?? base.input,
    output: tier.outputPerMtok ?? base.output,
    cachedInput: tier.cachedInputPerMtok ?? base.cachedInput,
    cacheWrite: tier.cacheWritePerMtok ?? base.cacheWrite,
  };
}

/** Null when tokens are there and their rate is not known; the same for the output. */
function inputMicroUsd(usage: Usage, price: Price, rates: Rates, caveats: string[]): number | null {
  const cached = tokens(usage.cachedInputTokens);
  const written = tokens(usage.cacheWriteTokens);
  const audio = tokens(usage.audioInputTokens);
  const included = audio + (usage.cacheIsExtra ? 0 : cached + written);
  const plain = remainder(tokens(usage.inputTokens), included, "input", caveats);
  if (usage.cacheIsExtra) {
    // Extra tokens have no base rate to fall back on; the rate of plain input is the nearest one that is known.
    if (cached > 0 && rates.cachedInput === undefined) caveats.push("no rate for cached input: priced as input");
    if (written > 0 && rates.cacheWrite === undefined) caveats.push("no rate for cache writes: priced as input");
  }
  let sum = plus(0, plain, rates.input);
  sum = plus(sum, cached, rates.cachedInput ?? rates.input);
  sum = plus(sum, written, rates.cacheWrite ?? rates.input);
  return plus(sum, audio, price.audioInputPerMtok ?? rates.input);
}

function outputMicroUsd(usage: Usage, price: Price, rates: Rates, caveats: string[]): number | null {
  const reasoning = tokens(usage.reasoningTokens);
  const audio = tokens(usage.audioOutputTokens);
  const included = audio + (usage.reasoningIsExtra ? 0 : reasoning);
  const plain = remainder(tokens(usage.outputTokens), included, "output", caveats);
  let sum = plus(0, plain, rates.output);
  sum = plus(sum, reasoning, price.reasoningOutputPerMtok ?? rates.output);
  sum = plus(sum, audio, price.audioOutputPerMtok ?? rates.output);
  return sum === null ? null : sum + (price.perRequest ?? 0) * 1e6;
}

/** What is left of a base count without its sub-counts: pricing the parts is pricing each as the difference to the base. */
function remainder(base: number, included: number, side: "input" | "output", caveats: string[]): number {
  if (included <= base) return base - included;
  caveats.push(`${side} token details exceed ${side} tokens`);
  return 0;
}

/** Tokens times USD per million tokens is micro-dollars, exact for every real count. */
function plus(microUsd: number | null, count: number, rate: number | undefined): number | null {
  if (microUsd === null || count === 0) return microUsd;
  return rate === undefined ? null : microUsd + count * rate;
}

function cacheTokens(usage: Usage): number {
  return tokens(usage.cachedInputTokens) + tokens(usage.cacheWriteTokens);
}

/** Upstreams send negative counts and NaN, too: nothing was used then. */
function tokens(count: number): number {
  return Number.isFinite(count) && count > 0 ? count : 0;
}

function joined(caveats: readonly (string | null)[]): string | null {
  const present = caveats.filter((caveat) => caveat !== null);
  return present.length === 0 ? null : present.join("; ");
}
