// How many tokens the prompt of a request is, without asking its provider (behaviour 4.2, count_tokens).

import type {
  AssistantPart,
  ChatMessage,
  ChatRequest,
  ChatTool,
  ContentPart,
  ToolChoice,
} from "../../core/chat-request.ts";
import { audioTokens, fileTokens, imageTokens } from "./media-tokens.ts";
import { textTokens } from "./text-tokens.ts";

interface Framing {
  /** Once: the beginning of the answer. */
  readonly start: number;
  readonly message: number;
  readonly instructions: number;
  /** What a provider says about tools as soon as there are any; `forced`: one of them has to be called. */
  readonly tools: number;
  readonly forcedTools: number;
  readonly tool: number;
}

/**
 * What OpenAI writes around messages (https://github.com/openai/openai-cookbook, How_to_count_tokens_with_tiktoken: 3 for each, 3 for the answer; a dozen for
 * functions and seven for each).
 */
const openaiFraming: Framing = { start: 3, message: 3, instructions: 3, tools: 12, forcedTools: 12, tool: 7 };

/** What Anthropic does, so that its clients see what they know (https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview: 346 and 313). */
const anthropicFraming: Framing = { start: 3, message: 4, instructions: 0, tools: 346, forcedTools: 313, tool: 7 };

const callFraming = 8;
const resultFraming = 4;
/** Characters of reasoning that nobody but its issuer can read: its tokens of four characters, encrypted and in base64. */
const unreadableCharactersPerToken = 6;

/**
 * At least 1, whole, never throws. Within a tenth of what OpenAI counts for prose, code and JSON in the common scripts; what is known not to be: base64 in
 * a text is counted too low, and images and documents at Anthropic's price. Reasoning counts from the caller's last message on: providers leave out what is before.
 */
export function estimateInputTokens(request: ChatRequest): number {
  const framing = request.dialect === "messages" ? anthropicFraming : openaiFraming;
  let tokens = framing.start;
  const lastSaid = request.messages.findLastIndex(({ role }) => role === "user");
  for (const [index, message] of request.messages.entries()) {
    tokens += messageTokens(message, index > lastSaid, framing);
  }
  tokens += toolTokens(request.tools, request.toolChoice, framing);
  const { format } = request;
  if (format?.kind === "json-schema") {
    tokens += textTokens(`${format.name ?? ""}\n${format.description ?? ""}`) + jsonTokens(format.schema);
  }
  return Math.max(1, Math.ceil(tokens));
}

function messageTokens(message: ChatMessage, countsReasoning: boolean, framing: Framing): number {
  let tokens = message.name === undefined ? 0 : textTokens(message.name) + 1;
  switch (message.role) {
    case "system":
    case "developer":
      tokens += framing.instructions;
      break;
    case "user":
    case "assistant":
      tokens += framing.message;
      break;
    case "tool":
      tokens += framing.message + resultFraming;
      break;
  }
  for (const part of message.parts) tokens += partTokens(part, countsReasoning);
  return tokens;
}

function partTokens(part: ContentPart | AssistantPart, countsReasoning: boolean): number {
  switch (part.kind) {
    case "text":
    case "refusal":
      return textTokens(part.text);
    case "image":
      return imageTokens(part);
    case "file":
      return fileTokens(part);
    case "audio":
      return audioTokens(part);
    case "tool-call":
      return callFraming + textTokens(part.name) + textTokens(part.arguments);
    case "opaque":
      return jsonTokens(part.value);
    case "reasoning": {
      if (!countsReasoning) return 0;
      const { state } = part;
      const isUnreadable = state?.kind === "redacted" || state?.kind === "encrypted";
      return isUnreadable ? state.value.length / unreadableCharactersPerToken : textTokens(part.text);
    }
  }
}

function toolTokens(tools: readonly ChatTool[], choice: ToolChoice | undefined, framing: Framing): number {
  if (tools.length === 0) return 0;
  const forced = choice?.kind === "required" || choice?.kind === "named";
  let tokens = forced ? framing.forcedTools : framing.tools;
  for (const tool of tools) {
    tokens += framing.tool;
    switch (tool.kind) {
      case "function":
        tokens += textTokens(`${tool.name}\n${tool.description ?? ""}`) + jsonTokens(tool.parameters);
        break;
      case "custom":
        tokens += textTokens(`${tool.name}\n${tool.description ?? ""}`) + jsonTokens(tool.format);
        break;
      case "hosted":
        tokens += jsonTokens(tool.value);
        break;
    }
  }
  return tokens;
}

/** What cannot be written as JSON is not sent either. */
function jsonTokens(value: unknown): number {
  if (value === undefined) return 0;
  try {
    return textTokens(JSON.stringify(value) ?? "");
  } catch {
    return 0;
  }
}
