// The response object around an answer: what the caller asked for, said back as OpenAI does.

import type { Finish } from "../../core/chat-answer.ts";
import type { ChatRequest, UnknownMembers } from "../../core/chat-request.ts";
import type { AnswerContext } from "../../core/translation.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { leadingText } from "./encode-input.ts";
import { formatValue } from "./encode-request.ts";
import { toolChoiceValue, toolValue } from "./encode-tools.ts";
import { incompleteReason } from "./finish-reason.ts";

/** What the provider told about the answer as a whole. */
export interface AnswerFacts {
  readonly id?: string;
  readonly model?: string;
  readonly created?: number;
  readonly serviceTier?: string;
  readonly unknown?: UnknownMembers;
}

/** Everything but `status`, `output`, `usage` and what says how it ended. Made once for an answer. */
export function responseFrame(facts: AnswerFacts, context: AnswerContext): JsonObject {
  const { request } = context;
  return {
    ...facts.unknown,
    id: facts.id?.startsWith("resp_") === true ? facts.id : `resp_${context.newId()}`,
    object: "response",
    created_at: facts.created ?? context.now,
    model: facts.model ?? request.model,
    ...echoOf(request),
    service_tier: facts.serviceTier ?? request.serviceTier ?? "default",
    provider: context.providerType,
  };
}

/** https://developers.openai.com/api/reference/resources/responses: absent settings show their defaults. */
function echoOf(request: ChatRequest): JsonObject {
  const own = Object.fromEntries(request.own.map(({ name, value }) => [name, value]));
  const [first] = request.messages;
  return {
    background: false,
    instructions: (first === undefined ? undefined : leadingText(first)) ?? null,
    max_output_tokens: request.maxTokens ?? null,
    max_tool_calls: own.max_tool_calls ?? null,
    metadata: request.metadata ?? {},
    parallel_tool_calls: request.parallelToolCalls ?? true,
    previous_response_id: null,
    prompt_cache_key: request.promptCacheKey ?? null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: request.reasoning?.summary ?? null },
    safety_identifier: own.safety_identifier ?? null,
    store: request.store ?? false,
    temperature: request.temperature ?? 1,
    text: {
      format: formatValue(request.format ?? { kind: "text" }),
      ...(request.verbosity === undefined ? {} : { verbosity: request.verbosity }),
    },
    tool_choice: request.toolChoice === undefined ? "auto" : toolChoiceValue(request.toolChoice, request.tools, true),
    tools: request.tools.map((tool) => toolValue(tool, true)),
    top_logprobs: request.topLogprobs ?? 0,
    top_p: request.topP ?? 1,
    truncation: own.truncation ?? "disabled",
    user: request.user ?? null,
  };
}

/** An answer under way. */
export function runningResponse(frame: JsonObject): JsonObject {
  return { ...frame, status: "in_progress", error: null, incomplete_details: null, output: [], usage: null };
}

/** An answer that is over, `completed` or `incomplete`. */
export function endedResponse(
  frame: JsonObject,
  output: readonly unknown[],
  usage: JsonObject,
  finish: Finish | undefined,
): JsonObject {
  const reason = incompleteReason(finish, output.some(hasRefusal));
  return {
    ...frame,
    status: reason === undefined ? "completed" : "incomplete",
    error: null,
    incomplete_details: reason === undefined ? null : { reason },
    output,
    usage,
  };
}

/** An answer that broke: what was whole of it, and why there is no more. */
export function failedResponse(
  frame: JsonObject,
  output: readonly unknown[],
  message: string,
  code: string,
): JsonObject {
  return { ...frame, status: "failed", error: { code, message }, incomplete_details: null, output, usage: null };
}

function hasRefusal(item: unknown): boolean {
  const { content } = (typeof item === "object" && item !== null ? item : {}) as { content?: unknown };
  return (
    Array.isArray(content) && content.some((part: unknown) => (part as { type?: unknown } | null)?.type === "refusal")
  );
}
