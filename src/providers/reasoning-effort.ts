// The two spellings of how much a model shall think, brought into the flat one that most providers take.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { isObject } from "./request-fields.ts";
import type { RequestFields } from "./request-fields.ts";

/**
 * Edits that leave `reasoning_effort` as `translate` says and no `reasoning: {effort}` beside it; where a caller sent both, the object wins
 * (behaviour 4.7). `translate` gives undefined for an effort that the model would refuse: it is dropped.
 */
export function flatReasoningEffort(
  fields: RequestFields,
  translate: (effort: string) => string | undefined,
): readonly JsonEdit[] {
  const hasFlat = fields.has("reasoning_effort");
  const nested = fields.has("reasoning") ? effortOf(fields.value("reasoning")) : undefined;
  const asked = nested ?? (hasFlat ? fields.value("reasoning_effort") : undefined);
  if (typeof asked !== "string") return [];
  const edits: JsonEdit[] = nested === undefined ? [] : [{ kind: "remove", key: "reasoning" }];
  const effort = translate(asked);
  if (effort === undefined) {
    if (hasFlat) edits.push({ kind: "remove", key: "reasoning_effort" });
  } else if (nested !== undefined || effort !== asked) {
    edits.push({ kind: "set", key: "reasoning_effort", json: JSON.stringify(effort) });
  }
  return edits;
}

/** The same for Responses, where only the object is known: what else is in it stays. */
export function nestedReasoningEffort(
  fields: RequestFields,
  translate: (effort: string) => string | undefined,
): readonly JsonEdit[] {
  const reasoning = fields.has("reasoning") ? fields.value("reasoning") : undefined;
  const asked = effortOf(reasoning);
  if (asked === undefined || !isObject(reasoning)) return [];
  const effort = translate(asked);
  if (effort === asked) return [];
  const { effort: _asked, ...rest } = reasoning;
  if (effort !== undefined) return [{ kind: "set", key: "reasoning", json: JSON.stringify({ ...rest, effort }) }];
  if (Object.keys(rest).length === 0) return [{ kind: "remove", key: "reasoning" }];
  return [{ kind: "set", key: "reasoning", json: JSON.stringify(rest) }];
}

function effortOf(reasoning: unknown): string | undefined {
  return isObject(reasoning) && typeof reasoning["effort"] === "string" ? reasoning["effort"] : undefined;
}

/** The model refuses to be told: both spellings go. */
export const dropEffort = (): undefined => undefined;

/** Only the spelling changes. */
export const keepEffort = (effort: string): string => effort;
