// The documented members of a Responses request that no other dialect has, with what leaving them out would mean.

import type { OwnField } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";

/** https://developers.openai.com/api/reference/resources/responses/methods/create; `client_metadata` is what codex sends. */
const harmless = [
  "max_tool_calls",
  "truncation",
  "safety_identifier",
  "prompt_cache_retention",
  "prompt_cache_options",
  "stream_options",
  "context_management",
  "client_metadata",
];

/** A conversation or a prompt holds messages, moderation may refuse, and an answer in the background comes in another way. */
const changesResult = ["conversation", "prompt", "moderation"];

/** In the order in which they are listed here. */
export function readOwnFields(request: Members): readonly OwnField[] {
  const fields: OwnField[] = [];
  for (const name of harmless) push(request, name, "harmless", fields);
  for (const name of changesResult) push(request, name, "changes-result", fields);
  const background = request.flag("background");
  if (background !== undefined) {
    fields.push({ name: "background", value: background, weight: background ? "changes-result" : "harmless" });
  }
  return fields;
}

function push(request: Members, name: string, weight: OwnField["weight"], fields: OwnField[]): void {
  const value = request.value(name);
  if (value !== undefined) fields.push({ name, value, weight });
}
