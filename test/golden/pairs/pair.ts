// One exchange between a caller in one dialect and a provider in another, as it is on both wires.

import type { Dialect } from "../../../src/core/chat-request.ts";
import type { TargetFeatures, TranslationTarget } from "../../../src/core/translation.ts";

export type Json = Readonly<Record<string, unknown>>;
export type CallerDialect = Exclude<Dialect, "gemini">;

/** Everything is written by hand from the pages named, and nothing of it comes from the code. */
export interface Pair {
  readonly name: string;
  /** Pages that the values were written from: the caller's dialect and the provider's. */
  readonly source: readonly string[];
  readonly caller: CallerDialect;
  readonly provider: Dialect;
  /** Default: those of `targets`. */
  readonly target?: Partial<Omit<TranslationTarget, "accepts" | "dropped">> & { readonly accepts?: TargetFeatures };
  /** The caller's body beside `model`. */
  readonly request: Json;
  /** The body that the provider gets, beside `model` where the dialect has it there. */
  readonly upstream: Json;
  /** Fields that are left out with a debug line. */
  readonly dropped?: readonly string[];
  /** The provider's whole body, and what the caller gets for it. */
  readonly answer: Json;
  readonly given: Json;
  /** Data of the events of the provider's stream, and of those that the caller gets; `[DONE]` is a string. */
  readonly stream: readonly (Json | string)[];
  readonly streamed: readonly (Json | string)[];
}

/** The name that callers ask for, and what `AnswerContext` gives instead of chance, clock and estimate. */
export const asked = "smart";
export const newId = "new";
export const now = 1_700_000_000;
export const estimate = 42;

const target = {
  providerName: "up",
  defaultMaxTokens: 4096,
  accepts: { files: false, customTools: false, mediaInToolResults: false, reasoningContent: false },
};

/** One provider for each dialect, with the features that its type has. */
export const targets: Readonly<Record<Dialect, Omit<TranslationTarget, "dropped">>> = {
  "chat-completions": { ...target, providerType: "groq", issuer: "groq", model: "llama-3.3-70b" },
  responses: {
    ...target,
    providerType: "openai",
    issuer: "openai",
    model: "gpt-5",
    accepts: { files: true, customTools: true, mediaInToolResults: true, reasoningContent: false },
  },
  messages: {
    ...target,
    providerType: "anthropic",
    issuer: "anthropic",
    model: "claude-sonnet-4-5",
    accepts: { files: true, customTools: false, mediaInToolResults: true, reasoningContent: false },
  },
  gemini: {
    ...target,
    providerType: "gemini",
    issuer: "google",
    model: "gemini-2.5-flash",
    accepts: { files: true, customTools: false, mediaInToolResults: true, reasoningContent: false },
  },
};

/** OpenAI behind its chat endpoint. */
export const openAiChat = {
  providerType: "openai",
  issuer: "openai",
  model: "gpt-4.1",
  accepts: { files: true, customTools: true, mediaInToolResults: false, reasoningContent: false },
} satisfies Pair["target"];

/** Pages. */
export const pages = {
  chat: "https://platform.openai.com/docs/api-reference/chat/create",
  chatStream: "https://platform.openai.com/docs/api-reference/chat-streaming/streaming",
  responses: "https://platform.openai.com/docs/api-reference/responses/create",
  responsesStream: "https://platform.openai.com/docs/api-reference/responses-streaming",
  messages: "https://platform.claude.com/docs/en/api/messages/create",
  messagesStream: "https://platform.claude.com/docs/en/build-with-claude/streaming",
  claudeThinking: "https://platform.claude.com/docs/en/build-with-claude/extended-thinking",
  claudeTools: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/implement-tool-use",
  claudePdf: "https://platform.claude.com/docs/en/build-with-claude/pdf-support",
  claudeVision: "https://platform.claude.com/docs/en/build-with-claude/vision",
  claudeStops: "https://platform.claude.com/docs/en/api/handling-stop-reasons",
  claudeCache: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
  claudeFormat: "https://platform.claude.com/docs/en/build-with-claude/structured-outputs",
  gemini: "https://ai.google.dev/api/generate-content",
  geminiTools: "https://ai.google.dev/gemini-api/docs/function-calling",
  geminiThinking: "https://ai.google.dev/gemini-api/docs/thinking",
  geminiSignatures: "https://ai.google.dev/gemini-api/docs/thought-signatures",
  geminiFormat: "https://ai.google.dev/gemini-api/docs/structured-output",
  openAiFiles: "https://platform.openai.com/docs/guides/pdf-files",
  openAiReasoning: "https://platform.openai.com/docs/guides/reasoning",
} as const;
