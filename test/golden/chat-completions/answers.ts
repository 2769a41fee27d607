// Whole chat answers and what they are in the hub, written by hand from the pages named beside them.

import type { ChatAnswer, Finish } from "../../../src/core/chat-answer.ts";
import type { AssistantPart } from "../../../src/core/chat-request.ts";
import type { Usage } from "../../../src/core/usage.ts";

export interface AnswerCase {
  readonly name: string;
  /** The page that the format is taken from. */
  readonly source: string;
  /** Read, written, or both (the default). */
  readonly way?: "decode" | "encode";
  /** Of the one choice, beside the role; a written one has `refusal: null`, too, unless it says something else. */
  readonly message: Readonly<Record<string, unknown>>;
  /** Of the choice; default: `finish_reason: "stop"`, no `logprobs`. */
  readonly choice?: Readonly<Record<string, unknown>>;
  /** Of the answer, beside `id: "c1"`, `created: 1` and `model: "m"`. */
  readonly members?: Readonly<Record<string, unknown>>;
  readonly parts: readonly AssistantPart[];
  /** Default: a plain stop. */
  readonly finish?: Finish;
  readonly hub?: Partial<ChatAnswer>;
  /** Default: `openrouter`. */
  readonly providerType?: string;
  /** The caller asked with `functions`. */
  readonly legacy?: boolean;
}

const openai = "https://platform.openai.com/docs/api-reference/chat/object";
const deepseek = "https://api-docs.deepseek.com/guides/reasoning_model";
const openrouter = "https://openrouter.ai/docs/use-cases/reasoning-tokens";
const mistral = "https://docs.mistral.ai/capabilities/reasoning";
const gemini = "https://ai.google.dev/gemini-api/docs/openai";
const anthropic = "https://docs.anthropic.com/en/api/messages";
const vllm = "https://docs.vllm.ai/en/latest/serving/openai_compatible_server.html";

export const usage: Usage = {
  inputTokens: 0,
  outputTokens: 0,
  totalTokens: 0,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  cacheIsExtra: false,
  reasoningIsExtra: false,
  unmappedFields: [],
  raw: {},
};

const hello: AssistantPart = { kind: "text", text: "Hello" };
const call = (id: string, name: string, text: string): AssistantPart => ({
  kind: "tool-call",
  id,
  name,
  arguments: text,
  toolKind: "function",
});
const functionCall = (id: string, name: string, text: string) => ({
  id,
  type: "function",
  function: { name, arguments: text },
});

/** Reasons of all kinds, and which way they go. */
const finishes: readonly (readonly [
  raw: string,
  finish: Finish,
  way: "decode" | "encode" | undefined,
  source: string,
])[] = [
  ["length", { reason: "length", raw: "length" }, undefined, openai],
  ["content_filter", { reason: "content-filter", raw: "content_filter" }, undefined, openai],
  ["eos", { reason: "stop", raw: "eos" }, "decode", "https://docs.together.ai/reference/chat-completions-1"],
  ["model_length", { reason: "context-length", raw: "model_length" }, "decode", "https://docs.mistral.ai/api"],
  [
    "sensitive",
    { reason: "content-filter", raw: "sensitive" },
    "decode",
    "https://docs.z.ai/api-reference/llm/chat-completion",
  ],
  [
    "insufficient_system_resource",
    { reason: "unknown", raw: "insufficient_system_resource" },
    undefined,
    "https://api-docs.deepseek.com/api/create-chat-completion",
  ],
  ["MAX_TOKENS", { reason: "length", raw: "MAX_TOKENS" }, "decode", gemini],
  ["refusal", { reason: "refusal", raw: "refusal" }, "decode", anthropic],
  ["pause_turn", { reason: "pause", raw: "pause_turn" }, undefined, anthropic],
  ["content_filter", { reason: "refusal", raw: "refusal" }, "encode", anthropic],
  ["length", { reason: "context-length", raw: "model_context_window_exceeded" }, "encode", anthropic],
  ["stop", { reason: "stop-sequence", raw: "stop_sequence", stopSequence: "x" }, "encode", anthropic],
  ["unknown", { reason: "unknown" }, "encode", openai],
];

export const answerCases: readonly AnswerCase[] = [
  { name: "text", source: openai, message: { content: "Hello" }, parts: [hello] },
  { name: "nothing", source: openai, message: { content: "" }, parts: [] },
  { name: "content that is null", source: openai, way: "decode", message: { content: null }, parts: [] },
  {
    name: "text of any script",
    source: openai,
    message: { content: "Grüße 😀 \u0000" },
    parts: [{ kind: "text", text: "Grüße 😀 \u0000" }],
  },
  {
    name: "a refusal",
    source: openai,
    message: { content: null, refusal: "I cannot." },
    parts: [{ kind: "refusal", text: "I cannot." }],
  },
  {
    name: "one call",
    source: openai,
    message: { content: null, tool_calls: [functionCall("a", "f", '{"x":12345678901234567890}')] },
    choice: { finish_reason: "tool_calls" },
    parts: [call("a", "f", '{"x":12345678901234567890}')],
    finish: { reason: "tool-calls", raw: "tool_calls" },
  },
  {
    name: "text and parallel calls",
    source: openai,
    message: { content: "Hello", tool_calls: [functionCall("a", "f", "{}"), functionCall("b", "g", "{}")] },
    choice: { finish_reason: "tool_calls" },
    parts: [hello, call("a", "f", "{}"), call("b", "g", "{}")],
    finish: { reason: "tool-calls", raw: "tool_calls" },
  },
  {
    name: "a custom call",
    source: openai,
    message: { content: null, tool_calls: [{ id: "a", type: "custom", custom: { name: "patch", input: "x" } }] },
    choice: { finish_reason: "tool_calls" },
    parts: [{ kind: "tool-call", id: "a", name: "patch", arguments: "x", toolKind: "custom" }],
    finish: { reason: "tool-calls", raw: "tool_calls" },
  },
  {
    name: "a forced call that ends with stop",
    source: openai,
    way: "decode",
    message: { content: null, tool_calls: [functionCall("a", "f", "{}")] },
    parts: [call("a", "f", "{}")],
    finish: { reason: "tool-calls", raw: "stop" },
  },
  {
    name: "calls without ids, types or texts",
    source: vllm,
    way: "decode",
    message: { tool_calls: [{ function: { name: "f", arguments: { a: 1 } } }, { id: " ", function: { name: "g" } }] },
    choice: { finish_reason: "tool_calls" },
    members: { id: "chatcmpl-12" },
    parts: [call("call_chatcmpl12_0_0", "f", '{"a":1}'), call("call_chatcmpl12_0_1", "g", "")],
    finish: { reason: "tool-calls", raw: "tool_calls" },
    hub: { id: "chatcmpl-12" },
  },
  {
    name: "a call without id and arguments is given both",
    source: openai,
    way: "encode",
    message: { content: null, tool_calls: [functionCall("call_new1", "f", "{}")] },
    choice: { finish_reason: "tool_calls" },
    parts: [call("", "f", "")],
    finish: { reason: "tool-calls" },
  },
  {
    name: "a legacy call",
    source: openai,
    way: "decode",
    message: { content: null, function_call: { name: "f", arguments: "{}" } },
    choice: { finish_reason: "function_call" },
    parts: [call("call_c1_0_0", "f", "{}")],
    finish: { reason: "tool-calls", raw: "function_call" },
  },
  {
    name: "a call for a legacy caller",
    source: openai,
    way: "encode",
    legacy: true,
    message: { content: null, function_call: { name: "f", arguments: "{}" } },
    choice: { finish_reason: "function_call" },
    parts: [call("a", "f", "{}")],
    finish: { reason: "tool-calls" },
  },
  {
    name: "reasoning as text",
    source: deepseek,
    message: { content: "Hello", reasoning_content: "hm" },
    parts: [{ kind: "reasoning", text: "hm" }, hello],
  },
  {
    name: "reasoning in the other spelling, twice",
    source: vllm,
    way: "decode",
    message: { content: "Hello", reasoning: "hm", reasoning_content: "hm" },
    parts: [{ kind: "reasoning", text: "hm" }, hello],
  },
  {
    name: "reasoning details with a signature",
    source: openrouter,
    way: "decode",
    message: {
      content: "Hello",
      reasoning: "hm",
      reasoning_details: [
        { type: "reasoning.text", text: "hm", signature: "s", format: "anthropic-claude-v1", index: 0 },
      ],
    },
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
      hello,
    ],
  },
  {
    name: "a summary and an encrypted detail",
    source: openrouter,
    way: "decode",
    message: {
      content: "Hello",
      reasoning_details: [
        { type: "reasoning.summary", summary: "sum", index: 0 },
        { type: "reasoning.encrypted", data: "e", id: "rs_1", index: 0 },
      ],
    },
    parts: [
      { kind: "reasoning", text: "sum", isSummary: true },
      {
        kind: "reasoning",
        text: "",
        state: {
          issuer: "openrouter",
          kind: "encrypted",
          value: '{"type":"reasoning.encrypted","data":"e","id":"rs_1","index":0}',
        },
      },
      hello,
    ],
  },
  {
    name: "thinking in a list of parts",
    source: mistral,
    way: "decode",
    message: {
      content: [
        {
          type: "thinking",
          thinking: [
            { type: "text", text: "h" },
            { type: "text", text: "m" },
          ],
        },
        { type: "text", text: "Hello" },
      ],
    },
    parts: [{ kind: "reasoning", text: "hm" }, hello],
  },
  {
    name: "signed and redacted thinking",
    source: anthropic,
    message: {
      content: "Hello",
      reasoning_content: "hm",
      extra_content: {
        anthropic: {
          thinking_blocks: [
            { type: "thinking", thinking: "hm", signature: "s" },
            { type: "redacted_thinking", data: "r" },
          ],
        },
      },
    },
    parts: [
      { kind: "reasoning", text: "hm", state: { issuer: "anthropic", kind: "signature", value: "s" } },
      { kind: "reasoning", text: "", state: { issuer: "anthropic", kind: "redacted", value: "r" } },
      hello,
    ],
  },
  {
    name: "encrypted reasoning with its summary",
    source: "https://platform.openai.com/docs/api-reference/responses/object",
    message: {
      content: "Hello",
      reasoning_content: "sum",
      extra_content: { openai: { reasoning_items: [{ id: "rs_1", encrypted_content: "e", summary: "sum" }] } },
    },
    parts: [
      {
        kind: "reasoning",
        text: "sum",
        isSummary: true,
        state: { issuer: "openai", kind: "encrypted", value: "e", id: "rs_1" },
      },
      hello,
    ],
  },
  {
    name: "thoughts of a call and of a text",
    source: gemini,
    message: {
      content: "Hello",
      tool_calls: [{ ...functionCall("a", "f", "{}"), extra_content: { google: { thought_signature: "S" } } }],
      extra_content: { google: { thought_signature: "T" } },
    },
    choice: { finish_reason: "tool_calls" },
    parts: [
      { ...hello, state: { issuer: "google", kind: "thought", value: "T" } } as AssistantPart,
      {
        kind: "tool-call",
        id: "a",
        name: "f",
        arguments: "{}",
        toolKind: "function",
        state: { issuer: "google", kind: "thought", value: "S" },
      },
    ],
    finish: { reason: "tool-calls", raw: "tool_calls" },
  },
  {
    name: "a citation",
    source: openai,
    message: {
      content: "Hello",
      annotations: [
        { type: "url_citation", url_citation: { url: "https://a.b", title: "T", start_index: 0, end_index: 5 } },
      ],
    },
    parts: [
      {
        kind: "text",
        text: "Hello",
        annotations: [
          {
            kind: "url",
            url: "https://a.b",
            title: "T",
            startIndex: 0,
            endIndex: 5,
            raw: {
              dialect: "chat-completions",
              value: {
                type: "url_citation",
                url_citation: { url: "https://a.b", title: "T", start_index: 0, end_index: 5 },
              },
            },
          },
        ],
      },
    ],
  },
  {
    name: "a citation in a second text moves with it; one of a document has no place here",
    source: openai,
    way: "encode",
    message: {
      content: "Hello you",
      annotations: [
        { type: "url_citation", url_citation: { url: "https://a.b", title: "", start_index: 6, end_index: 9 } },
      ],
    },
    parts: [
      { kind: "text", text: "Hello " },
      {
        kind: "text",
        text: "you",
        annotations: [
          { kind: "document", citedText: "x", raw: { dialect: "messages", value: {} } },
          { kind: "url", url: "https://a.b", startIndex: 0, endIndex: 3, raw: { dialect: "messages", value: {} } },
        ],
      },
    ],
  },
  {
    name: "probabilities",
    source: openai,
    message: { content: "Hello" },
    choice: {
      logprobs: { content: [{ token: "Hello", logprob: -0.1, bytes: [72], top_logprobs: [] }], refusal: null },
    },
    parts: [
      { kind: "text", text: "Hello", logprobs: [{ token: "Hello", logprob: -0.1, bytes: [72], top_logprobs: [] }] },
    ],
  },
  {
    name: "audio",
    source: "https://platform.openai.com/docs/guides/audio",
    message: { content: null, audio: { id: "audio_1", data: "aGk=", transcript: "hi", expires_at: 9 } },
    way: "decode",
    parts: [
      {
        kind: "opaque",
        dialect: "chat-completions",
        type: "audio",
        value: { id: "audio_1", data: "aGk=", transcript: "hi", expires_at: 9 },
      },
    ],
  },
  {
    name: "unknown members of answer and choice; the gateway's own and labels of servers go",
    source: openai,
    way: "decode",
    message: { content: "Hello" },
    choice: { new_choice: 1, native_finish_reason: "end_turn" },
    members: { new_top: 2, provider: "Someone", system_fingerprint: "fp", service_tier: "default" },
    parts: [hello],
    hub: {
      serviceTier: "default",
      unknown: { new_top: 2 },
      choices: [{ index: 0, parts: [hello], finish: { reason: "stop", raw: "stop" }, unknown: { new_choice: 1 } }],
    },
  },
  {
    name: "a stop sequence that the server names",
    source: vllm,
    way: "decode",
    message: { content: "Hello" },
    choice: { stop_reason: "END" },
    parts: [hello],
    finish: { reason: "stop-sequence", raw: "stop", stopSequence: "END" },
  },
  {
    name: "no reason at all",
    source: openai,
    way: "decode",
    message: { content: "Hello" },
    choice: { finish_reason: null },
    parts: [hello],
    finish: { reason: "unknown" },
  },
  {
    name: "cached, written, reasoning and audio tokens",
    source: openai,
    way: "decode",
    message: { content: "Hello" },
    members: {
      usage: {
        prompt_tokens: 100,
        completion_tokens: 20,
        total_tokens: 120,
        prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30, audio_tokens: 5 },
        completion_tokens_details: { reasoning_tokens: 15, audio_tokens: 2 },
      },
    },
    parts: [hello],
    hub: {
      usage: {
        ...usage,
        inputTokens: 100,
        outputTokens: 20,
        totalTokens: 120,
        cachedInputTokens: 60,
        cacheWriteTokens: 30,
        reasoningTokens: 15,
        audioInputTokens: 5,
        audioOutputTokens: 2,
        raw: {
          prompt_tokens: 100,
          completion_tokens: 20,
          total_tokens: 120,
          prompt_tokens_details: { cached_tokens: 60, cache_write_tokens: 30, audio_tokens: 5 },
          completion_tokens_details: { reasoning_tokens: 15, audio_tokens: 2 },
        },
      },
    },
  },
  {
    name: "reasoning that is counted beside the completion",
    source: "https://docs.x.ai/docs/guides/reasoning",
    way: "decode",
    providerType: "xai",
    message: { content: "Hello" },
    members: {
      usage: { prompt_tokens: 10, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 30 } },
    },
    parts: [hello],
    hub: {
      usage: {
        ...usage,
        inputTokens: 10,
        outputTokens: 2,
        totalTokens: 42,
        reasoningTokens: 30,
        reasoningIsExtra: true,
        raw: { prompt_tokens: 10, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 30 } },
      },
    },
  },
  {
    name: "Anthropic's disjoint counts become inclusive ones",
    source: anthropic,
    way: "encode",
    message: { content: "Hello" },
    members: {
      usage: {
        prompt_tokens: 12857,
        completion_tokens: 550,
        total_tokens: 13407,
        prompt_tokens_details: { cached_tokens: 550, cache_write_tokens: 12304 },
        completion_tokens_details: { reasoning_tokens: 0 },
        raw_usage: { input_tokens: 3, cache_read_input_tokens: 550 },
      },
    },
    parts: [hello],
    hub: {
      usage: {
        ...usage,
        inputTokens: 3,
        outputTokens: 550,
        totalTokens: 13407,
        cachedInputTokens: 550,
        cacheWriteTokens: 12304,
        cacheIsExtra: true,
        raw: { input_tokens: 3, cache_read_input_tokens: 550 },
      },
    },
  },
  {
    name: "reasoning beside the completion becomes part of it, audio is told",
    source: openai,
    way: "encode",
    message: { content: "Hello" },
    members: {
      usage: {
        prompt_tokens: 10,
        completion_tokens: 32,
        total_tokens: 42,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 4 },
        completion_tokens_details: { reasoning_tokens: 30, audio_tokens: 1 },
      },
    },
    parts: [hello],
    hub: {
      usage: {
        ...usage,
        inputTokens: 10,
        outputTokens: 2,
        totalTokens: 42,
        reasoningTokens: 30,
        reasoningIsExtra: true,
        audioInputTokens: 4,
        audioOutputTokens: 1,
      },
    },
  },
  {
    name: "several runs of reasoning are kept apart",
    source: anthropic,
    way: "encode",
    message: { content: "Hello", reasoning_content: "one\n\ntwo" },
    parts: [{ kind: "reasoning", text: "one" }, { kind: "reasoning", text: "two" }, hello],
  },
  {
    name: "blocks of other dialects have no place here",
    source: anthropic,
    way: "encode",
    message: { content: "Hello" },
    parts: [{ kind: "opaque", dialect: "messages", type: "server_tool_use", value: {} }, hello],
  },
  {
    name: "unknown members, a tier and what the provider did not say",
    source: openai,
    way: "encode",
    message: { content: "Hello" },
    choice: { new_choice: 1 },
    members: { id: "chatcmpl-new1", created: 1700000000, model: "asked", new_top: 2, service_tier: "default" },
    parts: [hello],
    hub: {
      id: undefined,
      created: undefined,
      model: undefined,
      serviceTier: "default",
      unknown: { new_top: 2 },
      choices: [{ index: 0, parts: [hello], finish: { reason: "stop" }, unknown: { new_choice: 1 } }],
    } as Partial<ChatAnswer>,
  },
  ...finishes.map(([raw, finish, way, source]): AnswerCase => ({
    name: `the end ${raw}, ${finish.reason}`,
    source,
    ...(way === undefined ? {} : { way }),
    message: { content: "Hello" },
    choice: { finish_reason: raw },
    parts: [hello],
    finish,
  })),
];
