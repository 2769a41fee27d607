// What each of the answers used that one recovered Messages stream is made of, and what the caller is told of all together.

import { estimatedUsage } from "../../core/estimated-usage.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { Usage } from "../../core/usage.ts";
import { isAllZero } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { readMessagesUsage } from "./usage.ts";

/** An answer that broke. */
export interface BrokenPart {
  /** From its own reader. */
  readonly facts: AnswerFacts;
  /** Pieces of text that it sent, delivered or not: about as many tokens. */
  readonly textPieces: number;
  /** Of the text that it was asked to go on from, counted the same way: part of its prompt. */
  readonly prefillPieces: number;
}

/**
 * A stream tells its prompt at once and what it wrote at its end, so of a broken one the output is an estimate, and the prompt too where it was not told.
 * `lastUsage` is that of the answer after them, whose prompt had `prefillPieces` beside the caller's own.
 */
export function brokenFacts(
  parts: readonly BrokenPart[],
  lastUsage: Usage | undefined,
  prefillPieces: number,
): readonly AnswerFacts[] {
  const promptTokens =
    promptOf(lastUsage, prefillPieces) ??
    parts
      .map(({ facts, prefillPieces: pieces }) => promptOf(facts.usage, pieces))
      .find((prompt) => prompt !== undefined);
  return parts.map((part) => {
    const { usage } = part.facts;
    if (usage !== undefined && hasPrompt(usage)) return { ...part.facts, usage: withOutput(usage, part.textPieces) };
    if (promptTokens === undefined) return part.facts;
    const output = Math.max(usage?.outputTokens ?? 0, part.textPieces);
    return { ...part.facts, usage: estimatedUsage(promptTokens + part.prefillPieces, output) };
  });
}

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
  const others = brokenFacts(parts, last, prefillPieces).flatMap(({ usage }) => (usage === undefined ? [] : [usage]));
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

function hasPrompt(usage: Usage): boolean {
  return usage.inputTokens + usage.cachedInputTokens + usage.cacheWriteTokens > 0;
}

/** What the caller's own messages count. */
function promptOf(usage: Usage | undefined, prefillPieces: number): number | undefined {
  if (usage === undefined || !hasPrompt(usage)) return undefined;
  return Math.max(0, usage.totalTokens - usage.outputTokens - prefillPieces);
}

function withOutput(usage: Usage, textPieces: number): Usage {
  if (textPieces <= usage.outputTokens) return usage;
  const { caveat } = estimatedUsage(0, 0);
  return {
    ...usage,
    outputTokens: textPieces,
    totalTokens: usage.totalTokens - usage.outputTokens + textPieces,
    ...(caveat === undefined ? {} : { caveat }),
    raw: { ...usage.raw, output_tokens: textPieces },
  };
}
