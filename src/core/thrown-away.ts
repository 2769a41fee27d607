// What the answers used that were held back and broke before anybody saw them: they are billed like others (behaviour 2.12).

import { estimatedUsage } from "./estimated-usage.ts";
import type { AnswerFacts } from "./model-request.ts";
import type { BrokenPart } from "./record.ts";
import type { Turn } from "./turn.ts";
import type { Usage } from "./usage.ts";

/**
 * In order. One that did not tell is estimated from the whole answer that came after it: the same prompt, and a token for each event. Without
 * such an answer it stays unknown.
 */
export function thrownAwayParts(turns: readonly Turn[], whole: Usage | undefined): readonly BrokenPart[] {
  return turns.flatMap(({ target, attempts }) =>
    attempts.flatMap(({ thrownAway }) =>
      thrownAway === undefined ? [] : [{ target, facts: factsOf(thrownAway.facts, thrownAway.events, whole) }],
    ),
  );
}

function factsOf(facts: AnswerFacts, events: number, whole: Usage | undefined): AnswerFacts {
  const told = facts.usage;
  if (whole === undefined || (told !== undefined && told.totalTokens + told.inputTokens + told.outputTokens > 0)) {
    return facts;
  }
  return { ...facts, usage: estimatedUsage(whole.inputTokens, events) };
}
