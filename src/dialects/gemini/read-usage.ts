// Reads `usageMetadata`.

import type { Usage } from "../../core/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** A larger count is a mistake of the sender. */
const largestCount = 1_000_000_000;

const knownCounts: ReadonlySet<string> = new Set([
  "promptTokenCount",
  "cachedContentTokenCount",
  "candidatesTokenCount",
  "responseTokenCount",
  "thoughtsTokenCount",
  "toolUsePromptTokenCount",
  "totalTokenCount",
]);

/**
 * https://ai.google.dev/api/generate-content#UsageMetadata: the prompt's count includes what came from a cache; the candidates' does not include thoughts,
 * and the prompts of tools that Google ran are counted beside the caller's. Undefined when there is no count at all.
 */
export function readGeminiUsage(raw: unknown): Usage | undefined {
  if (!isJsonObject(raw)) return undefined;
  const prompt = countOf(raw["promptTokenCount"]);
  // The Live API's name for it, which compatible servers use, too.
  const candidates = countOf(raw["candidatesTokenCount"]) ?? countOf(raw["responseTokenCount"]);
  const thoughts = countOf(raw["thoughtsTokenCount"]);
  const toolUse = countOf(raw["toolUsePromptTokenCount"]);
  const total = countOf(raw["totalTokenCount"]);
  if ([prompt, candidates, thoughts, total].every((count) => count === undefined)) return undefined;
  const inputTokens = (prompt ?? 0) + (toolUse ?? 0);
  const outputTokens = (candidates ?? 0) + (thoughts ?? 0);
  return {
    inputTokens,
    outputTokens,
    totalTokens: total ?? inputTokens + outputTokens,
    cachedInputTokens: Math.min(countOf(raw["cachedContentTokenCount"]) ?? 0, inputTokens),
    cacheWriteTokens: 0,
    reasoningTokens: thoughts ?? 0,
    audioInputTokens: Math.min(audioIn(raw["promptTokensDetails"]), inputTokens),
    audioOutputTokens: Math.min(audioIn(raw["candidatesTokensDetails"] ?? raw["responseTokensDetails"]), outputTokens),
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: unmappedIn(raw),
    raw,
  };
}

/** Counts by modality. */
function audioIn(details: unknown): number {
  if (!Array.isArray(details)) return 0;
  let tokens = 0;
  for (const detail of details) {
    if (isJsonObject(detail) && detail["modality"] === "AUDIO") tokens += countOf(detail["tokenCount"]) ?? 0;
  }
  return tokens;
}

function countOf(value: unknown): number | undefined {
  const isCount = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= largestCount;
  return isCount ? value : undefined;
}

function unmappedIn(raw: JsonObject): readonly string[] {
  return Object.keys(raw).filter(
    (key) => key.endsWith("TokenCount") && !knownCounts.has(key) && (countOf(raw[key]) ?? 0) > 0,
  );
}
