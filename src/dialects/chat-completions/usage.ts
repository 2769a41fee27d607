// Reads the usage object of a chat or embeddings answer, in the spellings that providers have for it.

import type { Usage } from "../../core/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** What differs from provider type to provider type (behaviour 1.17). */
export interface UsageFamily {
  /** Reasoning tokens are counted beside the output tokens (xAI) and not among them. */
  readonly reasoningIsExtra: boolean;
  /** The exact cost that this provider type reports: `usage.cost` in credits of one USD, or `usage.cost_in_usd_ticks`. */
  readonly reportedCost?: NonNullable<Usage["reportedCost"]>["source"];
}

/** The family of a provider type that says nothing else. */
export const plainUsage: UsageFamily = { reasoningIsExtra: false };

/** https://docs.x.ai/developers/cost-tracking: one USD is ten thousand million ticks. */
const ticksPerUsd = 10_000_000_000;

/** A larger count is a mistake of the sender: no model takes or gives a thousand million tokens in one answer. */
const largestCount = 1_000_000_000;

/** Each count by its names, the first that is there wins; sub-objects of details are read flattened, `prompt_` or `completion_` before the name. */
const names = {
  input: ["prompt_tokens", "input_tokens"],
  output: ["completion_tokens", "output_tokens"],
  total: ["total_tokens"],
  cached: ["prompt_cached_tokens", "cached_tokens", "prompt_cache_hit_tokens", "cache_read_input_tokens"],
  cacheWrite: ["prompt_cache_write_tokens", "prompt_cache_creation_tokens", "cache_creation_input_tokens"],
  reasoning: ["completion_reasoning_tokens", "reasoning_tokens", "thought_tokens"],
  audioInput: ["prompt_audio_tokens"],
  audioOutput: ["completion_audio_tokens"],
} as const;

/** Breakdowns that have no rate of their own. */
const unpriced = [
  "prompt_text_tokens",
  "prompt_image_tokens",
  "prompt_cache_miss_tokens",
  "completion_text_tokens",
  "completion_accepted_prediction_tokens",
  "completion_rejected_prediction_tokens",
];

const knownNames: ReadonlySet<string> = new Set([...Object.values(names).flat(), ...unpriced]);

const detailPrefixes: ReadonlyMap<string, string> = new Map([
  ["prompt_tokens_details", "prompt_"],
  ["input_tokens_details", "prompt_"],
  ["completion_tokens_details", "completion_"],
  ["output_tokens_details", "completion_"],
]);

/**
 * Undefined when `raw` is no object or names no count of its own at all. A count that is negative, fractional, no number or beyond reason is
 * treated as absent; a sub-count never exceeds what it is part of.
 */
export function readUsage(raw: unknown, family: UsageFamily): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const counts = new Map<string, number>();
  for (const [key, value] of Object.entries(raw)) {
    const prefix = detailPrefixes.get(key);
    if (prefix === undefined) addCount(counts, key, value);
    else if (isJsonObject(value))
      for (const [name, detail] of Object.entries(value)) addCount(counts, prefix + name, detail);
  }
  const input = first(counts, names.input);
  const output = first(counts, names.output);
  const total = first(counts, names.total);
  if (input === undefined && output === undefined && total === undefined) return undefined;

  const inputTokens = input ?? 0;
  const outputTokens = output ?? 0;
  const reasoning = first(counts, names.reasoning) ?? 0;
  const { reasoningIsExtra } = family;
  const reportedCost = costOf(raw, family);
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens + (reasoningIsExtra ? reasoning : 0),
    cachedInputTokens: Math.min(first(counts, names.cached) ?? 0, inputTokens),
    cacheWriteTokens: Math.min(first(counts, names.cacheWrite) ?? 0, inputTokens),
    reasoningTokens: reasoningIsExtra ? reasoning : Math.min(reasoning, outputTokens),
    audioInputTokens: Math.min(first(counts, names.audioInput) ?? 0, inputTokens),
    audioOutputTokens: Math.min(first(counts, names.audioOutput) ?? 0, outputTokens),
    cacheIsExtra: false,
    reasoningIsExtra,
    ...(reportedCost === undefined ? {} : { reportedCost }),
    unmappedFields: [...counts].filter(([name, count]) => count > 0 && !knownNames.has(name)).map(([name]) => name),
    raw,
  };
}

/** A provider that answers with nothing but zeros counts as one that reports nothing (behaviour 2.9). */
export function isAllZero(usage: Usage): boolean {
  return usage.inputTokens === 0 && usage.outputTokens === 0 && usage.totalTokens === 0;
}

function addCount(counts: Map<string, number>, name: string, value: unknown): void {
  if (!name.endsWith("_tokens") && !name.endsWith("_count")) return;
  if (typeof value !== "number" || !Number.isInteger(value) || value < 0 || value > largestCount) return;
  counts.set(name, value);
}

function first(counts: ReadonlyMap<string, number>, candidates: readonly string[]): number | undefined {
  for (const name of candidates) {
    const count = counts.get(name);
    if (count !== undefined) return count;
  }
  return undefined;
}

function costOf(raw: JsonObject, family: UsageFamily): Usage["reportedCost"] {
  switch (family.reportedCost) {
    case undefined:
      return undefined;
    case "openrouter_credits":
      return isCost(raw.cost) ? { usd: raw.cost, source: family.reportedCost } : undefined;
    case "xai_cost_in_usd_ticks":
      return isCost(raw.cost_in_usd_ticks)
        ? { usd: raw.cost_in_usd_ticks / ticksPerUsd, source: family.reportedCost }
        : undefined;
  }
}

function isCost(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
