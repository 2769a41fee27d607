// What OpenAI's reasoning models refuse in a chat request, and what it becomes instead.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import { chatShape } from "./chat-shape.ts";
import type { ChatShape } from "./provider-type.ts";
import { dropEffort, flatReasoningEffort, keepEffort } from "./reasoning-effort.ts";
import type { RequestFields } from "./request-fields.ts";
import { asMaxCompletionTokens } from "./token-limit.ts";

/** `o1`, `o3-mini`, `gpt-5`, `gpt-5-nano`, `gpt-5.1`, `gpt-6`, fine-tuned ones too; not `gpt-35-turbo`, which is Azure's spelling of 3.5. */
const reasoningModel = /^(?:ft:)?(?:o\d|gpt-(?:[5-9]|[12]\d)(?![\d]))/i;
/** The families before them: they answer 400 to `reasoning_effort`. */
const plainModel = /^(?:ft:)?(?:gpt-4|gpt-3|chatgpt-)/i;

/**
 * Goes by the model id alone, whatever the base URL: ids of this form are OpenAI's, and a proxy before OpenAI refuses what OpenAI refuses.
 * `max_tokens` becomes `max_completion_tokens`, `temperature` is dropped, `stop` is done by the gateway (behaviour 3.6).
 */
export function shapeOpenAiChat(model: string, fields: RequestFields): ChatShape | undefined {
  if (reasoningModel.test(model)) {
    const stopSequences = stopSequencesOf(fields);
    const edits: JsonEdit[] = [...asMaxCompletionTokens(fields), ...flatReasoningEffort(fields, keepEffort)];
    if (fields.has("temperature")) edits.push({ kind: "remove", key: "temperature" });
    if (stopSequences.length > 0) edits.push({ kind: "remove", key: "stop" });
    return edits.length === 0 ? undefined : { edits, stopSequences };
  }
  if (!plainModel.test(model)) return undefined;
  return chatShape(flatReasoningEffort(fields, dropEffort));
}

/** Empty for a value that is no stop sequence: the provider then says itself what is wrong with it. */
function stopSequencesOf(fields: RequestFields): readonly string[] {
  const stop = fields.has("stop") ? fields.value("stop") : undefined;
  const list: readonly unknown[] = Array.isArray(stop) ? stop : [stop];
  return list.every((entry) => typeof entry === "string" && entry !== "") ? list.map(String) : [];
}

/** What a Responses request that was meant for another model may hold and this one refuses; what a caller wrote for this very model passes. */
export function shapeOpenAiResponses(
  model: string,
  fields: RequestFields,
  madeForAnother: boolean,
): readonly JsonEdit[] {
  if (!madeForAnother) return [];
  if (reasoningModel.test(model)) return removed(fields, ["temperature", "top_p", "top_logprobs"]);
  if (!plainModel.test(model)) return [];
  return [...removed(fields, ["reasoning"]), ...withoutReasoningState(fields)];
}

function removed(fields: RequestFields, keys: readonly string[]): readonly JsonEdit[] {
  return keys.flatMap((key) => (fields.has(key) ? [{ kind: "remove", key } as const] : []));
}

/** Nothing that does not reason has encrypted reasoning to include. */
function withoutReasoningState(fields: RequestFields): readonly JsonEdit[] {
  const include = fields.has("include") ? fields.value("include") : undefined;
  if (!Array.isArray(include) || !include.includes("reasoning.encrypted_content")) return [];
  const rest = include.filter((entry) => entry !== "reasoning.encrypted_content");
  return [{ kind: "set", key: "include", json: JSON.stringify(rest) }];
}
