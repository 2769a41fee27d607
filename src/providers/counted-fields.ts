// What a request to count tokens may hold: everything else is left out, so that a request made for an answer can be counted as it is.

import type { ModelRequest } from "../core/model-request.ts";
import type { JsonEdit } from "../dialects/json/edit-object.ts";

/** Behaviour 4.2. */
const counted: ReadonlySet<string> = new Set([
  "model",
  "messages",
  "system",
  "tools",
  "tool_choice",
  "thinking",
  "cache_control",
  "output_config",
]);

/** Removes what does not count. */
export function countedFields({ members }: Pick<ModelRequest, "members">): readonly JsonEdit[] {
  return members.flatMap(({ key }) => (counted.has(key) ? [] : [{ kind: "remove", key } as const]));
}
