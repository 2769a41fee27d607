// The usage of an answer that broke before its provider told it.

import type { Usage } from "./usage.ts";

/** Nothing is known to be cached or to be anything but text; `caveat` says what the figures are. */
export function estimatedUsage(promptTokens: number, completionTokens: number): Usage {
  const totalTokens = promptTokens + completionTokens;
  return {
    inputTokens: promptTokens,
    outputTokens: completionTokens,
    totalTokens,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: [],
    raw: { prompt_tokens: promptTokens, completion_tokens: completionTokens, total_tokens: totalTokens },
    caveat: "estimated: the stream broke before the provider told what it used",
  };
}
