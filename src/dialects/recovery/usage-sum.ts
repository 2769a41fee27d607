// Adds up the usage objects of the answers that one recovered stream is made of, in the last one's spelling.

import type { Usage } from "../../core/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { plainUsage, readUsage } from "../answers/usage.ts";

type Count = (usage: Usage) => number;

/** What each spelling counts; those of breakdowns with the kind of breakdown before them. */
const meanings: Readonly<Record<string, Count>> = {
  prompt_tokens: (usage) => usage.inputTokens,
  input_tokens: (usage) => usage.inputTokens,
  completion_tokens: (usage) => usage.outputTokens,
  output_tokens: (usage) => usage.outputTokens,
  total_tokens: (usage) => usage.totalTokens,
  cached_tokens: (usage) => usage.cachedInputTokens,
  "prompt/cached_tokens": (usage) => usage.cachedInputTokens,
  prompt_cached_tokens: (usage) => usage.cachedInputTokens,
  prompt_cache_hit_tokens: (usage) => usage.cachedInputTokens,
  prompt_cache_miss_tokens: (usage) => usage.inputTokens - usage.cachedInputTokens,
  cache_read_input_tokens: (usage) => usage.cachedInputTokens,
  "prompt/cache_write_tokens": (usage) => usage.cacheWriteTokens,
  "prompt/cache_creation_tokens": (usage) => usage.cacheWriteTokens,
  cache_creation_input_tokens: (usage) => usage.cacheWriteTokens,
  "prompt/audio_tokens": (usage) => usage.audioInputTokens,
  prompt_audio_tokens: (usage) => usage.audioInputTokens,
  "completion/audio_tokens": (usage) => usage.audioOutputTokens,
  completion_audio_tokens: (usage) => usage.audioOutputTokens,
  "completion/reasoning_tokens": (usage) => usage.reasoningTokens,
  completion_reasoning_tokens: (usage) => usage.reasoningTokens,
  reasoning_tokens: (usage) => usage.reasoningTokens,
  thought_tokens: (usage) => usage.reasoningTokens,
};

const breakdowns: Readonly<Record<string, string>> = {
  prompt_tokens_details: "prompt/",
  input_tokens_details: "prompt/",
  completion_tokens_details: "completion/",
  output_tokens_details: "completion/",
};

const noFields: JsonObject = {};

/**
 * `last` with every count raised by those of `others`. A figure that is no count, such as a cost, is added when all have it and left out
 * otherwise: half a cost is none. Texts and flags are the last one's. `estimated`: some of the others are; the caller is told so.
 */
export function addUsage(last: JsonObject, others: readonly Usage[], estimated: boolean): JsonObject {
  const raws = others.map(({ raw }) => raw);
  let sum = addFields(last, others, raws, "");
  const [input, output] = last.input_tokens === undefined ? ["prompt", "completion"] : ["input", "output"];
  sum = withCount(sum, last, others, `${input}_tokens_details`, "cached_tokens", (usage) => usage.cachedInputTokens);
  sum = withCount(sum, last, others, `${output}_tokens_details`, "reasoning_tokens", (usage) => usage.reasoningTokens);
  return estimated ? { ...sum, estimated: true } : sum;
}

function addFields(last: JsonObject, others: readonly Usage[], raws: readonly JsonObject[], place: string): JsonObject {
  const sum: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(last)) {
    const theirs = raws.map((raw) => raw[key]);
    if (isJsonObject(value)) {
      const inner = theirs.map((their) => (isJsonObject(their) ? their : noFields));
      sum[key] = addFields(value, others, inner, breakdowns[key] ?? `${key}/`);
    } else if (typeof value !== "number") {
      sum[key] = value;
    } else {
      const added = addedTo(place + key, others, theirs);
      if (added !== undefined) sum[key] = value + added;
    }
  }
  return sum;
}

/** Undefined: the others do not all have the figure. */
function addedTo(place: string, others: readonly Usage[], theirs: readonly unknown[]): number | undefined {
  const meaning = meanings[place];
  if (meaning !== undefined) return total(others, meaning);
  const numbers = theirs.filter((their) => typeof their === "number");
  if (numbers.length < theirs.length && !/_(?:tokens|count)$/.test(place)) return undefined;
  return numbers.reduce((sum, number) => sum + number, 0);
}

/** A count that the last one has no field for gets the usual one. */
function withCount(
  sum: JsonObject,
  last: JsonObject,
  others: readonly Usage[],
  breakdown: string,
  key: string,
  count: Count,
): JsonObject {
  const own = readUsage(last, plainUsage);
  const added = total(others, count);
  if (own === undefined || added === 0) return sum;
  const present = readUsage(sum, plainUsage);
  if (present !== undefined && count(present) === count(own) + added) return sum;
  const fields = sum[breakdown];
  return { ...sum, [breakdown]: { ...(isJsonObject(fields) ? fields : noFields), [key]: count(own) + added } };
}

function total(usages: readonly Usage[], count: Count): number {
  return usages.reduce((sum, usage) => sum + count(usage), 0);
}
