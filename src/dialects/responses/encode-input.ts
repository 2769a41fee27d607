// The messages of the hub, as the items of `input`.

import type {
  AssistantMessage,
  AssistantPart,
  ChatMessage,
  ReasoningPart,
  ToolCallPart,
  ToolMessage,
} from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { encodeContentPart, encodeToolOutput, foreignPart } from "./encode-content.ts";
import { vendorContent } from "./vendor-state.ts";

export interface EncodedInput {
  readonly instructions?: string;
  readonly input: readonly object[];
}

/** A system message of one text that leads a conversation becomes `instructions`; the others keep their places and roles. */
export function encodeMessages(messages: readonly ChatMessage[], target: TranslationTarget): EncodedInput {
  const [first] = messages;
  const instructions = first === undefined || messages.length < 2 ? undefined : leadingText(first);
  const items: object[] = [];
  for (const message of instructions === undefined ? messages : messages.slice(1)) pushMessage(message, items, target);
  return { ...(instructions === undefined ? {} : { instructions }), input: items };
}

/** Undefined: the message says more than `instructions` can. */
export function leadingText(message: ChatMessage): string | undefined {
  if (message.role !== "system" || message.unknown !== undefined || message.name !== undefined) return undefined;
  const [part] = message.parts;
  if (message.parts.length !== 1 || part?.kind !== "text" || part.unknown !== undefined) return undefined;
  return part.text;
}

function pushMessage(message: ChatMessage, items: object[], target: TranslationTarget): void {
  if (message.name !== undefined) target.dropped("name");
  switch (message.role) {
    case "system":
    case "developer":
    case "user":
      return pushSaid(message, items, target);
    case "assistant":
      return pushAnswer(message, items, target);
    case "tool":
      items.push(encodeToolResult(message, target));
  }
}

function pushSaid(
  message: Exclude<ChatMessage, AssistantMessage | ToolMessage>,
  items: object[],
  target: TranslationTarget,
): void {
  const { role, parts, unknown } = message;
  let content: object[] = [];
  const flush = (): void => {
    if (content.length > 0) items.push({ ...unknown, type: "message", role, content });
    content = [];
  };
  for (const part of parts) {
    // An item of this dialect that stands by itself (a tool's output, a compaction).
    if (part.kind === "opaque" && part.dialect === "responses") {
      flush();
      items.push(itemOf(part.value));
    } else if (part.kind !== "text" || part.text !== "") content.push(encodeContentPart(part, target));
  }
  flush();
}

/** What the model said in one turn: messages for text and refusals, and an item of its own for everything else, in order. */
function pushAnswer(message: AssistantMessage, items: object[], target: TranslationTarget): void {
  let content: object[] = [];
  let unknown = message.unknown;
  const flush = (): void => {
    if (content.length > 0 || unknown !== undefined)
      items.push({ ...unknown, type: "message", role: "assistant", content });
    content = [];
    unknown = undefined;
  };
  for (const part of message.parts) {
    const inMessage = encodeSpoken(part, target);
    if (inMessage !== undefined) content.push(inMessage);
    else {
      const item = encodeTurnItem(part, target);
      if (item === undefined) continue;
      if (content.length > 0) flush();
      items.push(item);
    }
  }
  flush();
}

function encodeSpoken(part: AssistantPart, target: TranslationTarget): object | undefined {
  if (part.kind === "text" && part.text !== "") return { ...part.unknown, type: "output_text", text: part.text };
  if (part.kind === "refusal") return { ...part.unknown, type: "refusal", refusal: part.text };
  if (part.kind === "opaque" && part.dialect === "responses" && part.type.startsWith("input_"))
    return itemOf(part.value);
  if (part.kind === "audio") throw foreignPart("audio of an earlier answer", target);
  return undefined;
}

function encodeTurnItem(part: AssistantPart, target: TranslationTarget): object | undefined {
  switch (part.kind) {
    case "reasoning":
      return encodeReasoning(part, target);
    case "tool-call":
      return encodeCall(part, target);
    case "opaque":
      if (part.dialect !== "responses") throw foreignPart(part.type, target);
      return itemOf(part.value);
    case "text":
    case "refusal":
    case "audio":
      return undefined;
  }
}

/** Without state of this issuer only the text is left, which few providers want back. */
function encodeReasoning(part: ReasoningPart, target: TranslationTarget): object | undefined {
  const { text, state, unknown } = part;
  // OpenAI shows summaries only, whatever a dialect on the way has called them.
  const isSummary = part.isSummary === true || target.issuer === "openai";
  const shown = isSummary ? { summary: summaryOf(text) } : { summary: [], ...contentOf(text) };
  if (state === undefined || state.issuer !== target.issuer) {
    if (!target.accepts.reasoningContent || text === "") return undefined;
    return { ...unknown, type: "reasoning", summary: [], ...contentOf(text) };
  }
  if (state.kind !== "encrypted") {
    return { ...unknown, type: "reasoning", ...shown, extra_content: vendorContent(state, text) };
  }
  const id = state.id === undefined ? {} : { id: state.id };
  return { ...unknown, type: "reasoning", ...id, ...shown, encrypted_content: state.value };
}

export function summaryOf(text: string): readonly object[] {
  return text === "" ? [] : [{ type: "summary_text", text }];
}

function contentOf(text: string): { content?: readonly object[] } {
  return text === "" ? {} : { content: [{ type: "reasoning_text", text }] };
}

function encodeCall(part: ToolCallPart, target: TranslationTarget): object {
  const { id, name, state, unknown } = part;
  const own = state?.issuer === target.issuer ? { extra_content: vendorContent(state, "") } : {};
  if (part.toolKind === "custom" && target.accepts.customTools) {
    return { ...unknown, type: "custom_tool_call", call_id: id, name, input: part.arguments, ...own };
  }
  return { ...unknown, type: "function_call", call_id: id, name, arguments: functionArguments(part), ...own };
}

function functionArguments(part: ToolCallPart): string {
  if (part.toolKind === "custom") return JSON.stringify({ input: part.arguments });
  return part.arguments === "" ? "{}" : part.arguments;
}

function encodeToolResult(message: ToolMessage, target: TranslationTarget): object {
  if (message.isError) target.dropped("is_error");
  const custom = message.toolKind === "custom" && target.accepts.customTools;
  return {
    ...message.unknown,
    type: custom ? "custom_tool_call_output" : "function_call_output",
    call_id: message.callId,
    output: encodeToolOutput(message.parts, target),
  };
}

function itemOf(value: unknown): object {
  return typeof value === "object" && value !== null ? value : {};
}
