// Whole answers in the Messages dialect and what they are in the hub, written by hand from the pages named.

import type { ChatAnswer } from "../../../src/core/chat-answer.ts";
import type { AssistantPart } from "../../../src/core/chat-request.ts";

export interface AnswerCase {
  readonly name: string;
  readonly source: string;
  /** What differs from `plainWire`. */
  readonly wire: Readonly<Record<string, unknown>>;
  readonly parts: readonly AssistantPart[];
  /** Default: a `stop`. */
  readonly finish?: ChatAnswer["choices"][0]["finish"];
  /** What else of the answer differs from the plain one. */
  readonly hub?: Partial<ChatAnswer>;
  /** Where what the hub writes is not `wire` again. */
  readonly back?: Readonly<Record<string, unknown>>;
}

export const plainUsage = {
  input_tokens: 12,
  cache_creation_input_tokens: 0,
  cache_read_input_tokens: 0,
  output_tokens: 6,
};

export const hubUsage = {
  inputTokens: 12,
  outputTokens: 6,
  totalTokens: 18,
  cachedInputTokens: 0,
  cacheWriteTokens: 0,
  reasoningTokens: 0,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  cacheIsExtra: true,
  reasoningIsExtra: false,
  unmappedFields: [],
  raw: plainUsage,
};

export const plainWire = {
  id: "msg_01XFDUDYJgAACzvnptvVoYEL",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-6",
  content: [{ type: "text", text: "Hello!" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: plainUsage,
  provider: "anthropic",
};

const api = "https://platform.claude.com/docs/en/api/messages/create (response)";
const stops = "https://platform.claude.com/docs/en/api/handling-stop-reasons";
const toolUse = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls";
const thinking = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";
const citations = "https://platform.claude.com/docs/en/build-with-claude/citations";
const caching = "https://platform.claude.com/docs/en/build-with-claude/prompt-caching (tracking cache performance)";

const hello: AssistantPart = { kind: "text", text: "Hello!" };
const toolFinish = { reason: "tool-calls", raw: "tool_use" } as const;
const call = (id: string, args: string) =>
  ({ kind: "tool-call", id, name: "get_weather", arguments: args, toolKind: "function" }) as const;
const cited = {
  type: "page_location",
  cited_text: "Water is essential for life.",
  document_index: 0,
  document_title: "PDF Document",
  start_page_number: 5,
  end_page_number: 6,
};
const fromTheWeb = {
  type: "web_search_result_location",
  url: "https://en.wikipedia.org/wiki/Claude_Shannon",
  title: "Claude Shannon - Wikipedia",
  encrypted_index: "Eo8BCioIAhgBIiQyYjQ0OWJmZi1lNm",
  cited_text: "Claude Elwood Shannon (April 30, 1916",
};
const found = {
  type: "search_result_location",
  cited_text: "All requests need a key.",
  search_result_index: 0,
  source: "https://docs.example.com/api",
  title: "API Reference",
  start_block_index: 0,
  end_block_index: 1,
};

export const answers: readonly AnswerCase[] = [
  { name: "a text", source: api, wire: {}, parts: [hello] },
  { name: "nothing at all", source: `${stops} (empty responses)`, wire: { content: [] }, parts: [] },
  {
    name: "several texts",
    source: citations,
    wire: {
      content: [
        { type: "text", text: "One, " },
        { type: "text", text: "two" },
      ],
    },
    parts: [
      { kind: "text", text: "One, " },
      { kind: "text", text: "two" },
    ],
  },
  {
    name: "text beyond ASCII",
    source: api,
    wire: { content: [{ type: "text", text: "Grüße 🐜 \u2028 \u0000" }] },
    parts: [{ kind: "text", text: "Grüße 🐜 \u2028 \u0000" }],
  },
  {
    name: "one of the caller's stop sequences",
    source: `${stops} (stop_sequence)`,
    wire: { stop_reason: "stop_sequence", stop_sequence: "END" },
    parts: [hello],
    finish: { reason: "stop-sequence", raw: "stop_sequence", stopSequence: "END" },
  },
  {
    name: "the limit of tokens",
    source: `${stops} (max_tokens)`,
    wire: { stop_reason: "max_tokens" },
    parts: [hello],
    finish: { reason: "length", raw: "max_tokens" },
  },
  {
    name: "a full window",
    source: `${stops} (model_context_window_exceeded)`,
    wire: { stop_reason: "model_context_window_exceeded" },
    parts: [hello],
    finish: { reason: "context-length", raw: "model_context_window_exceeded" },
  },
  {
    name: "a pause",
    source: `${stops} (pause_turn)`,
    wire: { stop_reason: "pause_turn" },
    parts: [hello],
    finish: { reason: "pause", raw: "pause_turn" },
  },
  {
    name: "a refusal",
    source: `${stops} (refusal)`,
    wire: { content: [], stop_reason: "refusal" },
    parts: [],
    finish: { reason: "refusal", raw: "refusal" },
  },
  {
    name: "a refusal with its reason",
    source: `${stops} (refusal, stop_details)`,
    wire: {
      content: [],
      stop_reason: "refusal",
      stop_details: { type: "refusal", category: "bio", explanation: "This may be dangerous." },
    },
    parts: [{ kind: "refusal", text: "This may be dangerous." }],
    finish: { reason: "refusal", raw: "refusal" },
    back: { content: [{ type: "text", text: "This may be dangerous." }], stop_reason: "refusal" },
  },
  {
    name: "a reason of next year",
    source: `${stops} (new reasons may be added)`,
    wire: { stop_reason: "compaction" },
    parts: [hello],
    finish: { reason: "unknown", raw: "compaction" },
  },
  {
    name: "a call",
    source: toolUse,
    wire: {
      content: [
        { type: "text", text: "I will check." },
        {
          type: "tool_use",
          id: "toolu_01A09q90",
          name: "get_weather",
          input: { location: "San Francisco, CA", unit: "celsius" },
        },
      ],
      stop_reason: "tool_use",
    },
    parts: [
      { kind: "text", text: "I will check." },
      call("toolu_01A09q90", '{"location":"San Francisco, CA","unit":"celsius"}'),
    ],
    finish: toolFinish,
  },
  {
    name: "two calls, one without input",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use",
    wire: {
      content: [
        { type: "tool_use", id: "toolu_01", name: "get_weather", input: { location: "Paris" } },
        { type: "tool_use", id: "toolu_02", name: "get_weather", input: {} },
      ],
      stop_reason: "tool_use",
    },
    parts: [call("toolu_01", '{"location":"Paris"}'), call("toolu_02", "{}")],
    finish: toolFinish,
  },
  {
    name: "a call by the model itself is told apart from none",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/programmatic-tool-calling",
    wire: {
      content: [{ type: "tool_use", id: "toolu_01", name: "get_weather", input: {}, caller: { type: "direct" } }],
      stop_reason: "tool_use",
    },
    parts: [call("toolu_01", "{}")],
    finish: toolFinish,
    back: { content: [{ type: "tool_use", id: "toolu_01", name: "get_weather", input: {} }], stop_reason: "tool_use" },
  },
  {
    name: "thoughts",
    source: thinking,
    wire: {
      content: [
        {
          type: "thinking",
          thinking: "Let me analyze this",
          signature: "WaUjzkypQ2mUEVM36O2TxuC06KN8xyfbJwyem2dw3URve",
        },
        { type: "text", text: "Hello!" },
      ],
    },
    parts: [
      {
        kind: "reasoning",
        text: "Let me analyze this",
        state: { issuer: "anthropic", kind: "signature", value: "WaUjzkypQ2mUEVM36O2TxuC06KN8xyfbJwyem2dw3URve" },
      },
      hello,
    ],
  },
  {
    name: "thoughts that are not shown",
    source: `${thinking} (display omitted)`,
    wire: {
      content: [
        { type: "thinking", thinking: "", signature: "EosnCkYICxIM" },
        { type: "text", text: "Hello!" },
      ],
    },
    parts: [
      { kind: "reasoning", text: "", state: { issuer: "anthropic", kind: "signature", value: "EosnCkYICxIM" } },
      hello,
    ],
  },
  {
    name: "redacted thoughts",
    source: `${thinking} (thinking redaction)`,
    wire: {
      content: [
        { type: "redacted_thinking", data: "EmwKAhgBEgy3va3pzix" },
        { type: "text", text: "Hello!" },
      ],
    },
    parts: [
      { kind: "reasoning", text: "", state: { issuer: "anthropic", kind: "redacted", value: "EmwKAhgBEgy3va3pzix" } },
      hello,
    ],
  },
  {
    name: "thoughts of a provider that signs nothing",
    source: `${thinking} (signature)`,
    wire: {
      content: [
        { type: "thinking", thinking: "Hm", signature: "" },
        { type: "text", text: "Hello!" },
      ],
    },
    parts: [{ kind: "reasoning", text: "Hm" }, hello],
  },
  {
    name: "a page that is cited",
    source: citations,
    wire: { content: [{ type: "text", text: "Water is essential", citations: [cited] }] },
    parts: [
      {
        kind: "text",
        text: "Water is essential",
        annotations: [
          {
            kind: "document",
            title: "PDF Document",
            citedText: "Water is essential for life.",
            raw: { dialect: "messages", value: cited },
          },
        ],
      },
    ],
  },
  {
    name: "places in the web and among search results",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool (citations)",
    wire: { content: [{ type: "text", text: "In 1916", citations: [fromTheWeb, found] }] },
    parts: [
      {
        kind: "text",
        text: "In 1916",
        annotations: [
          {
            kind: "url",
            url: "https://en.wikipedia.org/wiki/Claude_Shannon",
            title: "Claude Shannon - Wikipedia",
            citedText: "Claude Elwood Shannon (April 30, 1916",
            raw: { dialect: "messages", value: fromTheWeb },
          },
          {
            kind: "document",
            url: "https://docs.example.com/api",
            title: "API Reference",
            citedText: "All requests need a key.",
            raw: { dialect: "messages", value: found },
          },
        ],
      },
    ],
  },
  {
    name: "a search that Anthropic ran",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/web-search-tool (response)",
    wire: {
      content: [
        { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: { query: "q" } },
        { type: "web_search_tool_result", tool_use_id: "srvtoolu_01", content: [] },
        { type: "text", text: "Hello!" },
      ],
    },
    parts: [
      {
        kind: "opaque",
        dialect: "messages",
        type: "server_tool_use",
        value: { type: "server_tool_use", id: "srvtoolu_01", name: "web_search", input: { query: "q" } },
      },
      {
        kind: "opaque",
        dialect: "messages",
        type: "web_search_tool_result",
        value: { type: "web_search_tool_result", tool_use_id: "srvtoolu_01", content: [] },
      },
      hello,
    ],
  },
  {
    name: "what was read from the cache and written to it stands beside the rest",
    source: caching,
    wire: {
      usage: { input_tokens: 50, cache_creation_input_tokens: 248, cache_read_input_tokens: 1800, output_tokens: 503 },
    },
    parts: [hello],
    hub: {
      usage: {
        ...hubUsage,
        inputTokens: 50,
        cacheWriteTokens: 248,
        cachedInputTokens: 1800,
        outputTokens: 503,
        totalTokens: 2601,
        raw: { input_tokens: 50, cache_creation_input_tokens: 248, cache_read_input_tokens: 1800, output_tokens: 503 },
      },
    },
  },
  {
    name: "the tokens of thoughts are some of the answer's, and the tier stands among the usage",
    source: `${api} (usage)`,
    wire: { usage: { ...plainUsage, output_tokens_details: { thinking_tokens: 4 }, service_tier: "priority" } },
    parts: [hello],
    hub: {
      serviceTier: "priority",
      usage: {
        ...hubUsage,
        reasoningTokens: 4,
        raw: { ...plainUsage, output_tokens_details: { thinking_tokens: 4 }, service_tier: "priority" },
      },
    },
  },
  {
    name: "a provider that leaves out whatever it can",
    source: `${api}, read as tolerantly as SDKs do`,
    wire: { id: undefined, model: undefined, stop_sequence: undefined, usage: undefined, provider: undefined },
    parts: [hello],
    hub: { id: undefined, model: undefined, usage: undefined },
    back: {
      id: "msg_a1b2c3d4e5f6a1b2c3d4e5f6",
      model: "claude-sonnet-4-5",
      usage: { input_tokens: 42, output_tokens: 0 },
    },
  },
  {
    name: "unknown members of the message and of a block, where they stood",
    source: api,
    wire: { of_next_year: [1], content: [{ type: "text", text: "Hello!", mood: "good" }] },
    parts: [{ ...hello, unknown: { mood: "good" } }],
    hub: { unknown: { of_next_year: [1] } },
  },
  {
    name: "what says something only to Anthropic's own callers",
    source: `${api} (container)`,
    wire: { container: { id: "container_01", expires_at: "2026-01-01T00:00:00Z" }, diagnostics: null },
    parts: [hello],
    back: {},
  },
];

export interface ForeignAnswer {
  readonly name: string;
  readonly source: string;
  readonly hub: Partial<ChatAnswer>;
  readonly parts: readonly AssistantPart[];
  readonly finish: ChatAnswer["choices"][0]["finish"];
  /** What differs from `plainWire`. */
  readonly wire: Readonly<Record<string, unknown>>;
}

/** What other dialects' answers come to. */
export const foreignAnswers: readonly ForeignAnswer[] = [
  {
    name: "OpenAI's cached tokens are taken out of the input",
    source: caching,
    hub: {
      id: "chatcmpl-1",
      usage: { ...hubUsage, inputTokens: 100, cachedInputTokens: 80, cacheWriteTokens: 5, cacheIsExtra: false },
    },
    parts: [hello],
    finish: { reason: "stop", raw: "stop" },
    wire: {
      id: "msg_chatcmpl-1",
      usage: { input_tokens: 15, cache_creation_input_tokens: 5, cache_read_input_tokens: 80, output_tokens: 6 },
    },
  },
  {
    name: "xAI's reasoning is added to the output",
    source: api,
    hub: { usage: { ...hubUsage, cacheIsExtra: false, reasoningTokens: 30, reasoningIsExtra: true } },
    parts: [hello],
    finish: { reason: "stop" },
    wire: { usage: { ...plainUsage, output_tokens: 36, output_tokens_details: { thinking_tokens: 30 } } },
  },
  {
    name: "a filter is a refusal",
    source: stops,
    hub: {},
    parts: [],
    finish: { reason: "content-filter", raw: "content_filter" },
    wire: { content: [], stop_reason: "refusal" },
  },
  {
    name: "a refusal that ended normally is one",
    source: stops,
    hub: {},
    parts: [{ kind: "refusal", text: "I cannot." }],
    finish: { reason: "stop", raw: "stop" },
    wire: { content: [{ type: "text", text: "I cannot." }], stop_reason: "refusal" },
  },
  {
    name: "calls after a normal end are calls",
    source: stops,
    hub: {},
    parts: [call("call_1", '{"location":"Paris"}')],
    finish: { reason: "stop", raw: "stop" },
    wire: {
      content: [{ type: "tool_use", id: "call_1", name: "get_weather", input: { location: "Paris" } }],
      stop_reason: "tool_use",
    },
  },
  {
    name: "a call without an id gets one, and arguments that are no JSON stay readable",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/fine-grained-tool-streaming (invalid JSON)",
    hub: {},
    parts: [call("", '{"location":')],
    finish: toolFinish,
    wire: {
      content: [
        {
          type: "tool_use",
          id: "toolu_a1b2c3d4e5f6a1b2c3d4e5f6",
          name: "get_weather",
          input: { INVALID_JSON: '{"location":' },
        },
      ],
      stop_reason: "tool_use",
    },
  },
  {
    name: "an end that nobody named is not a normal one",
    source: stops,
    hub: {},
    parts: [hello],
    finish: { reason: "unknown" },
    wire: { stop_reason: "unknown" },
  },
  {
    name: "sound and the other dialects' own blocks are not told",
    source: api,
    hub: {},
    parts: [
      { kind: "audio", data: "AAAA", format: "wav" },
      { kind: "opaque", dialect: "responses", type: "web_search_call", value: { type: "web_search_call" } },
      hello,
    ],
    finish: { reason: "stop" },
    wire: {},
  },
];
