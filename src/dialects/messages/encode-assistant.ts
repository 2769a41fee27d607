// What the model said before, as content blocks for a provider.

import type { AssistantPart, ReasoningPart, ToolCallPart } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";
import { encodeText, opaqueBlock } from "./encode-content.ts";
import { refuse } from "./refuse.ts";

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use, and behaviour 3.6. */
const maxToolCalls = 1024;

export function encodeAssistantParts(
  parts: readonly AssistantPart[],
  target: TranslationTarget,
  toolId: (id: string) => string,
): JsonObject[] {
  if (parts.filter((part) => part.kind === "tool-call").length > maxToolCalls) {
    throw refuse("messages[].tool_calls", target, `a message may have at most ${maxToolCalls} of them`);
  }
  return parts.map((part) => encodePart(part, target, toolId)).filter((block) => block !== undefined);
}

function encodePart(
  part: AssistantPart,
  target: TranslationTarget,
  toolId: (id: string) => string,
): JsonObject | undefined {
  switch (part.kind) {
    case "text":
      return encodeText(part);
    case "refusal":
      return encodeText({ ...part, kind: "text" });
    case "reasoning":
      return encodeReasoning(part, target);
    case "tool-call":
      return encodeToolCall(part, toolId);
    case "audio":
      throw refuse("messages[].audio", target, "send what was said as text");
    case "opaque":
      if (part.dialect === "messages") return opaqueBlock(part);
      if (part.record === true) {
        target.dropped(part.type);
        return undefined;
      }
      throw refuse(`messages[].content[].${part.type}`, target, "leave it out or call a provider that knows it");
  }
}

/** Only with the issuer's own proof; without one it goes to those alone who take the text of earlier thoughts. */
function encodeReasoning(part: ReasoningPart, target: TranslationTarget): JsonObject | undefined {
  const { state, text, unknown } = part;
  if (state !== undefined && state.issuer === target.issuer) {
    if (state.kind === "signature") return { ...unknown, type: "thinking", thinking: text, signature: state.value };
    if (state.kind === "redacted") return { ...unknown, type: "redacted_thinking", data: state.value };
  }
  return target.accepts.reasoningContent && text !== ""
    ? { type: "thinking", thinking: text, signature: "" }
    : undefined;
}

function encodeToolCall(part: ToolCallPart, toolId: (id: string) => string): JsonObject {
  const { id, name, cacheControl, unknown } = part;
  const input = part.toolKind === "custom" ? { input: part.arguments } : inputOf(part);
  return { ...unknown, type: "tool_use", id: toolId(id), name, input, cache_control: cacheControl };
}

/** Exactly one object; no arguments are an empty one. */
function inputOf(part: ToolCallPart): JsonObject {
  if (part.arguments.trim() === "") return {};
  try {
    const parsed = parseExactly(part.arguments);
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // Told below, with the name of the call.
  }
  throw invalidRequest(
    `the arguments of the tool call \`${part.id}\` (${part.name}) must be exactly one JSON object, such as {}`,
    { param: "messages[].tool_calls[].function.arguments" },
  );
}
