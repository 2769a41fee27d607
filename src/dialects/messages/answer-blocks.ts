// Parts of a model's answer as content blocks for a caller who speaks Messages.

import type { AssistantPart, ReasoningPart, TextPart, ToolCallPart } from "../../core/chat-request.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";
import { blockBesideCall, extraContentOf, redactedBlock, signatureOf } from "./carried-state.ts";
import { encodeCitations } from "./citations.ts";
import { opaqueBlock } from "./encode-content.ts";

/** One part may need two blocks: state of others has one of its own. `idOf`: the id that a call has in this answer. */
export function encodeAnswerPart(part: AssistantPart, idOf: (id: string) => string): readonly JsonObject[] {
  switch (part.kind) {
    case "text":
      return encodeText(part);
    case "refusal":
      return part.text === "" ? [] : [{ ...part.unknown, type: "text", text: part.text }];
    case "reasoning":
      return encodeReasoning(part);
    case "tool-call":
      return encodeToolCall(part, idOf);
    case "audio":
      // The dialect has no sound.
      return [];
    case "opaque":
      return part.dialect === "messages" ? [opaqueBlock(part)] : [];
  }
}

function encodeText(part: TextPart): readonly JsonObject[] {
  const { text, annotations, unknown, state } = part;
  const blocks: JsonObject[] = [];
  if (text !== "") blocks.push({ ...unknown, type: "text", text, citations: encodeCitations(annotations) });
  if (state !== undefined) blocks.push(redactedBlock(state));
  return blocks;
}

function encodeReasoning(part: ReasoningPart): readonly JsonObject[] {
  const { text, state, unknown } = part;
  const isShown = text !== "" || (state?.kind === "signature" && state.issuer === "anthropic");
  if (!isShown) return state === undefined ? [] : [{ ...unknown, ...redactedBlock(state) }];
  return [{ ...unknown, type: "thinking", thinking: text, signature: state === undefined ? "" : signatureOf(state) }];
}

function encodeToolCall(part: ToolCallPart, idOf: (id: string) => string): readonly JsonObject[] {
  const { name, state, unknown } = part;
  const id = idOf(part.id);
  const input = part.toolKind === "custom" ? { input: part.arguments } : inputOf(part.arguments);
  const call = { ...unknown, type: "tool_use", id, name, input, extra_content: extraContentOf(state) };
  return state === undefined ? [call] : [blockBesideCall(state, id), call];
}

/** https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming says how to hand on input that is no JSON. */
function inputOf(text: string): JsonObject {
  if (text.trim() === "") return {};
  try {
    const parsed = parseExactly(text);
    if (isJsonObject(parsed)) return parsed;
  } catch {
    // A model's mistake that the model can be told of.
  }
  return { INVALID_JSON: text };
}
