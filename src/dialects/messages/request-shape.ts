// Fits the fields of a Messages request that was made for one Claude model to another one that it failed over to.

import type { ModelRequest } from "../../core/model-request.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { type ModelTraits, traitsOf } from "./claude-models.ts";
import { withoutThinking } from "./without-thinking.ts";

/** Behaviour 3.6; what another effort comes to is the most. */
const budgets: ReadonlyMap<unknown, number> = new Map([
  ["low", 5000],
  ["medium", 10_000],
]);
const largestBudget = 20_000;
/** What is left for the answer when `max_tokens` has no room for the thinking (behaviour 3.6). */
const roomForAnswer = 1024;

const decoder = new TextDecoder();

/**
 * The edits for `model`, none when its name says nothing about what it takes. Only for a request that has failed over to another model: what the caller
 * wrote for the model that it asked for passes as it is. `messages` and `system` are not touched. To be made before the edits of `cleanHistory`, which may
 * have to take the thinking out altogether.
 */
export function fitToModel(request: ModelRequest, model: string): readonly JsonEdit[] {
  const traits = traitsOf(model);
  if (!traits.isKnown) return [];
  const fields = new Fields(request);
  const edits = [...thinkingEdits(request, fields, traits)];
  if (!traits.takesEffort) edits.push(...withoutEffort(fields));
  if (traits.refusesSampling) for (const key of ["temperature", "top_p", "top_k"]) edits.push(...removed(fields, key));
  return edits;
}

function thinkingEdits(request: ModelRequest, fields: Fields, traits: ModelTraits): readonly JsonEdit[] {
  const thinking = fields.object("thinking");
  if (thinking === undefined) return [];
  if (traits.neverThinks) return withoutThinking(request);
  const isAdaptive = traits.thinksAdaptively || traits.refusesBudgets;
  switch (thinking.type) {
    case "disabled":
      return traits.refusesDisabled ? removed(fields, "thinking") : [];
    case "enabled":
      return isAdaptive ? adaptive(thinking, fields) : [];
    case "adaptive":
      return isAdaptive ? [] : budgeted(request, thinking, fields);
  }
  return [];
}

/** How hard to think is then said by the effort. */
function adaptive({ budget_tokens: budget, ...thinking }: JsonObject, fields: Fields): readonly JsonEdit[] {
  const edits: JsonEdit[] = [set("thinking", { ...thinking, type: "adaptive" })];
  const config = fields.object("output_config") ?? {};
  if (config.effort === undefined && typeof budget === "number") {
    const effort = budget < 10_000 ? "low" : budget < largestBudget ? "medium" : "high";
    edits.push(set("output_config", { ...config, effort }));
  }
  return edits;
}

/** A budget, with room for it; a forced tool call and manual thinking exclude each other, and the tool is what the caller insists on. */
function budgeted(request: ModelRequest, thinking: JsonObject, fields: Fields): readonly JsonEdit[] {
  const choice = fields.object("tool_choice")?.type;
  if (choice === "any" || choice === "tool") return withoutThinking(request);
  // Without an effort it is medium (behaviour 4.2).
  const effort = fields.object("output_config")?.effort ?? "medium";
  const budget = budgets.get(effort) ?? largestBudget;
  const edits: JsonEdit[] = [set("thinking", { ...thinking, type: "enabled", budget_tokens: budget })];
  const most = fields.value("max_tokens");
  if (typeof most === "number" && most <= budget) edits.push(set("max_tokens", budget + roomForAnswer));
  if (fields.value("temperature") !== 1) edits.push(...removed(fields, "temperature"));
  edits.push(...removed(fields, "top_k"));
  return edits;
}

function withoutEffort(fields: Fields): readonly JsonEdit[] {
  const config = fields.object("output_config");
  if (config === undefined || !Object.hasOwn(config, "effort")) return [];
  const { effort: _, ...rest } = config;
  return Object.keys(rest).length === 0 ? removed(fields, "output_config") : [set("output_config", rest)];
}

function removed(fields: Fields, key: string): readonly JsonEdit[] {
  return fields.value(key) === undefined ? [] : [{ kind: "remove", key }];
}

function set(key: string, value: unknown): JsonEdit {
  return { kind: "set", key, json: JSON.stringify(value) };
}

/** Decodes only what is asked for: the messages may be large. */
class Fields {
  readonly #request: ModelRequest;

  constructor(request: ModelRequest) {
    this.#request = request;
  }

  value(key: string): unknown {
    const { body, members } = this.#request;
    const member = members.findLast((candidate) => candidate.key === key);
    if (member === undefined) return undefined;
    return parseExactly(decoder.decode(body.subarray(member.valueStart, member.valueEnd)));
  }

  object(key: string): JsonObject | undefined {
    const value = this.value(key);
    return isJsonObject(value) ? value : undefined;
  }
}
