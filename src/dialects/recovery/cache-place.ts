// Makes usage of one dialect addable to that of another: cached tokens are counted among the input (OpenAI) or beside it (Anthropic).

import type { Usage } from "../../core/usage.ts";

/** Everything the prompt had, wherever what was cached is counted. */
export function promptIn(usage: Usage): number {
  return usage.inputTokens + (usage.cacheIsExtra ? usage.cachedInputTokens + usage.cacheWriteTokens : 0);
}

/** As OpenAI counts. */
export function withCacheInside(usage: Usage): Usage {
  return usage.cacheIsExtra ? { ...usage, inputTokens: promptIn(usage), cacheIsExtra: false } : usage;
}

/** As Anthropic counts. */
export function withCacheBeside(usage: Usage): Usage {
  if (usage.cacheIsExtra) return usage;
  const cached = usage.cachedInputTokens + usage.cacheWriteTokens;
  return { ...usage, inputTokens: Math.max(0, usage.inputTokens - cached), cacheIsExtra: true };
}
