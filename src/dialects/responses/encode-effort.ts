// How much to think, as `reasoning` says it, and which models think at all.

import type { ReasoningSettings } from "../../core/chat-request.ts";

/** Undefined: nothing was said, or not to think, which is told by leaving it out. Figures of behaviour 4.2. */
export function effortOf(settings: ReasoningSettings): string | undefined {
  if (settings.effort !== undefined) return settings.effort;
  if (settings.mode === "disabled") return undefined;
  const { budgetTokens } = settings;
  if (budgetTokens === undefined) return settings.mode === undefined ? undefined : "medium";
  if (budgetTokens < 10_000) return "low";
  return budgetTokens < 20_000 ? "medium" : "high";
}

/**
 * Whether a model of OpenAI reasons (behaviour 3.6; the chat variants of gpt-5 do not). A vendor before the model (`openai/gpt-5`) is looked past.
 * Undefined: the name says nothing, as that of a deployment.
 */
export function reasons(model: string): boolean | undefined {
  const id = model
    .slice(model.lastIndexOf("/") + 1)
    .toLowerCase()
    .replace(/^ft:/, "");
  if (/^(?:gpt-[34]|chatgpt|gpt-\d+(?:\.\d+)?-chat)/.test(id)) return false;
  return /^(?:o\d|gpt-(?:[5-9]|\d\d)|codex|computer-use)/.test(id) ? true : undefined;
}
