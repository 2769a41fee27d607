// Chat requests and what they are in the hub, written by hand from the pages named beside them.

import type { ChatRequest } from "../../../src/core/chat-request.ts";
import type { TranslationTarget } from "../../../src/core/translation.ts";

export interface RequestCase {
  readonly name: string;
  /** The page that the format is taken from. */
  readonly source: string;
  /** Beside `model: "m"` and, unless given, one message "Hi" of the user. */
  readonly chat: Readonly<Record<string, unknown>>;
  /** Beside an empty request of a chat caller with that message. */
  readonly hub: Partial<ChatRequest>;
  /** Read, written, or both (the default). */
  readonly way?: "decode" | "encode";
  /** Beside one that takes everything and reads OpenAI's state. */
  readonly target?: Partial<TranslationTarget>;
  /** What the encoder says it leaves out. */
  readonly dropped?: readonly string[];
}

const openai = "https://platform.openai.com/docs/api-reference/chat/create";
const litellm = "https://docs.litellm.ai/docs/reasoning_content";
const openrouter = "https://openrouter.ai/docs/use-cases/reasoning-tokens";
const openrouterCache = "https://openrouter.ai/docs/features/prompt-caching";
const deepseek = "https://api-docs.deepseek.com/guides/reasoning_model";
const gemini = "https://ai.google.dev/gemini-api/docs/openai";
const mistral = "https://docs.mistral.ai/capabilities/function_calling";
const anthropic = "https://docs.anthropic.com/en/api/messages";
const responses = "https://platform.openai.com/docs/api-reference/responses/create";
const strictRules = "https://platform.openai.com/docs/guides/structured-outputs";

const anthropicTarget = { issuer: "anthropic", providerType: "anthropic" } as const;
const groqTarget = { issuer: "groq", providerType: "groq", providerName: "groq-eu" } as const;
const user = (text: string) => ({ role: "user", parts: [{ kind: "text", text }] }) as const;

const messages: readonly RequestCase[] = [
  { name: "one text", source: openai, chat: {}, hub: {} },
  {
    name: "system, developer and names",
    source: openai,
    chat: {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "developer", name: "dev", content: "Be kind." },
        { role: "user", name: "ann", content: "Hi" },
      ],
    },
    hub: {
      messages: [
        { role: "system", parts: [{ kind: "text", text: "Be brief." }] },
        { role: "developer", name: "dev", parts: [{ kind: "text", text: "Be kind." }] },
        { role: "user", name: "ann", parts: [{ kind: "text", text: "Hi" }] },
      ],
    },
  },
  {
    name: "several turns",
    source: openai,
    chat: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello." },
        { role: "user", content: "Bye" },
      ],
    },
    hub: {
      messages: [user("Hi"), { role: "assistant", parts: [{ kind: "text", text: "Hello." }] }, user("Bye")],
    },
  },
  {
    name: "text parts stay apart",
    source: openai,
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "one" },
            { type: "text", text: "two" },
          ],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "user",
          parts: [
            { kind: "text", text: "one" },
            { kind: "text", text: "two" },
          ],
        },
      ],
    },
  },
  {
    name: "images by URL and as data",
    source: openai,
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "What is this?" },
            { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
            { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
          ],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "user",
          parts: [
            { kind: "text", text: "What is this?" },
            { kind: "image", source: { from: "url", url: "https://example.com/a.png" }, detail: "low" },
            { kind: "image", source: { from: "data", mediaType: "image/png", data: "aGk=" } },
          ],
        },
      ],
    },
  },
  {
    name: "audio",
    source: openai,
    chat: {
      messages: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "aGk=", format: "wav" } }] }],
    },
    hub: { messages: [{ role: "user", parts: [{ kind: "audio", data: "aGk=", format: "wav" }] }] },
  },
  {
    name: "PDFs as data and by id",
    source: openai,
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERg==" } },
            { type: "file", file: { file_id: "file-1" } },
          ],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "user",
          parts: [
            {
              kind: "file",
              source: { from: "data", mediaType: "application/pdf", data: "JVBERg==" },
              filename: "a.pdf",
            },
            { kind: "file", source: { from: "file-id", id: "file-1", issuer: "openai" } },
          ],
        },
      ],
    },
  },
  {
    name: "tool calls, single and parallel, with results",
    source: openai,
    chat: {
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "weather", arguments: '{"at":1e400}' } },
            { id: "b", type: "function", function: { name: "time", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "sunny" },
        { role: "tool", tool_call_id: "b", content: "noon" },
      ],
    },
    hub: {
      messages: [
        user("Weather?"),
        {
          role: "assistant",
          parts: [
            { kind: "tool-call", id: "a", name: "weather", arguments: '{"at":1e400}', toolKind: "function" },
            { kind: "tool-call", id: "b", name: "time", arguments: "{}", toolKind: "function" },
          ],
        },
        { role: "tool", callId: "a", toolKind: "function", parts: [{ kind: "text", text: "sunny" }], isError: false },
        { role: "tool", callId: "b", toolKind: "function", parts: [{ kind: "text", text: "noon" }], isError: false },
      ],
    },
  },
  {
    name: "text before a call",
    source: openai,
    chat: {
      messages: [
        {
          role: "assistant",
          content: "Let me see.",
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "text", text: "Let me see." },
            { kind: "tool-call", id: "a", name: "f", arguments: "{}", toolKind: "function" },
          ],
        },
      ],
    },
  },
  {
    name: "custom calls and their results",
    source: openai,
    chat: {
      messages: [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", type: "custom", custom: { name: "patch", input: "*** Begin" } }],
        },
        { role: "tool", tool_call_id: "a", content: "done" },
      ],
      tools: [{ type: "custom", custom: { name: "patch", description: "Edits.", format: { type: "text" } } }],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "a", name: "patch", arguments: "*** Begin", toolKind: "custom" }],
        },
        { role: "tool", callId: "a", toolKind: "custom", parts: [{ kind: "text", text: "done" }], isError: false },
      ],
      tools: [{ kind: "custom", name: "patch", description: "Edits.", format: { type: "text" } }],
    },
  },
  {
    name: "a refusal in the history",
    source: openai,
    chat: { messages: [{ role: "assistant", content: null, refusal: "No." }] },
    hub: { messages: [{ role: "assistant", parts: [{ kind: "refusal", text: "No." }] }] },
  },
  {
    name: "a refusal as a part",
    source: openai,
    way: "decode",
    chat: { messages: [{ role: "assistant", content: [{ type: "refusal", refusal: "No." }] }] },
    hub: { messages: [{ role: "assistant", parts: [{ kind: "refusal", text: "No." }] }] },
  },
  {
    name: "the audio of an earlier answer",
    source: openai,
    chat: { messages: [{ role: "assistant", content: null, audio: { id: "audio_1" } }] },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "opaque", dialect: "chat-completions", type: "audio", value: { id: "audio_1" } }],
        },
      ],
    },
  },
  {
    name: "an unknown kind of part of the assistant",
    source: openai,
    chat: {
      messages: [
        {
          role: "assistant",
          content: [
            { type: "text", text: "Hi" },
            { type: "new_part", x: 1 },
          ],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "text", text: "Hi" },
            { kind: "opaque", dialect: "chat-completions", type: "new_part", value: { type: "new_part", x: 1 } },
          ],
        },
      ],
    },
  },
  {
    name: "legacy functions, call and result",
    source: openai,
    way: "decode",
    chat: {
      messages: [
        { role: "assistant", content: null, function_call: { name: "f", arguments: "{}" } },
        { role: "function", name: "f", content: "1" },
      ],
      functions: [{ name: "f", parameters: { type: "object" } }],
      function_call: { name: "f" },
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "call_0", name: "f", arguments: "{}", toolKind: "function" }],
        },
        {
          role: "tool",
          callId: "call_0",
          toolKind: "function",
          name: "f",
          parts: [{ kind: "text", text: "1" }],
          isError: false,
        },
      ],
      tools: [{ kind: "function", name: "f", parameters: { type: "object" } }],
      toolChoice: { kind: "named", toolKind: "function", name: "f" },
      parallelToolCalls: false,
      own: [{ name: "functions", value: [{ name: "f", parameters: { type: "object" } }], weight: "harmless" }],
    },
  },
  {
    name: "reasoning of an earlier answer",
    source: deepseek,
    chat: { messages: [{ role: "assistant", content: "4", reasoning_content: "2+2" }] },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "2+2" },
            { kind: "text", text: "4" },
          ],
        },
      ],
    },
  },
  {
    name: "reasoning in the other spelling",
    source: openrouter,
    way: "decode",
    chat: { messages: [{ role: "assistant", content: "4", reasoning: "2+2" }] },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "2+2" },
            { kind: "text", text: "4" },
          ],
        },
      ],
    },
  },
  {
    name: "signed and redacted thinking for its issuer",
    source: litellm,
    target: {
      ...anthropicTarget,
      accepts: { files: true, customTools: true, mediaInToolResults: true, reasoningContent: false },
    },
    chat: {
      messages: [
        {
          role: "assistant",
          content: "4",
          extra_content: {
            anthropic: {
              thinking_blocks: [
                { type: "thinking", thinking: "2+2", signature: "sig" },
                { type: "redacted_thinking", data: "xx" },
              ],
            },
          },
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "2+2", state: { issuer: "anthropic", kind: "signature", value: "sig" } },
            { kind: "reasoning", text: "", state: { issuer: "anthropic", kind: "redacted", value: "xx" } },
            { kind: "text", text: "4" },
          ],
        },
      ],
    },
  },
  {
    name: "thinking blocks beside the text win over reasoning_content",
    source: litellm,
    way: "decode",
    chat: {
      messages: [
        {
          role: "assistant",
          content: "4",
          reasoning_content: "2+2",
          thinking_blocks: [{ type: "thinking", thinking: "2+2", signature: "sig" }],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "2+2", state: { issuer: "anthropic", kind: "signature", value: "sig" } },
            { kind: "text", text: "4" },
          ],
        },
      ],
    },
  },
  {
    name: "Google's signature of a call",
    source: gemini,
    target: { issuer: "google", providerType: "gemini" },
    chat: {
      messages: [
        {
          role: "assistant",
          content: null,
          tool_calls: [
            {
              id: "a",
              type: "function",
              function: { name: "f", arguments: "{}" },
              extra_content: { google: { thought_signature: "S" } },
            },
          ],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            {
              kind: "tool-call",
              id: "a",
              name: "f",
              arguments: "{}",
              toolKind: "function",
              state: { issuer: "google", kind: "thought", value: "S" },
            },
          ],
        },
      ],
    },
  },
  {
    name: "flat signatures of a call and of a text",
    source: gemini,
    way: "decode",
    chat: {
      messages: [
        {
          role: "assistant",
          content: "Hi",
          thoughtSignature: "T",
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" }, thought_signature: "S" }],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "text", text: "Hi", state: { issuer: "google", kind: "thought", value: "T" } },
            {
              kind: "tool-call",
              id: "a",
              name: "f",
              arguments: "{}",
              toolKind: "function",
              state: { issuer: "google", kind: "thought", value: "S" },
            },
          ],
        },
      ],
    },
  },
  {
    name: "an error of a tool for Anthropic",
    source: anthropic,
    target: anthropicTarget,
    chat: {
      messages: [
        { role: "tool", tool_call_id: "a", content: "boom", extra_content: { anthropic: { is_error: true } } },
      ],
    },
    hub: {
      messages: [
        { role: "tool", callId: "a", toolKind: "function", parts: [{ kind: "text", text: "boom" }], isError: true },
      ],
    },
  },
  {
    name: "cache hints on a part and a tool",
    source: openrouterCache,
    target: { providerType: "openrouter" },
    chat: {
      messages: [{ role: "user", content: [{ type: "text", text: "long", cache_control: { type: "ephemeral" } }] }],
      tools: [{ type: "function", function: { name: "f" }, cache_control: { type: "ephemeral" } }],
    },
    hub: {
      messages: [{ role: "user", parts: [{ kind: "text", text: "long", cacheControl: { type: "ephemeral" } }] }],
      tools: [{ kind: "function", name: "f", cacheControl: { type: "ephemeral" } }],
    },
  },
  {
    name: "a cache hint on a message is that of its last part",
    source: litellm,
    way: "decode",
    chat: { messages: [{ role: "system", content: "long", cache_control: { type: "ephemeral" } }] },
    hub: {
      messages: [{ role: "system", parts: [{ kind: "text", text: "long", cacheControl: { type: "ephemeral" } }] }],
    },
  },
  {
    name: "unknown members at every level",
    source: openai,
    chat: {
      new_top: 1,
      messages: [
        { role: "user", new_message: 2, content: [{ type: "text", text: "Hi", new_part: 3 }] },
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" }, new_call: 4 }],
        },
      ],
      tools: [{ type: "function", function: { name: "f" }, new_tool: 5 }],
    },
    hub: {
      unknown: { new_top: 1 },
      messages: [
        {
          role: "user",
          parts: [{ kind: "text", text: "Hi", unknown: { new_part: 3 } }],
          unknown: { new_message: 2 },
        },
        {
          role: "assistant",
          parts: [
            {
              kind: "tool-call",
              id: "a",
              name: "f",
              arguments: "{}",
              toolKind: "function",
              unknown: { new_call: 4 },
            },
          ],
        },
      ],
      tools: [{ kind: "function", name: "f", unknown: { new_tool: 5 } }],
    },
  },
  {
    name: "an unknown kind of part",
    source: "https://docs.vllm.ai/en/latest/features/multimodal_inputs.html",
    chat: {
      messages: [{ role: "user", content: [{ type: "video_url", video_url: { url: "https://example.com/v" } }] }],
    },
    hub: {
      messages: [
        {
          role: "user",
          parts: [
            {
              kind: "opaque",
              dialect: "chat-completions",
              type: "video_url",
              value: { type: "video_url", video_url: { url: "https://example.com/v" } },
            },
          ],
        },
      ],
    },
  },
];

const settings: readonly RequestCase[] = [
  {
    name: "sampling, limits and probabilities",
    source: openai,
    chat: {
      max_tokens: 100,
      temperature: 0,
      top_p: 0.5,
      stop: ["a", "b"],
      seed: 7,
      n: 2,
      frequency_penalty: -1,
      presence_penalty: 1,
      logit_bias: { "50256": -100 },
      logprobs: true,
      top_logprobs: 3,
    },
    hub: {
      maxTokens: 100,
      temperature: 0,
      topP: 0.5,
      stop: ["a", "b"],
      seed: 7,
      choices: 2,
      frequencyPenalty: -1,
      presencePenalty: 1,
      logitBias: { "50256": -100 },
      logprobs: true,
      topLogprobs: 3,
    },
  },
  {
    name: "the newer limit wins, and one stop sequence is a list",
    source: openai,
    way: "decode",
    chat: { max_tokens: 100, max_completion_tokens: 50, stop: "a" },
    hub: { maxTokens: 50, stop: ["a"] },
  },
  {
    name: "labels and hints",
    source: openai,
    chat: {
      user: "u",
      metadata: { k: "v" },
      service_tier: "flex",
      store: true,
      prompt_cache_key: "k",
      verbosity: "low",
      parallel_tool_calls: true,
    },
    hub: {
      user: "u",
      metadata: { k: "v" },
      serviceTier: "flex",
      store: true,
      promptCacheKey: "k",
      verbosity: "low",
      parallelToolCalls: true,
    },
  },
  {
    name: "members of this dialect alone, with their weight",
    source: openai,
    chat: {
      modalities: ["text", "audio"],
      audio: { voice: "ash", format: "wav" },
      moderation: { model: "omni" },
      web_search_options: {},
      prediction: { type: "content", content: "x" },
      prompt_cache_options: { mode: "implicit" },
      prompt_cache_retention: "24h",
      user: "u",
      safety_identifier: "s",
    },
    hub: {
      user: "u",
      own: [
        { name: "modalities", value: ["text", "audio"], weight: "changes-result" },
        { name: "audio", value: { voice: "ash", format: "wav" }, weight: "changes-result" },
        { name: "moderation", value: { model: "omni" }, weight: "changes-result" },
        { name: "web_search_options", value: {}, weight: "changes-result" },
        { name: "prediction", value: { type: "content", content: "x" }, weight: "harmless" },
        { name: "prompt_cache_options", value: { mode: "implicit" }, weight: "harmless" },
        { name: "prompt_cache_retention", value: "24h", weight: "harmless" },
        { name: "safety_identifier", value: "s", weight: "harmless" },
      ],
    },
  },
  {
    name: "text alone is what everybody gives",
    source: openai,
    way: "decode",
    chat: { modalities: ["text"], safety_identifier: "s", provider: "openai-eu", stop: null },
    hub: { user: "s" },
  },
  {
    name: "a stream with its options",
    source: openai,
    chat: { stream: true, stream_options: { include_obfuscation: false, include_usage: true } },
    hub: {
      stream: true,
      wantsStreamUsage: true,
      own: [{ name: "stream_options", value: { include_obfuscation: false }, weight: "harmless" }],
    },
  },
  { name: "effort", source: openai, chat: { reasoning_effort: "high" }, hub: { reasoning: { effort: "high" } } },
  {
    name: "the object of effort wins over the word",
    source: openrouter,
    way: "decode",
    chat: { reasoning_effort: "high", reasoning: { effort: "low", max_tokens: 2000, exclude: true } },
    hub: { reasoning: { effort: "low", budgetTokens: 2000 } },
  },
  {
    name: "reasoning switched off",
    source: openrouter,
    way: "decode",
    chat: { reasoning: { enabled: false } },
    hub: { reasoning: { mode: "disabled" } },
  },
  {
    name: "Anthropic's thinking in a chat request",
    source: litellm,
    way: "decode",
    chat: { thinking: { type: "enabled", budget_tokens: 4000 }, top_k: 40 },
    hub: { reasoning: { budgetTokens: 4000, mode: "enabled" }, topK: 40 },
  },
  {
    name: "JSON",
    source: openai,
    chat: { response_format: { type: "json_object" } },
    hub: { format: { kind: "json" } },
  },
  {
    name: "plain text",
    source: openai,
    chat: { response_format: { type: "text" } },
    hub: { format: { kind: "text" } },
  },
  {
    name: "a schema with its numbers as written",
    source: openai,
    chat: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "n",
          description: "d",
          schema: { type: "integer", maximum: 5 },
          strict: true,
        },
      },
    },
    hub: {
      format: {
        kind: "json-schema",
        name: "n",
        description: "d",
        schema: { type: "integer", maximum: 5 },
        strict: true,
      },
    },
  },
  {
    name: "functions and a forced one",
    source: openai,
    chat: {
      tools: [
        {
          type: "function",
          function: { name: "f", description: "d", parameters: { type: "object", properties: {} }, strict: true },
        },
      ],
      tool_choice: { type: "function", function: { name: "f" } },
    },
    hub: {
      tools: [
        {
          kind: "function",
          name: "f",
          description: "d",
          parameters: { type: "object", properties: {} },
          strict: true,
        },
      ],
      toolChoice: { kind: "named", toolKind: "function", name: "f" },
    },
  },
  {
    name: "a choice that is a word",
    source: openai,
    chat: { tools: [{ type: "function", function: { name: "f" } }], tool_choice: "required" },
    hub: { tools: [{ kind: "function", name: "f" }], toolChoice: { kind: "required" } },
  },
  {
    name: "Mistral's word for required",
    source: mistral,
    way: "decode",
    chat: { tool_choice: "any" },
    hub: { toolChoice: { kind: "required" } },
  },
  {
    name: "only some tools allowed",
    source: openai,
    chat: {
      tools: [
        { type: "function", function: { name: "f" } },
        { type: "function", function: { name: "g" } },
      ],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "g" } }] },
      },
    },
    hub: {
      tools: [
        { kind: "function", name: "f" },
        { kind: "function", name: "g" },
      ],
      toolChoice: { kind: "allowed", required: true, names: ["g"] },
    },
  },
  {
    name: "a tool of an unknown kind",
    source: openai,
    chat: { tools: [{ type: "new_kind", x: 1 }] },
    hub: {
      tools: [{ kind: "hosted", dialect: "chat-completions", type: "new_kind", value: { type: "new_kind", x: 1 } }],
    },
  },
];

/** From callers of other dialects, and for targets that take less. */
const foreign: readonly RequestCase[] = [
  {
    name: "Messages: system blocks become one text, hints go",
    source: anthropic,
    way: "encode",
    hub: {
      dialect: "messages",
      maxTokens: 64,
      topK: 5,
      user: "session",
      messages: [
        {
          role: "system",
          parts: [
            { kind: "text", text: "one", cacheControl: { type: "ephemeral" } },
            { kind: "text", text: "two" },
          ],
        },
        user("Hi"),
      ],
    },
    chat: {
      max_tokens: 64,
      messages: [
        { role: "system", content: "one\n\ntwo" },
        { role: "user", content: "Hi" },
      ],
    },
    dropped: ["cache_control", "top_k"],
  },
  {
    name: "Messages: thinking of a foreign issuer goes, and a call and its failed result stay",
    source: anthropic,
    way: "encode",
    target: {
      ...groqTarget,
      accepts: { files: false, customTools: false, mediaInToolResults: false, reasoningContent: false },
    },
    hub: {
      dialect: "messages",
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "hm", state: { issuer: "anthropic", kind: "signature", value: "s" } },
            { kind: "text", text: "one" },
            { kind: "text", text: "two" },
            { kind: "tool-call", id: "a", name: "f", arguments: "", toolKind: "function" },
          ],
        },
        {
          role: "tool",
          callId: "a",
          toolKind: "function",
          isError: true,
          parts: [{ kind: "image", source: { from: "data", mediaType: "image/png", data: "aGk=" } }],
        },
      ],
    },
    chat: {
      messages: [
        {
          role: "assistant",
          content: "onetwo",
          tool_calls: [{ id: "a", type: "function", function: { name: "f", arguments: "{}" } }],
        },
        { role: "tool", tool_call_id: "a", content: "error" },
      ],
    },
    dropped: ["images and files in tool results", "is_error"],
  },
  {
    name: "Messages: an image in a tool result, for who takes it",
    source: anthropic,
    way: "encode",
    hub: {
      dialect: "messages",
      messages: [
        {
          role: "tool",
          callId: "a",
          toolKind: "function",
          isError: false,
          parts: [
            { kind: "text", text: "see" },
            { kind: "image", source: { from: "data", mediaType: "image/png", data: "aGk=" } },
          ],
        },
      ],
    },
    chat: {
      messages: [
        {
          role: "tool",
          tool_call_id: "a",
          content: [
            { type: "text", text: "see" },
            { type: "image_url", image_url: { url: "data:image/png;base64,aGk=" } },
          ],
        },
      ],
    },
  },
  ...(
    [
      ["a small budget", { budgetTokens: 9999, mode: "enabled" }, "low"],
      ["a middle budget", { budgetTokens: 10_000, mode: "enabled" }, "medium"],
      ["a large budget", { budgetTokens: 20_000, mode: "enabled" }, "high"],
      ["adaptive", { mode: "adaptive" }, "medium"],
      ["effort before budget", { effort: "max", budgetTokens: 100, mode: "adaptive" }, "max"],
    ] as const
  ).map(([name, reasoning, effort]): RequestCase => ({
    name: `Messages: thinking, ${name}`,
    source: anthropic,
    way: "encode",
    hub: { dialect: "messages", reasoning },
    chat: { reasoning_effort: effort },
  })),
  {
    name: "Messages: thinking switched off",
    source: anthropic,
    way: "encode",
    hub: { dialect: "messages", reasoning: { mode: "disabled" } },
    chat: {},
    dropped: ["thinking"],
  },
  {
    name: "Messages: a schema that keeps the strict rules",
    source: strictRules,
    way: "encode",
    hub: {
      dialect: "messages",
      format: {
        kind: "json-schema",
        schema: {
          type: "object",
          properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
          required: ["a"],
          additionalProperties: false,
        },
      },
    },
    chat: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "response",
          schema: {
            type: "object",
            properties: { a: { anyOf: [{ type: "string" }, { type: "null" }] } },
            required: ["a"],
            additionalProperties: false,
          },
          strict: true,
        },
      },
    },
  },
  {
    name: "Messages: a schema with an optional member is not strict",
    source: strictRules,
    way: "encode",
    hub: {
      dialect: "messages",
      format: {
        kind: "json-schema",
        schema: { type: "object", properties: { a: {} }, additionalProperties: false },
      },
    },
    chat: {
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "response",
          schema: { type: "object", properties: { a: {} }, additionalProperties: false },
          strict: false,
        },
      },
    },
  },
  {
    name: "a PDF is named by its title, with the ending that OpenAI wants",
    source: "https://platform.openai.com/docs/guides/pdf-files",
    way: "encode",
    hub: {
      messages: [
        {
          role: "user",
          parts: [
            {
              kind: "file",
              source: { from: "data", mediaType: "application/pdf", data: "JVBERg==" },
              title: "Report",
            },
          ],
        },
      ],
    },
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "file", file: { filename: "Report.pdf", file_data: "data:application/pdf;base64,JVBERg==" } },
          ],
        },
      ],
    },
  },
  {
    name: "Messages: an untitled PDF and a document of text",
    source: openai,
    way: "encode",
    hub: {
      dialect: "messages",
      messages: [
        {
          role: "user",
          parts: [
            { kind: "file", source: { from: "data", mediaType: "application/pdf", data: "JVBERg==" } },
            { kind: "file", source: { from: "text", text: "plain" }, title: "Notes" },
          ],
        },
      ],
    },
    chat: {
      messages: [
        {
          role: "user",
          content: [
            { type: "file", file: { filename: "document.pdf", file_data: "data:application/pdf;base64,JVBERg==" } },
            { type: "text", text: "Notes\n\nplain" },
          ],
        },
      ],
    },
  },
  {
    name: "Responses: texts joined with a space, a role for everybody, OpenAI's own fields for nobody else",
    source: responses,
    way: "encode",
    target: groqTarget,
    hub: {
      dialect: "responses",
      verbosity: "low",
      user: "u",
      store: false,
      promptCacheKey: "k",
      metadata: { a: "b" },
      serviceTier: "auto",
      topLogprobs: 2,
      format: { kind: "text" },
      reasoning: { effort: "low", summary: "auto" },
      messages: [
        {
          role: "developer",
          parts: [
            { kind: "text", text: "one" },
            { kind: "text", text: "two" },
          ],
        },
        user("Hi"),
      ],
      own: [{ name: "include", value: ["x"], weight: "harmless" }],
    },
    chat: {
      messages: [
        { role: "system", content: "one two" },
        { role: "user", content: "Hi" },
      ],
      logprobs: true,
      top_logprobs: 2,
      reasoning_effort: "low",
    },
    dropped: ["include", "reasoning.summary", "verbosity", "user", "metadata", "service_tier", "prompt_cache_key"],
  },
  {
    name: "Responses: hosted tools go as a unit, with their choice and the word on parallel calls",
    source: responses,
    way: "encode",
    hub: {
      dialect: "responses",
      tools: [{ kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } }],
      toolChoice: { kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } },
      parallelToolCalls: true,
    },
    chat: {},
    dropped: ["tools (web_search)"],
  },
  {
    name: "Responses: a custom tool as a function",
    source: responses,
    way: "encode",
    target: {
      ...groqTarget,
      accepts: { files: false, customTools: false, mediaInToolResults: false, reasoningContent: false },
    },
    hub: {
      dialect: "responses",
      tools: [{ kind: "custom", name: "patch" }],
      toolChoice: { kind: "named", toolKind: "custom", name: "patch" },
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "a", name: "patch", arguments: "x", toolKind: "custom" }],
        },
      ],
    },
    chat: {
      tools: [
        {
          type: "function",
          function: {
            name: "patch",
            parameters: {
              type: "object",
              properties: { input: { type: "string", description: "The whole input of the tool." } },
              required: ["input"],
              additionalProperties: false,
            },
          },
        },
      ],
      tool_choice: { type: "function", function: { name: "patch" } },
      messages: [
        {
          role: "assistant",
          content: null,
          tool_calls: [{ id: "a", type: "function", function: { name: "patch", arguments: '{"input":"x"}' } }],
        },
      ],
    },
  },
  {
    name: "only some tools allowed, for who cannot be told",
    source: openai,
    way: "encode",
    target: groqTarget,
    hub: {
      tools: [
        { kind: "function", name: "f" },
        { kind: "function", name: "g" },
      ],
      toolChoice: { kind: "allowed", required: false, names: ["g"] },
    },
    chat: { tools: [{ type: "function", function: { name: "g" } }], tool_choice: "auto" },
  },
  {
    name: "reasoning with its state for the provider in between",
    source: openrouter,
    way: "encode",
    target: { issuer: "openrouter", providerType: "openrouter" },
    hub: {
      dialect: "messages",
      messages: [
        {
          role: "assistant",
          parts: [
            {
              kind: "reasoning",
              text: "hm",
              state: {
                issuer: "openrouter",
                kind: "signature",
                value: '{"type":"reasoning.text","signature":"s","format":"anthropic-claude-v1","index":0}',
              },
            },
            { kind: "text", text: "4" },
          ],
        },
      ],
    },
    chat: {
      messages: [
        {
          role: "assistant",
          content: "4",
          reasoning_content: "hm",
          reasoning_details: [
            { type: "reasoning.text", signature: "s", format: "anthropic-claude-v1", index: 0, text: "hm" },
          ],
        },
      ],
    },
  },
  {
    name: "Responses: the items of one turn are one message",
    source: responses,
    way: "encode",
    hub: {
      dialect: "responses",
      messages: [
        user("Hi"),
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "a", name: "f", arguments: "{}", toolKind: "function" }],
        },
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "b", name: "g", arguments: "{}", toolKind: "function" }],
        },
        { role: "tool", callId: "a", toolKind: "function", parts: [{ kind: "text", text: "1" }], isError: false },
        { role: "tool", callId: "b", toolKind: "function", parts: [{ kind: "text", text: "2" }], isError: false },
      ],
    },
    chat: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: null,
          tool_calls: [
            { id: "a", type: "function", function: { name: "f", arguments: "{}" } },
            { id: "b", type: "function", function: { name: "g", arguments: "{}" } },
          ],
        },
        { role: "tool", tool_call_id: "a", content: "1" },
        { role: "tool", tool_call_id: "b", content: "2" },
      ],
    },
  },
  {
    name: "Messages: a choice without tools goes",
    source: anthropic,
    way: "encode",
    hub: { dialect: "messages", toolChoice: { kind: "auto" }, parallelToolCalls: false },
    chat: {},
  },
  {
    name: "an allowed custom tool",
    source: openai,
    way: "encode",
    hub: {
      tools: [{ kind: "custom", name: "patch" }],
      toolChoice: { kind: "allowed", required: false, names: ["patch"] },
    },
    chat: {
      tools: [{ type: "custom", custom: { name: "patch" } }],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [{ type: "custom", custom: { name: "patch" } }] },
      },
    },
  },
  {
    name: "an empty list of stop sequences says nothing",
    source: openai,
    way: "decode",
    chat: { stop: [], tools: [] },
    hub: {},
  },
  {
    name: "a stream always asks for usage",
    source: openai,
    way: "encode",
    hub: { dialect: "messages", stream: true },
    chat: { stream: true, stream_options: { include_usage: true } },
  },
];

export const requestCases: readonly RequestCase[] = [...messages, ...settings, ...foreign];

/** Hub requests that a target cannot honour: what the error says and names. */
export const refusedRequests: readonly {
  readonly name: string;
  readonly hub: Partial<ChatRequest>;
  readonly target?: Partial<TranslationTarget>;
  readonly message: string;
  readonly param: string;
}[] = [
  {
    name: "an earlier response",
    hub: { dialect: "responses", previousResponseId: "resp_1" },
    message: "`previous_response_id` is not supported by provider openai: send the whole conversation instead",
    param: "previous_response_id",
  },
  {
    name: "a field of another dialect that changes the result",
    hub: { dialect: "responses", own: [{ name: "background", value: true, weight: "changes-result" }] },
    message: "`background` is not supported by provider openai: leave it out or use another model",
    param: "background",
  },
  {
    name: "a PDF for who takes none",
    hub: {
      messages: [
        {
          role: "user",
          parts: [{ kind: "file", source: { from: "data", mediaType: "application/pdf", data: "JVBERg==" } }],
        },
      ],
    },
    target: {
      providerName: "groq-eu",
      accepts: { files: false, customTools: true, mediaInToolResults: true, reasoningContent: true },
    },
    message: "`messages`: files are not supported by provider groq-eu: send the document as text or use another model",
    param: "messages",
  },
  {
    name: "a file stored elsewhere",
    hub: {
      messages: [
        { role: "user", parts: [{ kind: "file", source: { from: "file-id", id: "f1", issuer: "anthropic" } }] },
      ],
    },
    message: "`messages`: the file f1 is not stored at provider openai: send its data or its URL",
    param: "messages",
  },
  {
    name: "a server tool of Messages",
    hub: {
      dialect: "messages",
      tools: [{ kind: "hosted", dialect: "messages", type: "web_search_20250305", value: {} }],
    },
    message:
      "`tools`: a tool of type `web_search_20250305` is not supported by provider openai: leave it out or use a model of its maker",
    param: "tools",
  },
  {
    name: "a block that only another dialect has",
    hub: {
      dialect: "messages",
      messages: [
        { role: "assistant", parts: [{ kind: "opaque", dialect: "messages", type: "server_tool_use", value: {} }] },
      ],
    },
    message:
      "`messages`: a block of type `server_tool_use` is not supported by provider openai: leave it out or use another model",
    param: "messages",
  },
  {
    name: "an allowed tool that is not there",
    hub: { toolChoice: { kind: "allowed", required: true, names: ["h"] } },
    message: "`tool_choice` allows `h`, which is not among `tools`: provider openai cannot honour that, add the tool",
    param: "tool_choice",
  },
];
