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

/** Behaviour 3.6 with OpenAI's exception: the chat variants of gpt-5 do not reason. A vendor before the model (`openai/gpt-5`) is looked past. */
export function isReasoningModel(model: string): boolean {
  const id = model.slice(model.lastIndexOf("/") + 1).toLowerCase();
  if (/^gpt-\d+(?:\.\d+)?-chat/.test(id)) return false;
  return /^(?:o\d|gpt-(?:[5-9]|\d\d)|codex|computer-use)/.test(id);
}
