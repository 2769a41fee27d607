// The history as Anthropic wants it: the system prompt apart, users and assistants in turn, results of tools first in the user's message.

import type { ChatMessage, ChatRequest, InstructionMessage, ToolMessage } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { traitsOf } from "./claude-models.ts";
import { encodeAssistantParts } from "./encode-assistant.ts";
import { contentOf, encodeContentParts, isPlainText } from "./encode-content.ts";
import { createToolIds } from "./tool-ids.ts";

/** One message of the wire under construction. */
export interface Turn {
  readonly role: "user" | "assistant" | "system";
  readonly results: JsonObject[];
  readonly blocks: JsonObject[];
  unknown: JsonObject | undefined;
}

export interface EncodedHistory {
  /** Undefined: none. */
  readonly system: unknown;
  readonly turns: readonly Turn[];
}

export function encodeHistory(request: ChatRequest, target: TranslationTarget): EncodedHistory {
  // Only a caller who speaks Messages knows which models take them; everybody else's are put together (behaviour 4.2, 4.3).
  const keepsSystem = request.dialect === "messages" && traitsOf(target.model).takesSystemMessages;
  const system: JsonObject[] = [];
  const turns: Turn[] = [];
  const toolId = createToolIds();
  for (const message of request.messages) {
    if (message.name !== undefined) target.dropped("messages[].name");
    switch (message.role) {
      case "system":
      case "developer": {
        const blocks = encodeInstructions(message, target);
        if (keepsSystem && turns.length > 0) add(turns, "system", message).blocks.push(...blocks);
        else system.push(...blocks);
        break;
      }
      case "user": {
        const blocks = encodeContentParts(message.parts, target);
        if (blocks.length > 0) add(turns, "user", message).blocks.push(...blocks);
        break;
      }
      case "tool":
        add(turns, "user", undefined).results.push(encodeToolResult(message, target, toolId));
        break;
      case "assistant": {
        const blocks = encodeAssistantParts(message.parts, target, toolId);
        if (blocks.length > 0) add(turns, "assistant", message).blocks.push(...blocks);
        break;
      }
    }
  }
  if (request.dialect !== "messages") trimPrefill(turns);
  return { system: systemOf(system, request.dialect === "messages"), turns };
}

export function messageOf(turn: Turn): JsonObject {
  const { role, results, blocks, unknown } = turn;
  const content = contentOf(results.length === 0 ? blocks : [...results, ...blocks]);
  return unknown === undefined ? { role, content } : { ...unknown, role, content };
}

/** Messages of one role that follow each other are one to Anthropic. */
function add(turns: Turn[], role: Turn["role"], message: ChatMessage | undefined): Turn {
  let turn = turns.at(-1);
  if (turn?.role !== role) {
    turn = { role, results: [], blocks: [], unknown: undefined };
    turns.push(turn);
  }
  if (message?.unknown !== undefined) turn.unknown = { ...turn.unknown, ...message.unknown };
  return turn;
}

function encodeInstructions(message: InstructionMessage, target: TranslationTarget): JsonObject[] {
  if (message.parts.some((part) => part.kind !== "text")) {
    throw invalidRequest("anthropic system messages only support text content", { param: "messages" });
  }
  return encodeContentParts(message.parts, target);
}

/** One text, unless a part carries something of its own or the caller gave blocks, whose borders are his. */
function systemOf(blocks: readonly JsonObject[], isOwnDialect: boolean): unknown {
  if (blocks.length === 0) return undefined;
  if (!blocks.every(isPlainText) || (isOwnDialect && blocks.length > 1)) return blocks;
  return blocks.map((block) => block.text).join("\n\n");
}

function encodeToolResult(message: ToolMessage, target: TranslationTarget, toolId: (id: string) => string): JsonObject {
  if (message.callId === "") {
    throw invalidRequest("tool message is missing tool_call_id", { param: "messages[].tool_call_id" });
  }
  const blocks = encodeContentParts(resultParts(message, target), target);
  return {
    ...message.unknown,
    type: "tool_result",
    tool_use_id: toolId(message.callId),
    content: blocks.length === 0 ? undefined : contentOf(blocks),
    is_error: message.isError ? true : undefined,
    cache_control: message.cacheControl,
  };
}

/** Behaviour 4.2: where a provider takes no images and documents in results, their text is all that is sent. */
function resultParts({ parts }: ToolMessage, target: TranslationTarget): ToolMessage["parts"] {
  if (target.accepts.mediaInToolResults) return parts;
  const texts = parts.filter((part) => part.kind !== "image" && part.kind !== "file");
  if (texts.length < parts.length) target.dropped("messages[].content[].tool_result.content");
  return texts;
}

/** https://platform.claude.com/docs/en/api/messages: a beginning of the answer must not end in white space. */
function trimPrefill(turns: readonly Turn[]): void {
  const last = turns.at(-1);
  const block = last?.role === "assistant" ? last.blocks.at(-1) : undefined;
  if (last === undefined || block?.type !== "text" || typeof block.text !== "string") return;
  last.blocks[last.blocks.length - 1] = { ...block, text: block.text.trimEnd() };
}
