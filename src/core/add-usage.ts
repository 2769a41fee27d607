// What several answers to one request used and cost together.

import type { Cost, Usage } from "./usage.ts";

/** The sum; an answer that tells nothing adds nothing. The parts of counts that are marked as extra in one of them stay extra. */
export function addUsage(left: Usage | undefined, right: Usage | undefined): Usage | undefined {
  if (left === undefined || right === undefined) return left ?? right;
  const caveat = joined(left.caveat, right.caveat);
  return {
    inputTokens: left.inputTokens + right.inputTokens,
    outputTokens: left.outputTokens + right.outputTokens,
    totalTokens: left.totalTokens + right.totalTokens,
    cachedInputTokens: left.cachedInputTokens + right.cachedInputTokens,
    cacheWriteTokens: left.cacheWriteTokens + right.cacheWriteTokens,
    reasoningTokens: left.reasoningTokens + right.reasoningTokens,
    audioInputTokens: left.audioInputTokens + right.audioInputTokens,
    audioOutputTokens: left.audioOutputTokens + right.audioOutputTokens,
    cacheIsExtra: left.cacheIsExtra || right.cacheIsExtra,
    reasoningIsExtra: left.reasoningIsExtra || right.reasoningIsExtra,
    unmappedFields: [...new Set([...left.unmappedFields, ...right.unmappedFields])],
    raw: right.raw,
    ...(caveat === undefined ? {} : { caveat }),
  };
}

/** The sum; null where one of them is unknown. */
export function addCost(left: Cost, right: Cost): Cost {
  return {
    inputUsd: sum(left.inputUsd, right.inputUsd),
    outputUsd: sum(left.outputUsd, right.outputUsd),
    totalUsd: sum(left.totalUsd, right.totalUsd),
    source: left.source ?? right.source,
    caveat: joined(left.caveat ?? undefined, right.caveat ?? undefined) ?? null,
  };
}

function sum(left: number | null, right: number | null): number | null {
  return left === null || right === null ? null : left + right;
}

function joined(left: string | undefined, right: string | undefined): string | undefined {
  if (left === undefined || left === right) return right;
  return right === undefined ? left : `${left}; ${right}`;
}
