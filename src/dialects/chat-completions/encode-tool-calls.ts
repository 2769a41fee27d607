// A tool call as chat completions write it, for a history and for an answer.

import type { ToolCallPart } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { around } from "./encode-chat-content.ts";
import { extraOfThought } from "./extra-content.ts";

/** Without `target`: for a caller, who gets every state there is and no cache hint. */
export function encodeToolCall(call: ToolCallPart, target: TranslationTarget | undefined): JsonObject {
  return {
    ...(target === undefined ? call.unknown : around(call, target)),
    id: call.id,
    type: call.toolKind,
    ...bodyOf(call),
    ...(call.state === undefined ? {} : { extra_content: extraOfThought(call.state) }),
  };
}

/** A function without arguments has an empty object: clients parse the text. */
function bodyOf({ name, toolKind, arguments: text }: ToolCallPart): JsonObject {
  if (toolKind === "custom") return { custom: { name, input: text } };
  return { function: { name, arguments: text.trim() === "" ? "{}" : text } };
}
