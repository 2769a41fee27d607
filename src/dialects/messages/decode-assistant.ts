// Blocks that a model said, in a history or in an answer, as parts of the hub.

import type { AssistantPart, ReasoningPart, ToolCallPart } from "../../core/chat-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { Members } from "../json/members.ts";
import { settleThoughts, stateOfExtraContent, stateOfRedacted, stateOfSignature } from "./carried-state.ts";
import { decodeContent, decodeText, extrasOf, opaquePart, plainText, required, typeOf } from "./decode-block.ts";

/** `content` of a message of the assistant in a caller's history. */
export function decodeAssistantContent(message: Members): readonly AssistantPart[] {
  return settleThoughts(decodeContent<AssistantPart>(message, decodeAssistantBlock, plainText));
}

function decodeAssistantBlock(block: Members): readonly AssistantPart[] {
  const type = typeOf(block);
  switch (type) {
    case "text":
      return [decodeText(block)];
    case "thinking":
      return [decodeThinking(block)];
    case "redacted_thinking":
      return [{ kind: "reasoning", ...stateOfRedacted(required(block, "data")), ...extrasOf(block) }];
    case "tool_use":
      return [decodeToolUse(block)];
  }
  return [opaquePart(block, type)];
}

/** Without a signature it is text that nobody wants back. */
function decodeThinking(block: Members): ReasoningPart {
  const text = block.text("thinking") ?? "";
  const state = stateOfSignature(block.text("signature"));
  const isSummary = state?.kind === "encrypted" && text !== "" ? true : undefined;
  return { kind: "reasoning", text, isSummary, state, ...extrasOf(block) };
}

function decodeToolUse(block: Members): ToolCallPart {
  const input = block.value("input") ?? {};
  if (!isJsonObject(input)) throw block.wrong("input", "an object");
  const caller = block.value("caller");
  const state = stateOfExtraContent(block.value("extra_content"));
  const call: ToolCallPart = {
    kind: "tool-call",
    id: required(block, "id"),
    name: required(block, "name"),
    arguments: JSON.stringify(input),
    toolKind: "function",
    state,
    ...extrasOf(block),
  };
  // Only a call out of a program needs to be told from one that the model made itself.
  const isDirect = caller === undefined || (isJsonObject(caller) && caller.type === "direct");
  return isDirect ? call : { ...call, unknown: { ...call.unknown, caller } };
}
