// What the caller of a recovered Messages stream is told of the usage of all its answers.

import type { Usage } from "../../core/usage.ts";
import { isAllZero } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { withCacheBeside } from "../recovery/cache-place.ts";
import { brokenFacts, type BrokenPart } from "../recovery/part-usage.ts";
import { readMessagesUsage } from "./usage.ts";

/**
 * The usage for the last `message_delta`: `own`, what the event has, with the counts of all answers. `whole` is everything the last answer told so far.
 * One that counts nothing stays as it is.
 */
export function usageOfAll(
  own: JsonObject,
  whole: JsonObject,
  parts: readonly BrokenPart[],
  prefillPieces: number,
): JsonObject {
  const last = readMessagesUsage(whole);
  if (last === undefined || isAllZero(last)) return own;
  const others = brokenFacts(parts, last, prefillPieces).flatMap(({ usage }) =>
    usage === undefined ? [] : [withCacheBeside(usage)],
  );
  const all = [last, ...others];
  const sum = (count: (usage: Usage) => number): number => all.reduce((total, usage) => total + count(usage), 0);
  const read = sum((usage) => usage.cachedInputTokens);
  const written = sum((usage) => usage.cacheWriteTokens);
  const thinking = sum((usage) => usage.reasoningTokens);
  const details: unknown = own.output_tokens_details;
  return {
    ...own,
    // Of an estimate, whose prompt may have been cached, nothing is known but the sum.
    input_tokens: sum((usage) => usage.inputTokens),
    ...(read > 0 || own.cache_read_input_tokens !== undefined ? { cache_read_input_tokens: read } : {}),
    ...(written > 0 || own.cache_creation_input_tokens !== undefined ? { cache_creation_input_tokens: written } : {}),
    output_tokens: sum((usage) => usage.outputTokens),
    ...(isJsonObject(details) ? { output_tokens_details: { ...details, thinking_tokens: thinking } } : {}),
    ...(others.some((usage) => usage.caveat !== undefined) ? { estimated: true } : {}),
  };
}
