// What each of the answers used that one recovered stream is made of, and what they used together.

import { estimatedUsage } from "../../core/estimated-usage.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { Usage } from "../../core/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { isAllZero, plainUsage, readUsage } from "../answers/usage.ts";
import { promptIn, withCacheInside } from "./cache-place.ts";
import { addUsage } from "./usage-sum.ts";

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
 * Some streams tell their prompt at once and count what they write as they go on (Anthropic, Gemini), so of a broken one the output is at least what came,
 * and the prompt is an estimate where it was not told. `lastUsage` is that of the answer after them, whose prompt had `prefillPieces` beside the caller's own.
 */
export function brokenFacts(
  parts: readonly BrokenPart[],
  lastUsage: Usage | undefined,
  prefillPieces: number,
): readonly AnswerFacts[] {
  const promptTokens =
    promptOf(lastUsage, prefillPieces) ??
    parts.map(({ facts, prefillPieces: pieces }) => promptOf(facts.usage, pieces)).find(isKnown);
  return parts.map((part) => {
    const { usage } = part.facts;
    if (usage !== undefined && promptIn(usage) > 0) {
      return { ...part.facts, usage: withOutput(usage, part.textPieces) };
    }
    if (promptTokens === undefined) return part.facts;
    const output = Math.max(usage?.outputTokens ?? 0, part.textPieces);
    return { ...part.facts, usage: estimatedUsage(promptTokens + part.prefillPieces, output) };
  });
}

/** The usage object of the last answer with everything the earlier ones used. One that counts nothing stays as it is. */
export function usageOfAll(last: JsonObject, parts: readonly BrokenPart[], prefillPieces: number): JsonObject {
  const own = readUsage(last, plainUsage);
  if (own === undefined || isAllZero(own)) return last;
  const others = brokenFacts(parts, own, prefillPieces)
    .map(({ usage }) => usage)
    .filter(isTold);
  return addUsage(
    last,
    others.map(withCacheInside),
    others.some((usage) => usage.caveat !== undefined),
  );
}

/** As a member of a chunk, Groq's own place for it included; undefined when there is none. */
export function usageMembers(chunk: JsonObject, sum: (usage: JsonObject) => JsonObject): JsonObject {
  const members: Record<string, unknown> = {};
  if (isJsonObject(chunk.usage)) members.usage = sum(chunk.usage);
  if (isJsonObject(chunk.x_groq) && isJsonObject(chunk.x_groq.usage)) {
    members.x_groq = { ...chunk.x_groq, usage: sum(chunk.x_groq.usage) };
  }
  return members;
}

/** What the caller's own messages count. */
function promptOf(usage: Usage | undefined, prefillPieces: number): number | undefined {
  const prompt = usage === undefined ? 0 : promptIn(usage);
  return prompt === 0 ? undefined : Math.max(0, prompt - prefillPieces);
}

/** Chat completions tell their usage when nothing more is written: that is exact. */
function withOutput(usage: Usage, textPieces: number): Usage {
  if (textPieces <= usage.outputTokens || usage.raw.completion_tokens !== undefined) return usage;
  const { caveat } = estimatedUsage(0, 0);
  return {
    ...usage,
    outputTokens: textPieces,
    totalTokens: usage.totalTokens - usage.outputTokens + textPieces,
    ...(caveat === undefined ? {} : { caveat }),
    raw: usage.raw.output_tokens === undefined ? usage.raw : { ...usage.raw, output_tokens: textPieces },
  };
}

function isTold(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && !isAllZero(usage);
}

function isKnown(count: number | undefined): count is number {
  return count !== undefined;
}
