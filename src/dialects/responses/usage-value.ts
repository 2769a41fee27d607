// `usage` of a Responses answer, in OpenAI's sense: what was cached is part of the input, reasoning part of the output.

import type { Usage } from "../../core/usage.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** Clients need the object (the SDKs read its counts), so that nothing known gives zeros (behaviour 2.9). */
export function usageValue(usage: Usage | undefined): JsonObject {
  if (usage === undefined) return counts(0, 0, 0, 0, 0, 0);
  const cached = usage.cachedInputTokens;
  const written = usage.cacheWriteTokens;
  const input = usage.inputTokens + (usage.cacheIsExtra ? cached + written : 0);
  const output = usage.outputTokens + (usage.reasoningIsExtra ? usage.reasoningTokens : 0);
  const sumsUp = usage.cacheIsExtra || usage.reasoningIsExtra;
  const value = counts(
    input,
    cached,
    written,
    output,
    usage.reasoningTokens,
    sumsUp ? input + output : usage.totalTokens,
  );
  const unmapped = usage.unmappedFields.filter((field) => Object.hasOwn(usage.raw, field));
  return { ...Object.fromEntries(unmapped.map((field) => [field, usage.raw[field]])), ...value };
}

function counts(input: number, cached: number, written: number, output: number, reasoning: number, total: number) {
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached, cache_write_tokens: written },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total,
  };
}
