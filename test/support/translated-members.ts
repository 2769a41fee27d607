// Where each member of a recorded request is in the translated one, written from the providers' documentation; and why, where it is nowhere.

import type { RecordedDialect } from "./client-recordings.ts";

/** Paths in the body that the provider gets; any one of them will do. `lost`: nowhere, for this reason. */
type Place = readonly string[] | { readonly lost: string };

type Members = Readonly<Record<string, Place>>;

export type ForeignTarget = "anthropic" | "gemini" | "openai" | "chutes";

const ownStream = ["stream"];
const inGeminiPath = { lost: "the path says whether Gemini streams" };
const cacheKey = { lost: "caches by key are OpenAI's; a cache changes no answer" };
const encrypted = { lost: "asks for state that only OpenAI makes" };
const clientsOwn = { lost: "what the client tells OpenAI about itself" };
const storing = { lost: "nothing is stored there that it could keep" };
const noVerbosity = { lost: "how much models of OpenAI say; others have no such setting" };
const thinkingEdits = { lost: "clears thoughts from the history, of which a foreign provider gets none" };
/** Behaviour 4.2: the gateway itself reads it. */
const whose = { lost: "Claude Code's sessions, which are nobody's user" };

const messagesToChat: Members = {
  messages: ["messages"],
  system: ["messages.0.content"],
  tools: ["tools"],
  tool_choice: ["tool_choice"],
  temperature: ["temperature"],
  stream: ownStream,
  context_management: thinkingEdits,
  metadata: whose,
};

/** Claude's own models decide about temperature themselves: https://platform.claude.com/docs/en/about-claude/models/whats-new-claude-4-8 */
const noSampling = { lost: "this model takes no sampling settings" };

export const translatedMembers: Readonly<Record<RecordedDialect, Partial<Readonly<Record<ForeignTarget, Members>>>>> = {
  messages: {
    // https://developers.openai.com/api/reference/resources/chat
    openai: {
      ...messagesToChat,
      max_tokens: ["max_completion_tokens"],
      temperature: { lost: "reasoning models of OpenAI take no temperature" },
      thinking: ["reasoning_effort"],
      output_config: ["reasoning_effort", "response_format"],
    },
    // https://chutes.ai/docs: open models behind the same interface
    chutes: {
      ...messagesToChat,
      max_tokens: ["max_tokens"],
      thinking: ["reasoning_effort"],
      output_config: ["reasoning_effort", "response_format"],
    },
    // https://ai.google.dev/api/generate-content
    gemini: {
      messages: ["contents"],
      system: ["systemInstruction.parts.0.text"],
      tools: ["tools.0.functionDeclarations"],
      tool_choice: ["toolConfig.functionCallingConfig.mode"],
      max_tokens: ["generationConfig.maxOutputTokens"],
      temperature: { lost: "Gemini 3 is asked to keep its own temperature" },
      thinking: ["generationConfig.thinkingConfig"],
      output_config: ["generationConfig.thinkingConfig", "generationConfig.responseJsonSchema"],
      metadata: whose,
      context_management: thinkingEdits,
      stream: inGeminiPath,
    },
  },
  responses: {
    chutes: {
      input: ["messages"],
      instructions: ["messages.0.content"],
      tools: ["tools"],
      tool_choice: ["tool_choice"],
      parallel_tool_calls: ["parallel_tool_calls"],
      max_output_tokens: ["max_tokens"],
      reasoning: ["reasoning_effort"],
      text: ["response_format"],
      "text.verbosity": noVerbosity,
      stream: ownStream,
      store: storing,
      include: encrypted,
      prompt_cache_key: cacheKey,
      client_metadata: clientsOwn,
    },
    // https://platform.claude.com/docs/en/api/messages
    anthropic: {
      input: ["messages"],
      instructions: ["system"],
      tools: ["tools"],
      tool_choice: ["tool_choice"],
      parallel_tool_calls: ["tool_choice.disable_parallel_tool_use"],
      max_output_tokens: ["max_tokens"],
      reasoning: ["output_config.effort"],
      text: ["output_config.format"],
      "text.verbosity": noVerbosity,
      stream: ownStream,
      store: storing,
      include: encrypted,
      prompt_cache_key: cacheKey,
      client_metadata: clientsOwn,
    },
    gemini: {
      input: ["contents"],
      instructions: ["systemInstruction.parts.0.text"],
      tools: ["tools.0.functionDeclarations"],
      tool_choice: ["toolConfig.functionCallingConfig.mode"],
      parallel_tool_calls: { lost: "Gemini has no switch for it" },
      max_output_tokens: ["generationConfig.maxOutputTokens"],
      reasoning: ["generationConfig.thinkingConfig"],
      text: ["generationConfig.responseJsonSchema"],
      "text.verbosity": noVerbosity,
      stream: inGeminiPath,
      store: storing,
      include: encrypted,
      prompt_cache_key: cacheKey,
      client_metadata: clientsOwn,
    },
  },
  "chat-completions": {
    anthropic: {
      messages: ["messages"],
      tools: ["tools"],
      tool_choice: ["tool_choice"],
      max_tokens: ["max_tokens"],
      max_completion_tokens: ["max_tokens"],
      reasoning_effort: ["output_config.effort"],
      response_format: ["output_config.format"],
      temperature: noSampling,
      top_p: noSampling,
      frequency_penalty: { lost: "0 is what happens without it" },
      presence_penalty: { lost: "0 is what happens without it" },
      stream: ownStream,
      stream_options: { lost: "Anthropic always tells the usage of a stream" },
      store: storing,
    },
    gemini: {
      messages: ["contents"],
      tools: ["tools.0.functionDeclarations"],
      tool_choice: ["toolConfig.functionCallingConfig.mode"],
      max_tokens: ["generationConfig.maxOutputTokens"],
      max_completion_tokens: ["generationConfig.maxOutputTokens"],
      reasoning_effort: ["generationConfig.thinkingConfig"],
      response_format: ["generationConfig.responseJsonSchema", "generationConfig.responseMimeType"],
      temperature: { lost: "Gemini 3 is asked to keep its own temperature" },
      top_p: { lost: "Gemini 3 is asked to keep its own temperature" },
      frequency_penalty: ["generationConfig.frequencyPenalty"],
      presence_penalty: ["generationConfig.presencePenalty"],
      stream: inGeminiPath,
      stream_options: { lost: "Gemini always tells the usage of a stream" },
      store: storing,
    },
  },
};
