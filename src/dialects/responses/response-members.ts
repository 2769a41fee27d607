// The documented members of a response object; what else it holds is unknown and handed on.

import type { UnknownMembers } from "../../core/chat-request.ts";
import type { JsonObject } from "../json/is-json-object.ts";

/** https://developers.openai.com/api/reference/resources/responses, "The response object". `provider` is the gateway's own and never handed on. */
const documented: ReadonlySet<string> = new Set([
  "id",
  "object",
  "created_at",
  "completed_at",
  "status",
  "background",
  "billing",
  "error",
  "incomplete_details",
  "instructions",
  "conversation",
  "frequency_penalty",
  "max_output_tokens",
  "max_tool_calls",
  "metadata",
  "model",
  "moderation",
  "output",
  "output_text",
  "parallel_tool_calls",
  "presence_penalty",
  "previous_response_id",
  "prompt",
  "prompt_cache_diagnostics",
  "prompt_cache_key",
  "prompt_cache_options",
  "prompt_cache_retention",
  "provider",
  "reasoning",
  "safety_identifier",
  "service_tier",
  "store",
  "temperature",
  "text",
  "tool_choice",
  "tools",
  "top_logprobs",
  "top_p",
  "truncation",
  "usage",
  "user",
]);

/** Undefined: nothing is. */
export function unknownOfResponse(response: JsonObject): UnknownMembers | undefined {
  const unknown = Object.entries(response).filter(([key]) => !documented.has(key));
  return unknown.length === 0 ? undefined : Object.fromEntries(unknown);
}
