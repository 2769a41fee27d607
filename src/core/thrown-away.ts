// What the answers used that were held back and broke before anybody saw them: they are billed like others (behaviour 2.12).

import type { AnswerFacts } from "./model-request.ts";
import type { BrokenPart } from "./record.ts";
import type { Turn } from "./turn.ts";
import type { Usage } from "./usage.ts";

const caveat = "estimated: the stream broke before the provider told what it used";

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
  const usage: Usage = {
    inputTokens: whole.inputTokens,
    outputTokens: events,
    totalTokens: whole.inputTokens + events,
    cachedInputTokens: 0,
    cacheWriteTokens: 0,
    reasoningTokens: 0,
    audioInputTokens: 0,
    audioOutputTokens: 0,
    cacheIsExtra: false,
    reasoningIsExtra: false,
    unmappedFields: [],
    raw: {},
    caveat,
  };
  return { ...facts, usage };
}
