// Usage of the hub as a Messages answer tells it. https://platform.claude.com/docs/en/api/messages: the cached tokens stand beside `input_tokens`.

import type { Usage } from "../../core/usage.ts";
import type { JsonObject } from "../json/is-json-object.ts";

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
