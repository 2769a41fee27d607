// The messages as `systemInstruction` and `contents`, in turns that alternate.

import type { ChatMessage, ChatRequest, InstructionMessage } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { fieldNames, unsupported } from "./caller-fields.ts";
import { isGemini3 } from "./model-family.ts";
import { assistantPart, contentPart } from "./request-parts.ts";
import type { MessageContext } from "./request-parts.ts";
import { toolResultParts } from "./tool-results.ts";

/** https://ai.google.dev/gemini-api/docs/thought-signatures: for calls that no Gemini model made, instead of the signature that Gemini 3 insists on. */
const placeholderSignature = "skip_thought_signature_validator";

interface Turn {
  readonly role: "user" | "model";
  readonly parts: JsonObject[];
  unknown: JsonObject;
}

export interface EncodedMessages {
  readonly systemInstruction?: JsonObject;
  readonly contents: readonly JsonObject[];
}

/** Throws a 400 for what a message cannot say here, and for a tool result without its call. */
export function encodeMessages(request: ChatRequest, target: TranslationTarget): EncodedMessages {
  const context: MessageContext = { request, target, sendsCallIds: target.providerType !== "vertex" };
  const instructions: Turn = { role: "user", parts: [], unknown: {} };
  const turns: Turn[] = [];
  const callNames = new Map<string, string>();
  for (const message of request.messages) {
    if (message.role !== "tool" && message.name !== undefined) target.dropped("name");
    if (isInstruction(message)) {
      instructions.parts.push(...instructionParts(message, context));
      instructions.unknown = { ...instructions.unknown, ...message.unknown };
    } else addMessage(turns, message, callNames, context);
  }
  if (isGemini3(target.model)) turns.forEach(addPlaceholder);
  // A conversation needs a turn of the user: instructions alone are one.
  if (turns.length === 0 && instructions.parts.length > 0) return { contents: [written(instructions)] };
  if (turns.length === 0) {
    throw invalidRequest(
      `\`${fieldNames(request).messages}\` has no text: send at least one message that says something`,
      {
        param: fieldNames(request).messages,
      },
    );
  }
  const contents = turns.map(written);
  if (instructions.parts.length === 0) return { contents };
  return { systemInstruction: { ...instructions.unknown, parts: instructions.parts }, contents };
}

function addMessage(
  turns: Turn[],
  message: Exclude<ChatMessage, InstructionMessage>,
  callNames: Map<string, string>,
  context: MessageContext,
): void {
  switch (message.role) {
    case "user":
      addParts(
        turns,
        "user",
        message.parts.map((part) => contentPart(part, context)),
        message.unknown,
      );
      return;
    case "assistant":
      for (const part of message.parts) if (part.kind === "tool-call") callNames.set(part.id, part.name);
      addParts(
        turns,
        "model",
        message.parts.map((part) => assistantPart(part, context)),
        message.unknown,
      );
      return;
    case "tool": {
      const name = callNames.get(message.callId) ?? message.name;
      if (name === undefined) {
        const field = context.request.dialect === "chat-completions" ? "tool_call_id" : "call_id";
        throw invalidRequest(`the tool result for \`${message.callId}\` has no tool call before it in the history`, {
          param: field,
        });
      }
      addParts(turns, "user", toolResultParts(message, name, context), undefined);
    }
  }
}

/** Results of parallel calls belong into one turn, and so does whatever else follows from the same side. */
function addParts(
  turns: Turn[],
  role: Turn["role"],
  parts: readonly (JsonObject | undefined)[],
  unknown: JsonObject | undefined,
): void {
  const said = parts.filter((part) => part !== undefined);
  if (said.length === 0) return;
  const last = turns.at(-1);
  if (last?.role === role) {
    last.parts.push(...said);
    last.unknown = { ...last.unknown, ...unknown };
  } else turns.push({ role, parts: said, unknown: unknown ?? {} });
}

/** Only the first of parallel calls has a signature, and it has to. */
function addPlaceholder(turn: Turn): void {
  const index = turn.parts.findIndex((part) => part["functionCall"] !== undefined);
  const first = turn.parts[index];
  if (first === undefined || first["thoughtSignature"] !== undefined) return;
  turn.parts[index] = { ...first, thoughtSignature: placeholderSignature };
}

function instructionParts(message: InstructionMessage, context: MessageContext): readonly JsonObject[] {
  return message.parts.flatMap((part) => {
    if (part.kind !== "text") {
      const field = fieldNames(context.request).messages;
      throw unsupported(
        field,
        context.target,
        "system messages can hold text only, put other content into a message of the user",
      );
    }
    const encoded = contentPart(part, context);
    return encoded === undefined ? [] : [encoded];
  });
}

function isInstruction(message: ChatMessage): message is InstructionMessage {
  return message.role === "system" || message.role === "developer";
}

function written({ role, parts, unknown }: Turn): JsonObject {
  return { ...unknown, role, parts };
}
