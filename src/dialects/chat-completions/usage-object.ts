// What an answer used, as chat completions tell it: inclusive counts with their parts in details.

import type { Usage } from "../../core/usage.ts";
import type { UsageFamily } from "../answers/usage.ts";
import { plainUsage } from "../answers/usage.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/**
 * https://platform.openai.com/docs/api-reference/chat/object: `prompt_tokens` has the cached ones in it, `completion_tokens` the reasoning. The
 * provider's own object goes along as `raw_usage` (behaviour 4.1).
 */
export function usageObject(usage: Usage): JsonObject {
  const cache = usage.cachedInputTokens + usage.cacheWriteTokens;
  const promptTokens = usage.inputTokens + (usage.cacheIsExtra ? cache : 0);
  const completionTokens = usage.outputTokens + (usage.reasoningIsExtra ? usage.reasoningTokens : 0);
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    total_tokens: promptTokens + completionTokens,
    prompt_tokens_details: {
      cached_tokens: usage.cachedInputTokens,
      ...(usage.cacheWriteTokens === 0 ? {} : { cache_write_tokens: usage.cacheWriteTokens }),
      ...(usage.audioInputTokens === 0 ? {} : { audio_tokens: usage.audioInputTokens }),
    },
    completion_tokens_details: {
      reasoning_tokens: usage.reasoningTokens,
      ...(usage.audioOutputTokens === 0 ? {} : { audio_tokens: usage.audioOutputTokens }),
    },
    ...(Object.keys(usage.raw).length === 0 ? {} : { raw_usage: usage.raw }),
  };
}

/** https://docs.x.ai/docs/guides/reasoning: xAI counts reasoning beside the completion. What an answer costs is read elsewhere. */
export function usageFamilyOf(providerType: string): UsageFamily {
  return providerType === "xai" ? { reasoningIsExtra: true } : plainUsage;
}
