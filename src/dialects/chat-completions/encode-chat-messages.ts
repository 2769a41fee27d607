// The hub's messages for a provider that speaks chat completions.

import type {
  AssistantMessage,
  AssistantPart,
  ChatMessage,
  InstructionMessage,
  OpaquePart,
  ReasoningPart,
  ToolCallPart,
  ToolMessage,
  UserMessage,
} from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { around, asText, type ContentContext, encodeContent, encodeText } from "./encode-chat-content.ts";
import { encodeToolCall } from "./encode-tool-calls.ts";
import { extraOfReasoning, extraOfThought, joinExtra } from "./extra-content.ts";
import { detailsOfParts } from "./reasoning-details.ts";

export function encodeMessages(messages: readonly ChatMessage[], context: ContentContext): readonly JsonObject[] {
  return joinTurns(messages, context).map((message) => encodeMessage(message, context));
}

/** Responses have an item for each call and each text; here all that the assistant does in one turn is one message (behaviour 4.4). */
function joinTurns(messages: readonly ChatMessage[], { dialect }: ContentContext): readonly ChatMessage[] {
  if (dialect === "chat-completions") return messages;
  const joined: ChatMessage[] = [];
  for (const message of messages) {
    const last = joined.at(-1);
    const isSameTurn =
      message.role === "assistant" &&
      last?.role === "assistant" &&
      message.unknown === undefined &&
      last.unknown === undefined;
    if (isSameTurn) joined[joined.length - 1] = { ...last, parts: [...last.parts, ...message.parts] };
    else joined.push(message);
  }
  return joined;
}

function encodeMessage(message: ChatMessage, context: ContentContext): JsonObject {
  switch (message.role) {
    case "system":
    case "developer":
    case "user":
      return encodePlain(message, context);
    case "assistant":
      return encodeAssistant(message, context);
    case "tool":
      return encodeToolResult(message, context);
  }
}

function encodePlain(message: InstructionMessage | UserMessage, context: ContentContext): JsonObject {
  // `developer` is OpenAI's; everybody else knows the older name of the same.
  const role = message.role === "developer" && context.target.issuer !== "openai" ? "system" : message.role;
  return { ...message.unknown, role, ...nameOf(message), content: encodeContent(message.parts, context) };
}

function nameOf({ name }: ChatMessage): JsonObject {
  return name === undefined ? {} : { name };
}

function encodeAssistant(message: AssistantMessage, context: ContentContext): JsonObject {
  const { target } = context;
  const refusals = ofKind(message.parts, "refusal");
  const calls = ofKind(message.parts, "tool-call");
  const reasoning = encodeReasoning(ofKind(message.parts, "reasoning"), target);
  const content = encodeSaid(message.parts, context);
  const thought = ofKind(message.parts, "text").findLast(({ state }) => state?.issuer === target.issuer)?.state;
  const extra = joinExtra(reasoning.extra, thought === undefined ? undefined : extraOfThought(thought));
  return {
    ...message.unknown,
    role: "assistant",
    ...nameOf(message),
    content,
    ...(refusals.length === 0 ? {} : { refusal: refusals.map(({ text }) => text).join("") }),
    ...reasoning.members,
    ...encodeOpaque(message.parts, target),
    ...(calls.length === 0 ? {} : { tool_calls: calls.map((call) => encodeToolCall(ownState(call, target), target)) }),
    ...(extra === undefined ? {} : { extra_content: extra }),
  };
}

/** Text; null when there is none and something else instead. The model said its texts in one go, so nothing comes between them. */
function encodeSaid(parts: readonly AssistantPart[], context: ContentContext): unknown {
  const said = parts.flatMap((part) => {
    if (part.kind === "text") return [encodeText(part, context.target)];
    return part.kind === "opaque" && !isAudioOf(part) && !isRecord(part) ? [part.value as JsonObject] : [];
  });
  if (said.length === 0) return parts.some((part) => part.kind !== "reasoning" && !isRecord(part)) ? null : "";
  return asText(said, context.dialect === "responses" ? " " : "", context) ?? said;
}

/** The id of what an assistant said aloud, which a chat message has beside its content. */
function isAudioOf(part: OpaquePart): boolean {
  return part.type === "audio";
}

/** State of others is left out; text goes where the target wants earlier reasoning back, or with its own state. */
function encodeReasoning(
  parts: readonly ReasoningPart[],
  target: TranslationTarget,
): { readonly members: JsonObject; readonly extra: JsonObject | undefined } {
  const own = parts.filter(({ state }) => state?.issuer === target.issuer);
  const text = parts.map((part) => part.text).filter((one) => one !== "");
  const members: Record<string, unknown> = {};
  if (target.accepts.reasoningContent && text.length > 0) members.reasoning_content = text.join("\n\n");
  // OpenAI reads its own state in Responses only, and refuses messages with members that it does not know.
  if (target.issuer === "openai") return { members, extra: undefined };
  // Those two have a place of their own in `extra_content`; a provider in between keeps its own list.
  if (["anthropic", "google"].includes(target.issuer)) return { members, extra: extraOfReasoning(own) };
  if (own.length > 0) members.reasoning_details = detailsOfParts(own);
  return { members, extra: undefined };
}

function ownState(call: ToolCallPart, target: TranslationTarget): ToolCallPart {
  if (call.state === undefined || call.state.issuer === target.issuer) return call;
  const { state: _state, ...rest } = call;
  return rest;
}

/** What a provider noted about its own doing: nothing that the caller said. */
function isRecord(part: AssistantPart): boolean {
  return part.kind === "opaque" && part.record === true;
}

/** The id of an earlier audio answer. Throws for blocks that only another dialect has. */
function encodeOpaque(parts: readonly AssistantPart[], target: TranslationTarget): JsonObject {
  let members: JsonObject = {};
  for (const part of parts) {
    if (part.kind === "opaque" && isRecord(part)) {
      target.dropped(part.type);
      continue;
    }
    if (part.kind === "audio" || (part.kind === "opaque" && part.dialect !== "chat-completions")) {
      const type = part.kind === "audio" ? "audio" : part.type;
      throw invalidRequest(
        `\`messages\`: a block of type \`${type}\` is not supported by provider ${target.providerName}: leave it out or use another model`,
        { param: "messages" },
      );
    }
    if (part.kind === "opaque" && isAudioOf(part)) members = { audio: part.value };
  }
  return members;
}

/** Text only, unless the target takes more (behaviour 4.2). An error is told by nothing but its text. */
function encodeToolResult(message: ToolMessage, context: ContentContext): JsonObject {
  const { target } = context;
  const keepsMedia = target.accepts.mediaInToolResults;
  const parts = keepsMedia ? message.parts : message.parts.filter(({ kind }) => kind === "text" || kind === "opaque");
  if (parts.length < message.parts.length) target.dropped("images and files in tool results");
  const content = encodeContent(parts, context);
  const isOwn = target.issuer === "anthropic";
  if (message.isError && !isOwn) target.dropped("is_error");
  return {
    ...around(message, target),
    role: "tool",
    tool_call_id: message.callId,
    ...nameOf(message),
    // Without a word a failure would read as an empty success.
    content: content === "" && message.isError && !isOwn ? "error" : content,
    ...(message.isError && isOwn ? { extra_content: { anthropic: { is_error: true } } } : {}),
  };
}

type PartOf<Kind extends AssistantPart["kind"]> = Extract<AssistantPart, { readonly kind: Kind }>;

function ofKind<Kind extends AssistantPart["kind"]>(parts: readonly AssistantPart[], kind: Kind): PartOf<Kind>[] {
  return parts.filter((part): part is PartOf<Kind> => part.kind === kind);
}
