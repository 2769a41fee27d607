// What a response object, or the event that ends a stream with one, tells about what was used.

import type { AnswerFacts } from "../../core/model-request.ts";
import { isAllZero, readUsage } from "../answers/usage.ts";
import type { UsageFamily } from "../answers/usage.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** Statuses of a response that is still to come: it is never reported as empty (behaviour 2.9). */
const pending: ReadonlySet<unknown> = new Set(["queued", "in_progress"]);

/** `last`: the event that ended the answer; undefined when there was none. `hasItems`: a part of the output came before it. */
export function factsOfResponse(last: JsonObject | undefined, family: UsageFamily, hasItems: boolean): AnswerFacts {
  const response = isJsonObject(last?.response) ? last.response : {};
  const usage = readUsage(response.usage, family, response.cost);
  if (last === undefined) return { usage, emptyReason: undefined };
  const hasOutput = hasItems || (Array.isArray(response.output) && response.output.length > 0);
  const isCompleted = last.type === "response.completed" || response.status === "completed";
  if (isCompleted && !hasOutput) return { usage, emptyReason: "no_output" };
  const isUnused = usage === undefined || isAllZero(usage);
  return { usage, emptyReason: isUnused && !pending.has(response.status) ? "no_usage" : undefined };
}
