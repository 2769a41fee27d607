// `system` and `messages` of a caller's request as messages of the hub.

import type { ChatMessage, ContentPart, InstructionMessage, ToolMessage } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";
import { decodeAssistantContent } from "./decode-assistant.ts";
import { decodeContent, decodeContentBlock, extrasOf, plainText, required } from "./decode-block.ts";

/** Undefined: there is no system prompt. */
export function decodeSystem(body: Members): InstructionMessage | undefined {
  const system = body.value("system");
  if (system === undefined || system === "") return undefined;
  if (typeof system === "string") return { role: "system", parts: [plainText(system)] };
  if (!Array.isArray(system)) throw body.wrong("system", "a string or a list of text blocks");
  const parts = (body.objects("system") ?? []).flatMap(decodeContentBlock);
  return parts.length === 0 ? undefined : { role: "system", parts };
}

export function decodeMessage(message: Members): readonly ChatMessage[] {
  const role = required(message, "role");
  switch (role) {
    case "system":
      return [{ role, parts: contentOf(message), unknown: message.unknown() }];
    case "assistant":
      return [{ role, parts: decodeAssistantContent(message), unknown: message.unknown() }];
    case "user":
      return decodeUserMessage(message);
  }
  throw message.wrong("role", '"user", "assistant" or "system"');
}

function contentOf(message: Members): ContentPart[] {
  if (message.value("content") === undefined) throw message.wrong("content", "a string or a list of content blocks");
  return decodeContent<ContentPart>(message, decodeContentBlock, plainText);
}

/**
 * Results of tools become messages of their own, in order; what else the user says is one message behind them, wherever it stood: between a call and its
 * result nothing may come, neither here (https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls) nor in a chat.
 */
function decodeUserMessage(message: Members): readonly ChatMessage[] {
  if (typeof message.value("content") === "string") {
    return [{ role: "user", parts: contentOf(message), unknown: message.unknown() }];
  }
  const blocks = message.objects("content");
  if (blocks === undefined) throw message.wrong("content", "a string or a list of content blocks");
  const messages: ChatMessage[] = [];
  const parts: ContentPart[] = [];
  for (const block of blocks) {
    if (block.value("type") === "tool_result") messages.push(decodeToolResult(block));
    else parts.push(...decodeContentBlock(block));
  }
  const unknown = message.unknown();
  if (parts.length > 0 || messages.length === 0 || unknown !== undefined)
    messages.push({ role: "user", parts, unknown });
  return messages;
}

function decodeToolResult(block: Members): ToolMessage {
  return {
    role: "tool",
    callId: required(block, "tool_use_id"),
    toolKind: "function",
    parts: decodeContent<ContentPart>(block, decodeContentBlock, plainText),
    isError: block.flag("is_error") ?? false,
    ...extrasOf(block),
  };
}
