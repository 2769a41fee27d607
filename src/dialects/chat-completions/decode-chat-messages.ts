// The messages of a chat request as those of the hub, with what older forms of them mean.

import type { AssistantPart, ChatMessage, ContentPart, ReasoningPart, ToolCallPart } from "../../core/chat-request.ts";
import type { Members } from "../json/members.ts";
import { decodeAssistantContent, decodeContent } from "./decode-chat-content.ts";
import { argumentsOf, decodeToolCalls } from "./decode-tool-calls.ts";
import { saysToolError, takeReasoningBlocks, takeThought } from "./extra-content.ts";
import { partsOfDetails, readReasoningDetails } from "./reasoning-details.ts";
import { isThinkingPart, reasoningTextIn, thinkingText } from "./reasoning-text.ts";

/** Messages of one request, in order: a result of a tool is told apart by the call before it. */
export function decodeMessages(messages: readonly Members[]): readonly ChatMessage[] {
  const history = new ToolHistory();
  return messages.map((message) => decodeMessage(message, history));
}

/** Which calls there were so far. */
class ToolHistory {
  readonly #custom = new Set<string>();
  #unnamed = 0;
  #legacyCall: string | undefined;

  saw(calls: readonly ToolCallPart[]): void {
    for (const { id, toolKind } of calls) if (toolKind === "custom") this.#custom.add(id);
  }

  kindOf(callId: string): "function" | "custom" {
    return this.#custom.has(callId) ? "custom" : "function";
  }

  /** The same in each request with the same history, so that caches of prompts stay good. */
  newId(): string {
    return `call_${this.#unnamed++}`;
  }

  /** Calls by `function_call` have no id; their results follow them at once. */
  startLegacyCall(): string {
    this.#legacyCall = this.newId();
    return this.#legacyCall;
  }

  takeLegacyCall(): string {
    const id = this.#legacyCall ?? this.newId();
    this.#legacyCall = undefined;
    return id;
  }
}

function decodeMessage(message: Members, history: ToolHistory): ChatMessage {
  const role = message.text("role") ?? "";
  switch (role) {
    case "system":
    case "developer":
    case "user":
      return { role, ...nameOf(message), parts: cached(decodeContent(message), message), ...unknownOf(message) };
    case "assistant": {
      const parts = decodeAssistant(message, history);
      return { role, ...nameOf(message), parts, ...unknownOf(message) };
    }
    case "tool":
    case "function": {
      const callId = role === "tool" ? message.text("tool_call_id") : history.takeLegacyCall();
      if (callId === undefined)
        throw message.wrong("tool_call_id", "the id of the tool call that this is the result of");
      const isError = saysToolError(message.value("extra_content"));
      const cacheControl = message.value("cache_control");
      return {
        role: "tool",
        callId,
        toolKind: history.kindOf(callId),
        ...nameOf(message),
        parts: decodeContent(message),
        isError,
        ...(cacheControl === undefined ? {} : { cacheControl }),
        ...unknownOf(message),
      };
    }
  }
  throw message.wrong("role", "`system`, `developer`, `user`, `assistant` or `tool`");
}

function decodeAssistant(message: Members, history: ToolHistory): readonly AssistantPart[] {
  const parts = decodeAssistantContent(message, (part, earlier) => {
    if (!isThinkingPart(part)) return false;
    earlier.push({ kind: "reasoning", text: thinkingText(part) });
    return true;
  });
  const refusal = message.text("refusal");
  if (refusal !== undefined && refusal !== "") parts.push({ kind: "refusal", text: refusal });
  const audio = message.value("audio");
  if (audio !== undefined) parts.push({ kind: "opaque", dialect: "chat-completions", type: "audio", value: audio });
  message.value("annotations");
  // OpenAI's SDK adds it to messages that it returns (https://github.com/openai/openai-node/blob/master/helpers.md); it says nothing new.
  message.value("parsed");
  const calls = decodeToolCalls(message, () => history.newId());
  const legacy = message.object("function_call");
  if (legacy !== undefined && calls.length === 0) calls.push(legacyCall(legacy, history.startLegacyCall()));
  history.saw(calls);
  const state = takeThought(message);
  const marked = state === undefined ? parts : markLastText(parts, state);
  return [...reasoningIn(message), ...cachedAssistant(marked, message), ...calls];
}

function legacyCall(call: Members, id: string): ToolCallPart {
  const name = call.text("name") ?? "";
  return { kind: "tool-call", id, name, arguments: argumentsOf(call, "arguments"), toolKind: "function" };
}

/** Blocks with their state say all that the plain text beside them says. */
function reasoningIn(message: Members): readonly ReasoningPart[] {
  const text = reasoningTextIn(message);
  const blocks = takeReasoningBlocks(message);
  const details = partsOfDetails(readReasoningDetails(message.value("reasoning_details"), "openrouter"));
  if (blocks.length > 0) return blocks;
  if (details.some((part) => part.text !== "")) return details;
  return text === "" ? details : [{ kind: "reasoning", text }, ...details];
}

function markLastText(parts: readonly AssistantPart[], state: ReasoningPart["state"]): readonly AssistantPart[] {
  const last = parts.findLastIndex(({ kind }) => kind === "text");
  if (last < 0 || state === undefined) return parts;
  return parts.map((part, index) => (index === last && part.kind === "text" ? { ...part, state } : part));
}

/** A message's own `cache_control` (LiteLLM) is that of its last part. */
function cached(parts: readonly ContentPart[], message: Members): readonly ContentPart[] {
  const cacheControl = message.value("cache_control");
  if (cacheControl === undefined) return parts;
  return parts.map((part, index) =>
    index < parts.length - 1 || part.kind === "opaque" ? part : { cacheControl, ...part },
  );
}

function cachedAssistant(parts: readonly AssistantPart[], message: Members): readonly AssistantPart[] {
  const cacheControl = message.value("cache_control");
  if (cacheControl === undefined) return parts;
  return parts.map((part, index) =>
    index < parts.length - 1 || part.kind === "opaque" ? part : { cacheControl, ...part },
  );
}

function nameOf(message: Members): { readonly name?: string } {
  const name = message.text("name");
  return name === undefined ? {} : { name };
}

function unknownOf(message: Members): Pick<ChatMessage, "unknown"> {
  // State of vendors that has no place in this kind of message is for nobody else.
  message.value("extra_content");
  const unknown = message.unknown();
  return unknown === undefined ? {} : { unknown };
}
