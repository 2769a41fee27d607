// The rule table: how every fault ends, written from the specification and apart from the code that is tested with it.

import type { Dialect } from "../../../src/core/chat-request.ts";
import type { AnswerMode } from "../../../src/upstream-simulator/asked.ts";
import type { FaultDescription } from "../../../src/upstream-simulator/fault.ts";
import type { Ending } from "./ending.ts";
import type { Resilience } from "./profiles.ts";
import { decide, formOf, type Rule } from "./rule.ts";
import { answerRules } from "./rules-of-answers.ts";
import { dialectRules } from "./rules-of-dialects.ts";
import { documentRules } from "./rules-of-documents.ts";
import { streamRules } from "./rules-of-streams.ts";
import type { Pair } from "./speakers.ts";

export const rules: readonly Rule[] = [...answerRules, ...documentRules, ...streamRules, ...dialectRules];

const byFault = new Map(rules.flatMap((rule) => rule.faults.map((name) => [name, rule] as const)));

/** How one attempt ends. `model`: the whole name as the provider sees it; it decides only where lengths matter. */
export function endingOf(
  fault: FaultDescription,
  example: string,
  mode: AnswerMode,
  pair: Pair,
  resilience: Resilience,
  model = example,
): Ending {
  return decide(ruleOf(fault), formOf(fault, example, pair), mode, model, resilience);
}

/** Whether a rule says so. */
export function decidesIn(fault: FaultDescription, mode: AnswerMode, dialect: Dialect): boolean {
  const { where, ...rule } = ruleOf(fault);
  return (where?.[dialect]?.[mode] ?? rule[mode]) !== undefined;
}

/** Throws for a fault that no rule speaks of. */
function ruleOf(fault: FaultDescription): Rule {
  const rule = byFault.get(fault.name);
  if (rule === undefined) throw new Error(`no rule speaks of the fault ${fault.name}`);
  return rule;
}
