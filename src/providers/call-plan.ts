// In which dialect a provider is asked, and what the request is in it.

import type { ChatRequest, Dialect } from "../core/chat-request.ts";
import { type Failure, invalidRequest } from "../core/failure.ts";
import type { ModelRequest, Operation } from "../core/model-request.ts";
import type { ClientTranslator, ProviderTranslator, TargetFeatures, TranslationTarget } from "../core/translation.ts";
import { chatCompletionsTranslator } from "../dialects/chat-completions/translator.ts";
import { geminiTranslator } from "../dialects/gemini/translator.ts";
import { customToolsAsFunctions } from "../dialects/hub/custom-tools.ts";
import { maxJsonDepth, scanObject } from "../dialects/json/scan-object.ts";
import { messagesTranslator } from "../dialects/messages/translator.ts";
import { responsesTranslator } from "../dialects/responses/translator.ts";
import type { ProviderWire } from "./provider-type.ts";

const clientTranslators: Record<Exclude<Dialect, "gemini">, ClientTranslator> = {
  "chat-completions": chatCompletionsTranslator,
  responses: responsesTranslator,
  messages: messagesTranslator,
};
const providerTranslators: Record<Dialect, ProviderTranslator> = { ...clientTranslators, gemini: geminiTranslator };

/** What callers of an operation speak; undefined: nothing that can be translated. */
export function callerDialect(operation: Operation): Exclude<Dialect, "gemini"> | undefined {
  switch (operation) {
    case "chat-completions":
    case "responses":
    case "messages":
      return operation;
    case "count-tokens":
      return "messages";
    case "embeddings":
      return undefined;
  }
}

export function clientTranslator(dialect: Exclude<Dialect, "gemini">): ClientTranslator {
  return clientTranslators[dialect];
}

export function providerTranslator(dialect: Dialect): ProviderTranslator {
  return providerTranslators[dialect];
}

const onlyChat: readonly Dialect[] = ["chat-completions"];

/** The caller's own dialect wherever the provider speaks it. */
export function dialectFor(wire: ProviderWire, model: string, request: ModelRequest, caller: Dialect): Dialect {
  const spoken = wire.speaks?.(model) ?? onlyChat;
  if (spoken.includes(caller)) return caller;
  const [preferred = "chat-completions"] = spoken;
  if (preferred !== "chat-completions" || !spoken.includes("responses")) return preferred;
  return needsResponses(hubRequest(request)) ? "responses" : preferred;
}

/** Images and files in tool results, and files by their URL, have no place in chat completions (behaviour 3.6, 4.2). */
function needsResponses({ messages }: ChatRequest): boolean {
  return messages.some(({ role, parts }) =>
    parts.some(
      (part) =>
        (role === "tool" && (part.kind === "image" || part.kind === "file")) ||
        (part.kind === "file" && part.source.from === "url"),
    ),
  );
}

const decoded = new WeakMap<ModelRequest, ChatRequest>();

/** Decoded once for all targets; each encoding is made from it. Throws a `Failure` for what is no valid request of its dialect. */
export function hubRequest(request: ModelRequest): ChatRequest {
  const known = decoded.get(request);
  if (known !== undefined) return known;
  const dialect = callerDialect(request.operation);
  if (dialect === undefined) throw new Error(`${request.operation} has no hub form`);
  const hub = clientTranslators[dialect].decodeRequest(request);
  decoded.set(request, hub);
  return hub;
}

const featuresOf: Record<Dialect, TargetFeatures> = {
  "chat-completions": { files: false, customTools: false, mediaInToolResults: false, reasoningContent: false },
  responses: { files: true, customTools: true, mediaInToolResults: true, reasoningContent: false },
  messages: { files: true, customTools: false, mediaInToolResults: true, reasoningContent: false },
  gemini: { files: true, customTools: false, mediaInToolResults: true, reasoningContent: false },
};

/** `wire.accepts` is about chat completions: the other dialects are what they are. */
export function featuresFor(wire: ProviderWire, dialect: Dialect): TargetFeatures {
  return dialect === "chat-completions" ? { ...featuresOf[dialect], ...wire.accepts } : featuresOf[dialect];
}

const encoder = new TextEncoder();

/** The request in the target's dialect, as if a caller had written it. Throws a 400 `Failure` for what the target cannot honour. */
export function translateRequest(request: ModelRequest, dialect: Dialect, target: TranslationTarget): ModelRequest {
  const hub = hubRequest(request);
  const said = target.accepts.customTools ? hub : customToolsAsFunctions(hub);
  const body = encoder.encode(providerTranslators[dialect].encodeRequest(said, target));
  const members = scanObject(body, maxJsonDepth);
  if ("message" in members) throw tooDeep(target, members.message);
  const operation: Operation = dialect === "gemini" ? request.operation : dialect;
  return { ...request, operation, model: target.model, body, members, wantsStreamUsage: true };
}

function tooDeep({ providerName }: TranslationTarget, message: string): Failure {
  return invalidRequest(`the request for provider ${providerName} would be ${message}: send flatter JSON`, {
    code: "too_deep",
  });
}
