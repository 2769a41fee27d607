// Usage of a golden value: the counts that a case is about, the others 0.

import type { Usage } from "../../../src/core/usage.ts";

export function counted(raw: Readonly<Record<string, unknown>>, counts: Partial<Usage>): Usage {
  return {
    inputTokens: 0,
    outputTokens: 0,
    totalTokens: 0,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: [],
    ...counts,
    raw,
  };
}
