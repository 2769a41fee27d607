// A request of the hub as the Messages request of a provider (behaviour 4.3, 3.6). https://platform.claude.com/docs/en/api/messages/create

import type { ChatRequest } from "../../core/chat-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { isJsonObject, type JsonObject } from "../json/is-json-object.ts";
import { traitsOf } from "./claude-models.ts";
import { encodeFormat } from "./encode-format.ts";
import { encodeHistory, messageOf } from "./encode-messages.ts";
import { encodeSampling, encodeStops } from "./encode-sampling.ts";
import { encodeThinking } from "./encode-thinking.ts";
import { encodeTools } from "./encode-tools.ts";
import { refuse } from "./refuse.ts";

/** The JSON text. Throws a 400 `Failure` for what cannot be honoured and changes the answer. */
export function encodeRequest(request: ChatRequest, target: TranslationTarget): string {
  refuseWhatChangesTheAnswer(request, target);
  dropWhatDoesNot(request, target);
  const traits = traitsOf(target.model);
  const { system, turns } = encodeHistory(request, target);
  const hasToolTurns = turns.some((turn) => turn.blocks.some((block) => block.type === "tool_use"));
  const { tools, toolChoice, isForced } = encodeTools(request, target, hasToolTurns);
  const thinking = encodeThinking({ request, target, traits, turns, isForced });
  const own = ownFieldsOf(request, target);
  const outputConfig = { ...own.outputConfig, effort: thinking.effort, format: encodeFormat(request, target) };
  const metadata = { ...(request.dialect === "messages" ? request.metadata : {}), user_id: request.user };
  const known: JsonObject = {
    model: target.model,
    max_tokens: thinking.maxTokens,
    system,
    messages: turns.map(messageOf),
    tools,
    tool_choice: toolChoice,
    ...encodeSampling(request, target, traits, thinking.isOn),
    stop_sequences: encodeStops(request, target),
    thinking: thinking.thinking,
    output_config: isGiven(outputConfig) ? outputConfig : undefined,
    metadata: isGiven(metadata) ? metadata : undefined,
    service_tier: serviceTierOf(request, target),
    stream: request.stream ? true : undefined,
  };
  // What nothing is said of leaves an unknown member of that name as it came; mostly there are none.
  const hasMore = hasMembers(request.unknown) || hasMembers(own.members);
  return JSON.stringify(hasMore ? { ...request.unknown, ...own.members, ...said(known) } : known);
}

function refuseWhatChangesTheAnswer(request: ChatRequest, target: TranslationTarget): void {
  const { choices, logprobs, topLogprobs } = request;
  if (choices !== undefined && choices > 1) throw refuse("n", target, "ask once for each answer that you want");
  if (logprobs === true || (topLogprobs ?? 0) > 0) {
    throw refuse(
      logprobs === true ? "logprobs" : "top_logprobs",
      target,
      "it tells no probabilities, leave the field out",
    );
  }
  if (request.verbosity !== undefined) {
    if (request.dialect !== "responses") {
      throw refuse("verbosity", target, "say in the prompt how long the answer shall be, and leave the field out");
    }
    target.dropped("text.verbosity");
  }
  if (request.previousResponseId !== undefined) {
    throw refuse("previous_response_id", target, "it keeps no conversations, send the whole history as input");
  }
  if (request.dialect === "messages") return;
  for (const { name, weight } of request.own) {
    if (weight === "changes-result") throw refuse(name, target, "leave the field out or call a provider that knows it");
    target.dropped(name);
  }
}

/** Seeds and penalties shape how an answer is drawn, not what is asked for; the rest is about bookkeeping at the caller's own provider. */
function dropWhatDoesNot(request: ChatRequest, target: TranslationTarget): void {
  if (request.seed !== undefined) target.dropped("seed");
  if (isOtherThanZero(request.frequencyPenalty)) target.dropped("frequency_penalty");
  if (isOtherThanZero(request.presencePenalty)) target.dropped("presence_penalty");
  if (request.logitBias !== undefined) target.dropped("logit_bias");
  if (request.store === true) target.dropped("store");
  if (request.promptCacheKey !== undefined) target.dropped("prompt_cache_key");
  if (request.metadata !== undefined && request.dialect !== "messages") target.dropped("metadata");
}

function isOtherThanZero(value: number | undefined): boolean {
  return value !== undefined && value !== 0;
}

/** Members that only a caller of this dialect can have set; the rest of `output_config` and of `thinking` are among them. */
function ownFieldsOf(
  request: ChatRequest,
  target: TranslationTarget,
): { members: JsonObject; outputConfig: JsonObject } {
  const members: Record<string, unknown> = {};
  let outputConfig: JsonObject = {};
  if (request.dialect !== "messages") return { members, outputConfig };
  for (const { name, value } of request.own) {
    // A header's value in SDKs, no member of the body.
    if (name === "betas") target.dropped(name);
    else if (name === "output_config" && isJsonObject(value)) outputConfig = value;
    else members[name] = value;
  }
  return { members, outputConfig };
}

/** https://platform.claude.com/docs/en/api/service-tiers: `auto` or `standard_only`; OpenAI's `default` is the latter. */
function serviceTierOf(request: ChatRequest, target: TranslationTarget): string | undefined {
  const { serviceTier } = request;
  if (serviceTier === undefined || request.dialect === "messages" || serviceTier === "auto") return serviceTier;
  if (serviceTier === "default") return "standard_only";
  target.dropped("service_tier");
  return undefined;
}

function said(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined));
}

function isGiven(object: JsonObject): boolean {
  for (const key in object) if (object[key] !== undefined) return true;
  return false;
}

function hasMembers(object: JsonObject): boolean {
  for (const _key in object) return true;
  return false;
}
