// How much a model is to think, as a level or a budget of tokens.

import type { ChatRequest } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { fieldNames } from "./caller-fields.ts";
import { familyOf } from "./model-family.ts";
import type { ModelFamily } from "./model-family.ts";

/** Undefined: the model's own default. */
export function thinkingConfigOf(request: ChatRequest, target: TranslationTarget): JsonObject | undefined {
  const { reasoning } = request;
  if (reasoning === undefined) return undefined;
  const field = fieldNames(request).effort;
  const effort = effortOf(request);
  if (request.dialect !== "messages" && reasoning.budgetTokens !== undefined) target.dropped("reasoning.budget_tokens");
  const family = familyOf(target.model);
  if (family.version === undefined || family.version < 2.5) {
    if (effort !== undefined) target.dropped(field);
    return undefined;
  }
  const includeThoughts = effort !== "none" && wantsThoughts(request) ? { includeThoughts: true } : undefined;
  if (effort === undefined) return includeThoughts;
  if (family.version >= 3)
    return { thinkingLevel: levelOf(effort, family, () => target.dropped(field)), ...includeThoughts };
  const thinkingBudget = budgetOf(effort, family, () => target.dropped(field));
  return thinkingBudget === undefined ? includeThoughts : { thinkingBudget, ...includeThoughts };
}

/** Behaviour 4.2: an effort wins, a budget is below 10000 `low`, below 20000 `medium`, else `high`; adaptive is `medium`. */
function effortOf({ dialect, reasoning = {} }: ChatRequest): string | undefined {
  const { effort, mode, budgetTokens } = reasoning;
  if (mode === "disabled") return "none";
  if (effort !== undefined) return effort;
  if (mode === "adaptive") return "medium";
  if (dialect !== "messages" || budgetTokens === undefined) return undefined;
  if (budgetTokens < 10_000) return "low";
  return budgetTokens < 20_000 ? "medium" : "high";
}

/** Whether the caller's dialect shows thoughts, and he wants to see them. */
function wantsThoughts({ dialect, reasoning = {} }: ChatRequest): boolean {
  switch (dialect) {
    case "chat-completions":
    case "gemini":
      return reasoning.effort !== undefined;
    case "responses":
      return reasoning.summary !== undefined;
    case "messages":
      return (reasoning.mode === "enabled" || reasoning.mode === "adaptive") && reasoning.display !== "omitted";
  }
}

/**
 * Levels by model: https://ai.google.dev/gemini-api/docs/thinking; efforts as https://ai.google.dev/gemini-api/docs/openai maps them. None of these models
 * can be kept from thinking: `inexact` is called where another level has to do. An effort that nobody knows goes as it is.
 */
function levelOf(effort: string, { version = 0, size }: ModelFamily, inexact: () => void): string {
  const hasMinimal = size === "flash-lite" || (size === "flash" && version < 3.8);
  const lowest = hasMinimal ? "MINIMAL" : "LOW";
  switch (effort) {
    case "none":
      inexact();
      return lowest;
    case "minimal":
      return lowest;
    case "medium":
      return size === "pro" && version === 3 ? "HIGH" : "MEDIUM";
    case "xhigh":
    case "max":
      return "HIGH";
    default:
      return effort.toUpperCase();
  }
}

/** Ranges of Gemini 2.5: https://ai.google.dev/gemini-api/docs/thinking. Pro cannot be kept from thinking; 128 is its least. */
function budgetOf(effort: string, { size }: ModelFamily, inexact: () => void): number | undefined {
  switch (effort) {
    case "none":
      if (size !== "pro") return 0;
      inexact();
      return 128;
    case "minimal":
    case "low":
      return 1024;
    case "medium":
      return 8192;
    case "high":
      return 24_576;
    case "xhigh":
    case "max":
      return size === "pro" ? 32_768 : 24_576;
    default:
      inexact();
      return undefined;
  }
}
