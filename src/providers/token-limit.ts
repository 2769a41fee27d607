// The two names of the limit on an answer's tokens, brought to the one that a provider reads.

import type { JsonEdit } from "../dialects/json/edit-object.ts";
import type { RequestFields } from "./request-fields.ts";

/** For OpenAI's newer models and whoever follows them. A null is as good as absent; where both names have a value, the newer one counts. */
export function asMaxCompletionTokens(fields: RequestFields): readonly JsonEdit[] {
  if (!fields.has("max_tokens")) return [];
  const rename: JsonEdit = { kind: "rename", key: "max_tokens", to: "max_completion_tokens" };
  const newerIsEmpty = fields.json("max_completion_tokens") === "null";
  return newerIsEmpty ? [{ kind: "remove", key: "max_completion_tokens" }, rename] : [rename];
}

/** For providers that know only the older name: they refuse the newer one, or pass over it and answer without a limit. */
export function asMaxTokens(fields: RequestFields): readonly JsonEdit[] {
  if (!fields.has("max_completion_tokens")) return [];
  if (fields.json("max_completion_tokens") === "null") return [{ kind: "remove", key: "max_completion_tokens" }];
  return [
    { kind: "remove", key: "max_tokens" },
    { kind: "rename", key: "max_completion_tokens", to: "max_tokens" },
  ];
}
