// A request of the hub, for a provider that speaks Responses.

import type { ChatRequest, OutputFormat } from "../../core/chat-request.ts";
import { invalidRequest } from "../../core/failure.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { includeLogprobs } from "./decode-request.ts";
import { effortOf, reasons } from "./encode-effort.ts";
import { encodeMessages } from "./encode-input.ts";
import { encodeTools, toolChoiceValue } from "./encode-tools.ts";

const encryptedReasoning = "reasoning.encrypted_content";

/** https://developers.openai.com/api/reference/resources/responses/methods/create: less is refused. */
const smallestLimit = 16;

/** The JSON text of the body. Throws a 400 naming field and provider for what Responses cannot say and the answer depends on. */
export function encodeRequest(request: ChatRequest, target: TranslationTarget): string {
  const native = request.dialect === "responses";
  // Only OpenAI's own models are known by their names.
  const thinks = target.issuer === "openai" ? reasons(target.model) : undefined;
  refuse(request, target);
  const tools = encodeTools(request.tools, target, native);
  const body: Record<string, unknown> = {
    model: target.model,
    ...encodeMessages(request.messages, target),
    ...(tools.length === 0 ? {} : { tools }),
    ...choiceOf(request, target),
    ...plainFields(request, native),
    ...aboutCaller(request, target),
    ...samplingOf(request, target, !native && thinks === true),
    ...textOf(request),
    ...reasoningOf(request, target, native || thinks !== false),
    ...includeOf(request, native, thinks ?? request.reasoning !== undefined),
  };
  if (!native) body.store = request.store ?? false;
  writeOwn(request, body, target);
  dropOthers(request, target);
  return JSON.stringify({ ...request.unknown, ...body });
}

function refuse(request: ChatRequest, target: TranslationTarget): void {
  if ((request.choices ?? 1) > 1) throw unsupported("n", target, "ask for one answer at a time");
  if (request.previousResponseId !== undefined && target.issuer !== "openai") {
    throw unsupported("previous_response_id", target, "send the whole conversation as `input`");
  }
  if (request.dialect === "responses") return;
  const own = request.own.find(({ name, weight }) => weight === "changes-result" && !isOurs(request, name));
  if (own !== undefined) throw unsupported(own.name, target, "remove it or choose another model");
  if (request.toolChoice?.kind === "hosted" && request.toolChoice.dialect !== "responses") {
    throw unsupported("tool_choice", target, "choose one of your own tools");
  }
}

function unsupported(field: string, target: TranslationTarget, change: string): Error {
  return invalidRequest(`\`${field}\` is not supported by provider ${target.providerName}: ${change}`, {
    param: field,
  });
}

function choiceOf(request: ChatRequest, target: TranslationTarget): object {
  if (request.toolChoice === undefined) return {};
  return { tool_choice: toolChoiceValue(request.toolChoice, request.tools, target.accepts.customTools) };
}

function plainFields(request: ChatRequest, native: boolean): object {
  const { maxTokens } = request;
  return withoutAbsent({
    stream: request.stream ? true : undefined,
    parallel_tool_calls: request.parallelToolCalls,
    max_output_tokens: maxTokens === undefined || native ? maxTokens : Math.max(maxTokens, smallestLimit),
    top_logprobs: request.topLogprobs,
    // Anthropic's word for it.
    service_tier: request.serviceTier === "standard_only" ? "default" : request.serviceTier,
    store: native ? request.store : undefined,
    prompt_cache_key: request.promptCacheKey,
    previous_response_id: request.previousResponseId,
  });
}

/** Behaviour 4.2: Anthropic's `metadata.user_id` is a sign of the session, and longer than OpenAI takes. */
function aboutCaller(request: ChatRequest, target: TranslationTarget): object {
  const { user, metadata } = request;
  if (request.dialect !== "messages") return withoutAbsent({ user, metadata });
  if (user !== undefined || metadata !== undefined) target.dropped("metadata.user_id");
  return {};
}

/** `refused`: models that reason take neither. */
function samplingOf(request: ChatRequest, target: TranslationTarget, refused: boolean): object {
  const { temperature, topP } = request;
  if (!refused) return withoutAbsent({ temperature, top_p: topP });
  if (temperature !== undefined) target.dropped("temperature");
  if (topP !== undefined) target.dropped("top_p");
  return {};
}

function textOf(request: ChatRequest): object {
  const { format, verbosity } = request;
  if (format === undefined && verbosity === undefined) return {};
  return { text: withoutAbsent({ format: format === undefined ? undefined : formatValue(format), verbosity }) };
}

/** `text.format`. */
export function formatValue(format: OutputFormat): object {
  switch (format.kind) {
    case "text":
      return { type: "text" };
    case "json":
      return { type: "json_object" };
    case "json-schema": {
      const { description, schema, strict } = format;
      return withoutAbsent({ type: "json_schema", name: format.name ?? "response", description, schema, strict });
    }
  }
}

/** `thinks`: false for a model that refuses to be told how much to think. */
function reasoningOf(request: ChatRequest, target: TranslationTarget, thinks: boolean): object {
  const settings = request.reasoning;
  if (settings === undefined) return {};
  const summary = settings.summary ?? (settings.display === "summarized" ? "auto" : undefined);
  const reasoning = withoutAbsent({ effort: effortOf(settings), summary });
  if (Object.keys(reasoning).length === 0) return {};
  if (!thinks) {
    target.dropped("reasoning");
    return {};
  }
  return { reasoning };
}

/**
 * What a provider that keeps nothing has to give back so that the next turn can go on from it. `thinks`: OpenAI refuses to be asked for the state
 * of a model that does not reason.
 */
function includeOf(request: ChatRequest, native: boolean, thinks: boolean): object {
  const include: unknown[] = [];
  if (request.logprobs === true) include.push(includeLogprobs);
  const own = native ? request.own.find(({ name }) => name === "include")?.value : undefined;
  if (Array.isArray(own)) include.push(...own);
  if (!native && thinks) include.push(encryptedReasoning);
  return include.length === 0 ? {} : { include };
}

/** Members that the hub has no place for, at their places; what another dialect alone says is left out. */
function writeOwn(request: ChatRequest, body: Record<string, unknown>, target: TranslationTarget): void {
  for (const { name, value } of request.own) {
    if (!isOurs(request, name)) {
      target.dropped(name);
      continue;
    }
    const [outer = "", inner] = name.split(".");
    if (inner === undefined) {
      if (name !== "include") body[name] = value;
      continue;
    }
    const parent = body[outer];
    body[outer] = { ...(typeof parent === "object" ? parent : {}), [inner]: value };
  }
}

/** OpenAI has these in both of its dialects, in the same form. */
const sharedWithChat: ReadonlySet<string> = new Set([
  "safety_identifier",
  "prompt_cache_retention",
  "prompt_cache_options",
  "moderation",
]);

function isOurs(request: ChatRequest, name: string): boolean {
  return request.dialect === "responses" || (request.dialect === "chat-completions" && sharedWithChat.has(name));
}

/** Responses has none of these. `stop` is cut out of the answer elsewhere. */
function dropOthers(request: ChatRequest, target: TranslationTarget): void {
  const others = {
    top_k: request.topK,
    seed: request.seed,
    frequency_penalty: request.frequencyPenalty,
    presence_penalty: request.presencePenalty,
    logit_bias: request.logitBias,
  };
  for (const [field, value] of Object.entries(others)) if (value !== undefined) target.dropped(field);
  if (hasCacheHints(request)) target.dropped("cache_control");
}

function hasCacheHints(request: ChatRequest): boolean {
  const isMarked = (holder: { readonly cacheControl?: unknown } | object): boolean =>
    "cacheControl" in holder && holder.cacheControl !== undefined;
  return (
    request.tools.some(isMarked) ||
    request.messages.some((message) => isMarked(message) || message.parts.some(isMarked))
  );
}

function withoutAbsent(members: Record<string, unknown>): object {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}
