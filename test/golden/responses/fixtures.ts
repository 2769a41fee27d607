// What the cases share: requests around a body, targets, and the answer's context with ids that can be foretold.

import type { ChatRequest } from "../../../src/core/chat-request.ts";
import type { ModelRequest } from "../../../src/core/model-request.ts";
import type { AnswerContext, AnswerOrigin, TranslationTarget } from "../../../src/core/translation.ts";
import { Cancellation } from "../../../src/core/cancellation.ts";

export function modelRequest(body: string): ModelRequest {
  return {
    id: "r",
    operation: "responses",
    model: "m",
    providerHint: undefined,
    stream: false,
    body: new TextEncoder().encode(body),
    members: [],
    wantsStreamUsage: false,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
  };
}

/** From a chat caller unless said otherwise. */
export function hubRequest(members: Partial<ChatRequest>): ChatRequest {
  return {
    dialect: "chat-completions",
    model: "m",
    stream: false,
    wantsStreamUsage: false,
    messages: [{ role: "user", parts: [{ kind: "text", text: "hello" }] }],
    tools: [],
    own: [],
    unknown: {},
    ...members,
  };
}

export function openaiTarget(members: Partial<TranslationTarget>): TranslationTarget {
  return {
    providerName: "first",
    providerType: "openai",
    model: "gpt-4o",
    issuer: "openai",
    accepts: { files: true, customTools: true, mediaInToolResults: true, reasoningContent: false },
    defaultMaxTokens: 4096,
    dropped: () => undefined,
    ...members,
  };
}

export const openaiOrigin: AnswerOrigin = { providerName: "first", providerType: "openai", issuer: "openai" };

/** Ids are numbered: `00...1`, `00...2`. */
export function answerContext(request: Partial<ChatRequest>): AnswerContext {
  let ids = 0;
  return {
    request: hubRequest({ dialect: "responses", ...request }),
    providerType: "anthropic",
    issuer: "anthropic",
    newId: () => String(++ids).padStart(24, "0"),
    now: 1_700_000_000,
    estimateInputTokens: () => 5,
  };
}
