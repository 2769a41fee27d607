// The parts of one message as Gemini's parts, without the empty ones.

import type { AssistantPart, ChatRequest, ContentPart, OpaquePart, ProviderState } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { parseExactly } from "../json/exact-json.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { unsupported } from "./caller-fields.ts";
import { audioPart, filePart, imagePart } from "./media-parts.ts";

/** What the encoding of messages depends on. */
export interface MessageContext {
  readonly request: ChatRequest;
  readonly target: TranslationTarget;
  /** Gemini's own API matches calls and results by id; Vertex by order only and refuses the member. */
  readonly sendsCallIds: boolean;
}

/** What a user, an instruction or a tool said. Undefined: nothing to send. */
export function contentPart(part: ContentPart, context: MessageContext): JsonObject | undefined {
  const { request, target } = context;
  if (part.kind !== "opaque" && part.kind !== "text" && part.cacheControl !== undefined)
    target.dropped("cache_control");
  switch (part.kind) {
    case "text":
      return textPart(part, context);
    case "image":
      return { ...part.unknown, ...imagePart(part, request, target) };
    case "file":
      return { ...part.unknown, ...filePart(part, request, target) };
    case "audio":
      return { ...part.unknown, ...audioPart(part) };
    case "opaque":
      return opaquePart(part, context);
  }
}

/** What the model said before. Undefined: nothing to send. */
export function assistantPart(part: AssistantPart, context: MessageContext): JsonObject | undefined {
  const { target, sendsCallIds } = context;
  switch (part.kind) {
    case "text":
      return textPart(part, context);
    case "refusal":
      return part.text === "" ? undefined : { ...part.unknown, text: part.text };
    case "reasoning": {
      const signature = signatureIn(part.state, target);
      // Thoughts without their signature mean nothing to the model.
      return signature === undefined ? undefined : { ...part.unknown, text: part.text, thought: true, ...signature };
    }
    case "tool-call": {
      const args = part.toolKind === "custom" ? { input: part.arguments } : argumentsOf(part.name, part.arguments);
      const id = sendsCallIds && part.id !== "" ? { id: part.id } : {};
      return {
        ...part.unknown,
        functionCall: { ...id, name: part.name, args },
        ...signatureIn(part.state, target),
      };
    }
    case "audio":
      return part.data === "" ? undefined : audioPart(part);
    case "opaque":
      return opaquePart(part, context);
  }
}

function textPart(part: Extract<ContentPart, { kind: "text" }>, context: MessageContext): JsonObject | undefined {
  const { target } = context;
  if (part.cacheControl !== undefined) target.dropped("cache_control");
  const signature = signatureIn(part.state, target);
  // An empty text may carry the signature of the turn: https://ai.google.dev/gemini-api/docs/thought-signatures
  if (part.text === "" && signature === undefined) return undefined;
  return { ...part.unknown, text: part.text, ...signature };
}

function signatureIn(state: ProviderState | undefined, target: TranslationTarget): JsonObject | undefined {
  if (state?.issuer !== target.issuer || state.kind !== "thought" || state.value === "") return undefined;
  return { thoughtSignature: state.value };
}

/** Exactly one JSON object (behaviour 4.3), its numbers as they were written. */
function argumentsOf(name: string, text: string): JsonObject {
  if (text.trim() === "") return {};
  let parsed: unknown;
  try {
    parsed = parseExactly(text);
  } catch {
    // Told below.
  }
  // A number too long for a double is parsed as an object, too.
  if (isJsonObject(parsed) && text.trimStart().startsWith("{")) return parsed;
  throw invalidRequest(`the arguments of the tool call \`${name}\` must be one JSON object`, { param: "arguments" });
}

/** Blocks that only the caller's dialect has. */
function opaquePart(part: OpaquePart, context: MessageContext): JsonObject | undefined {
  if (part.dialect === "gemini" && isJsonObject(part.value)) return part.value;
  if (part.record !== true) {
    throw unsupported(
      part.type,
      context.target,
      `blocks of the type ${part.type} cannot be translated, leave them out`,
    );
  }
  context.target.dropped(part.type);
  return undefined;
}
