// Reads the usage object of a chat or embeddings answer, in the spellings that providers have for it.

import type { ReportedCostSource, Usage } from "../../core/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** What differs from provider type to provider type (behaviour 1.17). */
export interface UsageFamily {
  /** Reasoning tokens are counted beside the output tokens (xAI) and not among them. */
  readonly reasoningIsExtra: boolean;
  /**
   * The exact cost that this provider type reports: `usage.cost` in credits of one USD (OpenRouter), `usage.cost_in_usd_ticks` (xAI),
   * `usage.cost.total_cost` in USD (Perplexity), or `cost` in USD beside the usage (Eden AI).
   */
  readonly reportedCost?: ReportedCostSource;
}

/** The family of a provider type that says nothing else. */
export const plainUsage: UsageFamily = { reasoningIsExtra: false };

/** https://docs.x.ai/developers/cost-tracking: one USD is ten thousand million ticks. */
const ticksPerUsd = 10_000_000_000;

/** A larger count is a mistake of the sender: no model takes or gives a thousand million tokens in one answer. */
const largestCount = 1_000_000_000;

/** Counts and breakdowns that are read or have no rate of their own; any other positive one is reported as unmapped. */
const knownFields: ReadonlySet<string> = new Set([
  "prompt_tokens",
  "input_tokens",
  "completion_tokens",
  "output_tokens",
  "total_tokens",
  "cached_tokens",
  "prompt_cached_tokens",
  "prompt_cache_hit_tokens",
  "prompt_cache_miss_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "prompt_cache_write_tokens",
  "prompt_cache_creation_tokens",
  "reasoning_tokens",
  "thought_tokens",
  "completion_reasoning_tokens",
  "prompt_audio_tokens",
  "completion_audio_tokens",
  "prompt_text_tokens",
  "prompt_image_tokens",
  "completion_text_tokens",
  "completion_accepted_prediction_tokens",
  "completion_rejected_prediction_tokens",
]);

const noDetails: JsonObject = {};
const none: readonly string[] = [];

/**
 * Undefined when `raw` is no object or has no count of its own at all. A count that is negative, fractional, no number or beyond reason is
 * treated as absent; a sub-count never exceeds what it is part of. `costBeside`: the member `cost` of the answer itself.
 */
export function readUsage(raw: unknown, family: UsageFamily, costBeside?: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const input = firstCount(raw.prompt_tokens, raw.input_tokens);
  const output = firstCount(raw.completion_tokens, raw.output_tokens);
  const total = firstCount(raw.total_tokens);
  if (input === undefined && output === undefined && total === undefined) return undefined;

  const inputDetails = detailsIn(raw.prompt_tokens_details, raw.input_tokens_details);
  const outputDetails = detailsIn(raw.completion_tokens_details, raw.output_tokens_details);
  const inputTokens = input ?? 0;
  const outputTokens = output ?? 0;
  const cached = firstCount(
    inputDetails.cached_tokens,
    raw.prompt_cached_tokens,
    raw.cached_tokens,
    raw.prompt_cache_hit_tokens,
    raw.cache_read_input_tokens,
  );
  const cacheWrite = firstCount(
    inputDetails.cache_write_tokens,
    inputDetails.cache_creation_tokens,
    raw.cache_creation_input_tokens,
  );
  const reasoning =
    firstCount(
      outputDetails.reasoning_tokens,
      raw.completion_reasoning_tokens,
      raw.reasoning_tokens,
      raw.thought_tokens,
    ) ?? 0;
  const audioInput = firstCount(inputDetails.audio_tokens, raw.prompt_audio_tokens);
  const audioOutput = firstCount(outputDetails.audio_tokens, raw.completion_audio_tokens);
  const { reasoningIsExtra } = family;
  const reportedCost = costOf(raw, family, costBeside);
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens + (reasoningIsExtra ? reasoning : 0),
    cachedInputTokens: Math.min(cached ?? 0, inputTokens),
    cacheWriteTokens: Math.min(cacheWrite ?? 0, inputTokens),
    reasoningTokens: reasoningIsExtra ? reasoning : Math.min(reasoning, outputTokens),
    audioInputTokens: Math.min(audioInput ?? 0, inputTokens),
    audioOutputTokens: Math.min(audioOutput ?? 0, outputTokens),
    cacheIsExtra: false,
    reasoningIsExtra,
    ...(reportedCost === undefined ? {} : { reportedCost }),
    unmappedFields: unmappedIn(
      raw,
      "",
      unmappedIn(inputDetails, "prompt_", unmappedIn(outputDetails, "completion_", none)),
    ),
    raw,
  };
}

/** A provider that answers with nothing but zeros counts as one that reports nothing (behaviour 2.9). */
export function isAllZero(usage: Usage): boolean {
  return usage.inputTokens === 0 && usage.outputTokens === 0 && usage.totalTokens === 0;
}

function detailsIn(first: unknown, second: unknown): JsonObject {
  if (isJsonObject(first)) return first;
  return isJsonObject(second) ? second : noDetails;
}

/** Five at most, and not a list of them: this is asked six times per answer. */
function firstCount(first: unknown, second?: unknown, third?: unknown, fourth?: unknown, fifth?: unknown) {
  if (isCount(first)) return first;
  if (isCount(second)) return second;
  if (isCount(third)) return third;
  if (isCount(fourth)) return fourth;
  return isCount(fifth) ? fifth : undefined;
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= largestCount;
}

/** Those of `fields`, then `others`; nearly always there are none, and no list is made. */
function unmappedIn(fields: JsonObject, prefix: string, others: readonly string[]): readonly string[] {
  let unmapped: string[] | undefined;
  for (const field in fields) {
    const value = fields[field];
    if (!isCount(value) || value === 0) continue;
    if (!field.endsWith("_tokens") && !field.endsWith("_count")) continue;
    if (!knownFields.has(prefix + field)) (unmapped ??= []).push(prefix + field);
  }
  return unmapped === undefined ? others : unmapped.concat(others);
}

function costOf(raw: JsonObject, family: UsageFamily, costBeside: unknown): Usage["reportedCost"] {
  const source = family.reportedCost;
  if (source === undefined) return undefined;
  const usd = usdOf(raw, source, costBeside);
  return isCost(usd) ? { usd, source } : undefined;
}

function usdOf(raw: JsonObject, source: ReportedCostSource, costBeside: unknown): unknown {
  switch (source) {
    case "openrouter_credits":
      return raw.cost;
    case "xai_cost_in_usd_ticks":
      return typeof raw.cost_in_usd_ticks === "number" ? raw.cost_in_usd_ticks / ticksPerUsd : undefined;
    case "edenai_cost":
      return costBeside;
    case "perplexity_cost":
      return isJsonObject(raw.cost) ? raw.cost.total_cost : undefined;
  }
}

function isCost(value: unknown): value is number {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
