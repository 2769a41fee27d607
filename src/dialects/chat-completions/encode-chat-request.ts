// A request of the hub for a provider that speaks chat completions; the provider type's own quirks come after this.

import type { ChatRequest, OutputFormat, ReasoningSettings } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { customToolsAsFunctions } from "../hub/custom-tools.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { encodeMessages } from "./encode-chat-messages.ts";
import { encodeTools } from "./encode-chat-tools.ts";
import { meetsStrictRules } from "./strict-schema.ts";

/** The JSON text of the body. Throws a 400 `Failure` naming field and provider for what changes the result and cannot be honoured. */
export function encodeChatRequest(original: ChatRequest, target: TranslationTarget): string {
  const request = target.accepts.customTools ? original : customToolsAsFunctions(original);
  if (request.previousResponseId !== undefined) {
    throw notSupported("previous_response_id", target, "send the whole conversation instead");
  }
  const context = { target, dialect: request.dialect };
  const body: JsonObject = {
    ...request.unknown,
    ...encodeOwn(request, target),
    model: target.model,
    messages: encodeMessages(request.messages, context),
    ...encodeTools(request, target),
    ...encodeSampling(request, target),
    ...encodeReasoning(request, target),
    ...encodeFormat(request),
    ...encodeForOpenAi(request, target),
    ...(request.stream ? encodeStream(request) : {}),
  };
  return JSON.stringify(body);
}

function encodeSampling(request: ChatRequest, target: TranslationTarget): JsonObject {
  const isOwn = request.dialect === "chat-completions";
  if (request.topK !== undefined && !isOwn) target.dropped("top_k");
  const { topLogprobs } = request;
  return withoutAbsent({
    max_tokens: request.maxTokens,
    temperature: request.temperature,
    top_p: request.topP,
    top_k: isOwn ? request.topK : undefined,
    stop: request.stop,
    seed: request.seed,
    n: request.choices,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    logit_bias: request.logitBias,
    // The other dialects have one field for both.
    logprobs: request.logprobs ?? (topLogprobs === undefined || isOwn ? undefined : true),
    top_logprobs: topLogprobs,
  });
}

/** https://platform.openai.com/docs/api-reference/chat/create#stream_options; the caller's own wish is seen to by the answer's encoder. */
function encodeStream(request: ChatRequest): JsonObject {
  const options = request.own.find(({ name }) => name === "stream_options")?.value;
  const others = request.dialect === "chat-completions" ? options : undefined;
  return { stream: true, stream_options: { ...(others as JsonObject | undefined), include_usage: true } };
}

/** Behaviour 4.2 and 4.7: one word for everything that says how much to think. */
function encodeReasoning({ reasoning, dialect }: ChatRequest, target: TranslationTarget): JsonObject {
  if (reasoning === undefined) return {};
  if (reasoning.summary !== undefined) target.dropped("reasoning.summary");
  if (reasoning.display !== undefined) target.dropped("thinking.display");
  const effort = effortOf(reasoning);
  if (effort !== undefined) return { reasoning_effort: effort };
  if (reasoning.mode === "disabled") target.dropped(dialect === "messages" ? "thinking" : "reasoning");
  return {};
}

function effortOf({ effort, budgetTokens, mode }: ReasoningSettings): string | undefined {
  if (effort !== undefined) return effort;
  if (mode === "disabled") return undefined;
  if (budgetTokens !== undefined) return budgetTokens < 10_000 ? "low" : budgetTokens < 20_000 ? "medium" : "high";
  return mode === undefined ? undefined : "medium";
}

function encodeFormat({ format, dialect }: ChatRequest): JsonObject {
  const encoded = format === undefined ? undefined : formatOf(format, dialect === "messages");
  // Plain text is what everybody gives anyway, and not everybody knows the word; a chat caller wrote it for a chat.
  if (encoded === undefined || (format?.kind === "text" && dialect !== "chat-completions")) return {};
  return { response_format: encoded };
}

function formatOf(format: OutputFormat, isFromMessages: boolean): JsonObject {
  switch (format.kind) {
    case "text":
      return { type: "text" };
    case "json":
      return { type: "json_object" };
    case "json-schema": {
      const { description, schema } = format;
      // Messages has no such word: its schemas are always kept to (behaviour 4.2).
      const strict = format.strict ?? (isFromMessages ? meetsStrictRules(schema) : undefined);
      return {
        type: "json_schema",
        json_schema: withoutAbsent({ name: format.name ?? "response", description, schema, strict }),
      };
    }
  }
}

/** What only OpenAI takes, and others may refuse: a hint or a label each, so that nothing is lost without it. */
function encodeForOpenAi(request: ChatRequest, target: TranslationTarget): JsonObject {
  const isChat = request.dialect === "chat-completions";
  const fields = {
    verbosity: request.verbosity,
    // The one of Messages is a session's name, mostly longer than what OpenAI takes.
    user: request.dialect === "messages" ? undefined : request.user,
    metadata: request.metadata,
    // Anthropic's tiers are others.
    service_tier: request.dialect === "messages" ? undefined : request.serviceTier,
    // A Responses caller means the stored response, which the gateway keeps.
    store: request.dialect === "responses" ? undefined : request.store,
    prompt_cache_key: request.promptCacheKey,
  };
  const present = withoutAbsent(fields);
  if (isChat || target.issuer === "openai") return present;
  for (const field of Object.keys(present)) target.dropped(field);
  return {};
}

/** A chat caller's own go back as they came, but for those that are elsewhere in the hub already. */
function encodeOwn(request: ChatRequest, target: TranslationTarget): JsonObject {
  const members: [string, unknown][] = [];
  for (const { name, value, weight } of request.own) {
    if (request.dialect === "chat-completions") {
      if (name !== "functions" && name !== "stream_options") members.push([name, value]);
    } else if (weight === "harmless") target.dropped(name);
    else throw notSupported(name, target, "leave it out or use another model");
  }
  return Object.fromEntries(members);
}

function notSupported(field: string, target: TranslationTarget, remedy: string): Error {
  return invalidRequest(`\`${field}\` is not supported by provider ${target.providerName}: ${remedy}`, {
    param: field,
  });
}

function withoutAbsent(members: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
