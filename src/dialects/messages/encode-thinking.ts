// How much to think, in the form that the target's model takes (behaviour 3.6, 4.7). https://platform.claude.com/docs/en/build-with-claude/extended-thinking

import type { ChatRequest, ReasoningSettings } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import type { ModelTraits } from "./claude-models.ts";
import type { Turn } from "./encode-messages.ts";

export interface EncodedThinking {
  readonly thinking?: JsonObject;
  /** `output_config.effort`. */
  readonly effort?: string;
  readonly maxTokens: number;
  readonly isOn: boolean;
}

/** Tokens. */
const budgets = { low: 5000, medium: 10_000, high: 20_000, xhigh: 20_000, max: 20_000 } as const;
type Effort = keyof typeof budgets;
const leastBudget = 1024;
const roomForAnswer = 1024;

export interface ThinkingCircumstances {
  readonly request: ChatRequest;
  readonly target: TranslationTarget;
  readonly traits: ModelTraits;
  readonly turns: readonly Turn[];
  readonly isForced: boolean;
}

export function encodeThinking(circumstances: ThinkingCircumstances): EncodedThinking {
  const { request, target } = circumstances;
  const maxTokens = request.maxTokens ?? target.defaultMaxTokens;
  const { reasoning } = request;
  if (reasoning === undefined) return { maxTokens, isOn: false };
  const isSaidForTarget = request.dialect === "messages" && understands(circumstances, reasoning);
  return isSaidForTarget
    ? asSaid(reasoning, maxTokens, circumstances)
    : translated(reasoning, maxTokens, circumstances);
}

/** The caller may have said it for another model of Anthropic's, before this one had to stand in. */
function understands({ traits }: ThinkingCircumstances, { mode }: ReasoningSettings): boolean {
  switch (mode) {
    case undefined:
      return true;
    case "enabled":
      return !traits.refusesBudgets;
    case "adaptive":
      return traits.thinksAdaptively || !traits.isClaude;
    case "disabled":
      return !traits.alwaysThinks;
  }
}

/** The caller speaks the target's language. */
function asSaid(reasoning: ReasoningSettings, maxTokens: number, about: ThinkingCircumstances): EncodedThinking {
  const { target, traits } = about;
  const { budgetTokens, display } = reasoning;
  let { mode, effort } = reasoning;
  if (effort !== undefined && traits.isClaude && !traits.takesEffort) {
    target.dropped("output_config.effort");
    effort = undefined;
  }
  if (mode === "enabled" && lacksProof(about.turns)) {
    target.dropped("thinking");
    mode = undefined;
  }
  const thinking = mode === undefined ? undefined : { type: mode, budget_tokens: budgetTokens, display };
  return { thinking, effort, maxTokens, isOn: mode === "enabled" || mode === "adaptive" };
}

function translated(reasoning: ReasoningSettings, maxTokens: number, about: ThinkingCircumstances): EncodedThinking {
  const { target, traits } = about;
  if (traits.neverThinks) {
    target.dropped("reasoning_effort");
    return { maxTokens, isOn: false };
  }
  if (reasoning.effort === "none" || reasoning.mode === "disabled") return notThinking(maxTokens, about);
  const effort = effortOf(reasoning, target);
  if (effort === undefined && reasoning.mode === undefined && reasoning.budgetTokens === undefined) {
    if (reasoning.summary !== undefined) target.dropped("reasoning.summary");
    return { maxTokens, isOn: false };
  }
  const display = reasoning.display ?? (isAskedFor(reasoning.summary) ? "summarized" : undefined);
  if (traits.thinksAdaptively) {
    const shown = effort ?? (reasoning.budgetTokens === undefined ? undefined : effortOfBudget(reasoning.budgetTokens));
    const obstacle = about.isForced || hasPrefill(about.turns);
    if (obstacle) target.dropped("thinking");
    const thinking = obstacle ? undefined : { type: "adaptive", display };
    return { thinking, effort: shown, maxTokens, isOn: !obstacle };
  }
  if (about.isForced || hasPrefill(about.turns) || lacksProof(about.turns)) {
    target.dropped("thinking");
    return { maxTokens, isOn: false };
  }
  const budget = Math.max(leastBudget, reasoning.budgetTokens ?? budgets[effort ?? "medium"]);
  const thinking = { type: "enabled", budget_tokens: budget, display };
  return { thinking, maxTokens: maxTokens > budget ? maxTokens : budget + roomForAnswer, isOn: true };
}

/** Models of before think only when told to; one that always thinks can but be told to think little. */
function notThinking(maxTokens: number, { traits }: ThinkingCircumstances): EncodedThinking {
  if (traits.alwaysThinks) return { effort: "low", maxTokens, isOn: true };
  const isOffAnyway = traits.isClaude && !traits.thinksAdaptively;
  return { thinking: isOffAnyway ? undefined : { type: "disabled" }, maxTokens, isOn: false };
}

function effortOf({ effort }: ReasoningSettings, target: TranslationTarget): Effort | undefined {
  if (effort === undefined) return undefined;
  if (isEffort(effort)) return effort;
  target.dropped("reasoning_effort");
  return "low";
}

function isEffort(effort: string): effort is Effort {
  return Object.hasOwn(budgets, effort);
}

/** As behaviour 4.2 has it for the other direction. */
function effortOfBudget(budgetTokens: number): Effort {
  if (budgetTokens < 10_000) return "low";
  return budgetTokens < 20_000 ? "medium" : "high";
}

function isAskedFor(summary: string | undefined): boolean {
  return summary !== undefined && summary !== "none";
}

/** Nothing can be thought before an answer that has begun. */
function hasPrefill(turns: readonly Turn[]): boolean {
  return turns.at(-1)?.role === "assistant";
}

/** With a budget, the turn of the last tool calls has to begin with the thoughts that led to them. */
function lacksProof(turns: readonly Turn[]): boolean {
  const last = turns.findLast((turn) => turn.role === "assistant");
  if (last === undefined || !last.blocks.some((block) => block.type === "tool_use")) return false;
  const first = last.blocks[0]?.type;
  return first !== "thinking" && first !== "redacted_thinking";
}
