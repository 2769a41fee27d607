// Usage of a Messages answer to and from the hub's. https://platform.claude.com/docs/en/api/messages: the cached tokens stand beside `input_tokens`.

import type { Usage } from "../../core/usage.ts";
import { numberOf } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";

/** Undefined for what counts nothing. A count that is no whole number from zero on is treated as absent. */
export function decodeUsage(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const input = countOf(raw.input_tokens);
  const output = countOf(raw.output_tokens);
  const cached = countOf(raw.cache_read_input_tokens);
  const written = countOf(raw.cache_creation_input_tokens);
  if (input === undefined && output === undefined && cached === undefined && written === undefined) return undefined;
  const details = isJsonObject(raw.output_tokens_details) ? raw.output_tokens_details : {};
  return {
    inputTokens: input ?? 0,
    outputTokens: output ?? 0,
    totalTokens: (input ?? 0) + (output ?? 0) + (cached ?? 0) + (written ?? 0),
    cachedInputTokens: cached ?? 0,
    cacheWriteTokens: written ?? 0,
    reasoningTokens: Math.min(countOf(details.thinking_tokens) ?? 0, output ?? 0),
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: true,
    reasoningIsExtra: false,
    unmappedFields: [],
    raw,
  };
}

/** Counts of a stream are cumulative: a later one replaces an earlier one, an absent one changes nothing. */
export function joinUsage(earlier: JsonObject, later: JsonObject): JsonObject {
  const joined: Record<string, unknown> = { ...earlier };
  for (const [key, value] of Object.entries(later)) {
    // Some compatible servers tell the prompt at the start and zeros for it at the end.
    const isEmptyPrompt = value === 0 && key !== "output_tokens" && (countOf(earlier[key]) ?? 0) > 0;
    if (value !== null && !isEmptyPrompt) joined[key] = value;
  }
  return joined;
}

/** The buckets are disjoint: what was read from the cache or written to it is no part of `input_tokens`. */
export function encodeUsage(usage: Usage, serviceTier?: string): JsonObject {
  const { cachedInputTokens, cacheWriteTokens, reasoningTokens } = usage;
  const beside = usage.cacheIsExtra ? 0 : cachedInputTokens + cacheWriteTokens;
  return {
    input_tokens: Math.max(0, usage.inputTokens - beside),
    cache_creation_input_tokens: cacheWriteTokens,
    cache_read_input_tokens: cachedInputTokens,
    output_tokens: usage.outputTokens + (usage.reasoningIsExtra ? reasoningTokens : 0),
    output_tokens_details: reasoningTokens > 0 ? { thinking_tokens: reasoningTokens } : undefined,
    service_tier: serviceTier,
  };
}

/** Of an answer whose provider told nothing. */
export function estimatedUsage(inputTokens: number, serviceTier?: string): JsonObject {
  return { input_tokens: inputTokens, output_tokens: 0, service_tier: serviceTier };
}

/** Tells what the prompt used, and not only zeros. */
export function tellsPrompt(usage: Usage): boolean {
  return usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens > 0;
}

function countOf(value: unknown): number | undefined {
  const count = numberOf(value);
  return count !== undefined && Number.isInteger(count) && count >= 0 ? count : undefined;
}
