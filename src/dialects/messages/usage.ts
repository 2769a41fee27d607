// Reads the usage object of a Messages answer, and joins those of a stream.

import type { Usage } from "../../core/usage.ts";
import { numberOf } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** A larger count is a mistake of the sender: no model takes or gives a thousand million tokens in one answer. */
const largestCount = 1_000_000_000;

/** Counts that are read or are parts of others; https://docs.anthropic.com/en/api/messages, `usage`. Any other positive one is reported as unmapped. */
const knownFields: ReadonlySet<string> = new Set([
  "input_tokens",
  "output_tokens",
  "cache_read_input_tokens",
  "cache_creation_input_tokens",
  "total_tokens",
  "cache_creation.ephemeral_5m_input_tokens",
  "cache_creation.ephemeral_1h_input_tokens",
  "output_tokens_details.thinking_tokens",
]);

const breakdowns = ["cache_creation", "output_tokens_details", "input_tokens_details"];
const promptCounts = ["input_tokens", "cache_read_input_tokens", "cache_creation_input_tokens"];

/**
 * Undefined when `raw` is no object or counts nothing at all. `input_tokens` has neither what was read from the cache nor what was written to it, so the
 * total is the sum of all four. A count that is negative, fractional, no number or beyond reason is treated as absent.
 */
export function readMessagesUsage(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const input = countOf(raw.input_tokens);
  const output = countOf(raw.output_tokens);
  const read = countOf(raw.cache_read_input_tokens);
  const written = countOf(raw.cache_creation_input_tokens) ?? writtenByAge(raw.cache_creation);
  if (input === undefined && output === undefined && read === undefined && written === undefined) return undefined;
  const inputTokens = input ?? 0;
  const outputTokens = output ?? 0;
  const cachedInputTokens = read ?? 0;
  const cacheWriteTokens = written ?? 0;
  const details = isJsonObject(raw.output_tokens_details) ? raw.output_tokens_details : undefined;
  return {
    inputTokens,
    outputTokens,
    totalTokens: inputTokens + outputTokens + cachedInputTokens + cacheWriteTokens,
    cachedInputTokens,
    cacheWriteTokens,
    reasoningTokens: Math.min(countOf(details?.thinking_tokens) ?? 0, outputTokens),
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: true,
    reasoningIsExtra: false,
    unmappedFields: unmappedIn(raw),
    raw,
  };
}

/**
 * The usage known after `later`: what it says counts, for its counts are cumulative; what it leaves out or has as null stays. Some compatible servers
 * send zeros for the whole prompt in the last event when they told it in the first one: these say nothing.
 */
export function laterUsage(earlier: JsonObject | undefined, later: JsonObject): JsonObject {
  if (earlier === undefined) return later;
  let tellsPrompt = false;
  for (const key of promptCounts) tellsPrompt ||= (countOf(later[key]) ?? 0) > 0;
  const joined: Record<string, unknown> = { ...earlier };
  for (const key in later) {
    const value = later[key];
    if (value === null || (!tellsPrompt && promptCounts.includes(key) && earlier[key] !== undefined)) continue;
    joined[key] = value;
  }
  return joined;
}

/** What was written for five minutes and for an hour, where only that is told. */
function writtenByAge(value: unknown): number | undefined {
  if (!isJsonObject(value)) return undefined;
  const short = countOf(value.ephemeral_5m_input_tokens);
  const long = countOf(value.ephemeral_1h_input_tokens);
  return short === undefined && long === undefined ? undefined : (short ?? 0) + (long ?? 0);
}

/** Nearly always there are none, and no list is made. */
function unmappedIn(raw: JsonObject): readonly string[] {
  let unmapped = addUnmapped(raw, "", none);
  for (const key of breakdowns) {
    const fields = raw[key];
    if (isJsonObject(fields)) unmapped = addUnmapped(fields, `${key}.`, unmapped);
  }
  return unmapped;
}

function addUnmapped(fields: JsonObject, prefix: string, others: readonly string[]): readonly string[] {
  let unmapped: string[] | undefined;
  for (const field in fields) {
    const count = countOf(fields[field]);
    if (count === undefined || count === 0 || !(field.endsWith("_tokens") || field.endsWith("_count"))) continue;
    if (!knownFields.has(prefix + field)) (unmapped ??= []).push(prefix + field);
  }
  return unmapped === undefined ? others : others.concat(unmapped);
}

const none: readonly string[] = [];

function countOf(value: unknown): number | undefined {
  const count = numberOf(value);
  return count !== undefined && Number.isInteger(count) && count >= 0 && count <= largestCount ? count : undefined;
}
