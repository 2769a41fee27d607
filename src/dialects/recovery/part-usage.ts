// What each of the answers used that one recovered stream is made of, and what they used together.

import { estimatedUsage } from "../../core/estimated-usage.ts";
import type { AnswerFacts } from "../../core/model-request.ts";
import type { Usage } from "../../core/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { isAllZero, plainUsage, readUsage } from "../answers/usage.ts";
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

/** `lastUsage` is that of the answer after them, whose prompt had `prefillPieces` beside the caller's own. */
export function brokenFacts(
  parts: readonly BrokenPart[],
  lastUsage: Usage | undefined,
  prefillPieces: number,
): readonly AnswerFacts[] {
  const promptTokens =
    promptOf(lastUsage, prefillPieces) ??
    parts.map(({ facts, prefillPieces: pieces }) => promptOf(facts.usage, pieces)).find(isKnown);
  return parts.map((part) => (isTold(part.facts.usage) ? part.facts : estimated(part, promptTokens)));
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
    others,
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
  return isTold(usage) ? Math.max(0, usage.inputTokens - prefillPieces) : undefined;
}

function estimated(part: BrokenPart, promptTokens: number | undefined): AnswerFacts {
  if (promptTokens === undefined) return part.facts;
  return { ...part.facts, usage: estimatedUsage(promptTokens + part.prefillPieces, part.textPieces) };
}

function isTold(usage: Usage | undefined): usage is Usage {
  return usage !== undefined && !isAllZero(usage);
}

function isKnown(count: number | undefined): count is number {
  return count !== undefined;
}
