// Answers of the hub, and what a caller that speaks Responses gets of each: `output`, how it ended, and other members where they matter.

import type { ChatAnswer, Finish } from "../../../src/core/chat-answer.ts";
import type { AssistantPart, ChatRequest } from "../../../src/core/chat-request.ts";
import { create, functions, object, reasoning, signatures, thinking } from "./pages.ts";

export interface EncodedAnswerCase {
  readonly name: string;
  readonly source: string;
  readonly parts: readonly AssistantPart[];
  /** `stop` unless said otherwise. */
  readonly finish?: Finish;
  readonly answer?: Partial<ChatAnswer>;
  readonly request?: Partial<ChatRequest>;
  /** Ids are numbered in the order in which they are made; the response's is the last. */
  readonly output: readonly object[];
  /** Members beside `output`; `status` is `completed` unless said otherwise. */
  readonly wire?: Readonly<Record<string, unknown>>;
}

const id = (prefix: string, number: number) => `${prefix}_${String(number).padStart(24, "0")}`;
const text = (value: string, more: object = {}) => ({
  type: "output_text",
  text: value,
  annotations: [],
  logprobs: [],
  ...more,
});
const message = (number: number, content: readonly object[], more: object = {}) => ({
  id: id("msg", number),
  type: "message",
  role: "assistant",
  status: "completed",
  content,
  ...more,
});
const usage = {
  inputTokens: 100,
  outputTokens: 20,
  totalTokens: 120,
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
const cut = (reason: string) => ({ status: "incomplete", incomplete_details: { reason } });
const mark = (state: object) => `gomodel.state.${Buffer.from(JSON.stringify(state)).toString("base64url")}`;

export const encodedAnswers: readonly EncodedAnswerCase[] = [
  {
    name: "text",
    source: object,
    parts: [{ kind: "text", text: "hi" }],
    output: [message(1, [text("hi")])],
    wire: { object: "response", created_at: 1_700_000_000, model: "m", provider: "anthropic", error: null },
  },
  { name: "nothing", source: object, parts: [], output: [] },
  {
    name: "text that follows text is in the same message",
    source: object,
    parts: [
      { kind: "text", text: "a" },
      { kind: "text", text: "" },
      { kind: "refusal", text: "no" },
    ],
    output: [message(1, [text("a"), { type: "refusal", refusal: "no" }])],
  },
  {
    name: "text, call, text: three items",
    source: functions,
    parts: [
      { kind: "text", text: "a" },
      { kind: "tool-call", id: "c", name: "f", arguments: '{"a":1}', toolKind: "function" },
      { kind: "text", text: "b" },
    ],
    finish: { reason: "tool-calls" },
    output: [
      message(1, [text("a")]),
      { id: id("fc", 2), type: "function_call", status: "completed", call_id: "c", name: "f", arguments: '{"a":1}' },
      message(3, [text("b")]),
    ],
  },
  {
    name: "a call without arguments has an empty object, one without an id gets one",
    source: functions,
    parts: [{ kind: "tool-call", id: "", name: "f", arguments: "", toolKind: "function" }],
    finish: { reason: "tool-calls" },
    output: [
      {
        id: id("fc", 2),
        type: "function_call",
        status: "completed",
        call_id: id("call", 1),
        name: "f",
        arguments: "{}",
      },
    ],
  },
  {
    name: "a call of a custom tool",
    source: functions,
    parts: [{ kind: "tool-call", id: "c", name: "sql", arguments: "select 1", toolKind: "custom" }],
    finish: { reason: "tool-calls" },
    output: [
      { id: id("ctc", 1), type: "custom_tool_call", status: "completed", call_id: "c", name: "sql", input: "select 1" },
    ],
  },
  {
    name: "a custom tool that was sent as a function is turned back",
    source: functions,
    parts: [{ kind: "tool-call", id: "c", name: "sql", arguments: '{"input":"select \\"1\\""}', toolKind: "function" }],
    finish: { reason: "tool-calls" },
    request: { tools: [{ kind: "custom", name: "sql" }] },
    output: [
      {
        id: id("ctc", 1),
        type: "custom_tool_call",
        status: "completed",
        call_id: "c",
        name: "sql",
        input: 'select "1"',
      },
    ],
    wire: { tools: [{ type: "custom", name: "sql" }] },
  },
  {
    name: "thinking with Anthropic's signature",
    source: thinking,
    parts: [
      { kind: "reasoning", text: "hm", state: { issuer: "anthropic", kind: "signature", value: "S" } },
      { kind: "text", text: "hi" },
    ],
    output: [
      {
        id: id("rs", 1),
        type: "reasoning",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: mark({ issuer: "anthropic", kind: "signature", value: "S", text: "hm" }),
        extra_content: { anthropic: { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "S" }] } },
      },
      message(2, [text("hi")]),
    ],
  },
  {
    name: "redacted thinking",
    source: thinking,
    parts: [{ kind: "reasoning", text: "", state: { issuer: "anthropic", kind: "redacted", value: "R" } }],
    output: [
      {
        id: id("rs", 1),
        type: "reasoning",
        summary: [],
        encrypted_content: mark({ issuer: "anthropic", kind: "redacted", value: "R" }),
        extra_content: { anthropic: { thinking_blocks: [{ type: "redacted_thinking", data: "R" }] } },
      },
    ],
  },
  {
    name: "reasoning text without state",
    source: reasoning,
    parts: [{ kind: "reasoning", text: "hm" }],
    output: [
      {
        id: id("rs", 1),
        type: "reasoning",
        summary: [{ type: "summary_text", text: "hm" }],
        encrypted_content: mark({ issuer: "", kind: "encrypted", value: "" }),
      },
    ],
  },
  {
    name: "OpenAI's own state as it is, with its id",
    source: reasoning,
    parts: [{ kind: "reasoning", text: "", state: { issuer: "openai", kind: "encrypted", value: "ENC", id: "rs_9" } }],
    output: [{ id: "rs_9", type: "reasoning", summary: [], encrypted_content: "ENC" }],
  },
  {
    name: "a call with Google's signature, which stands in an item before it, too",
    source: signatures,
    parts: [
      {
        kind: "tool-call",
        id: "c",
        name: "f",
        arguments: "{}",
        toolKind: "function",
        state: { issuer: "google", kind: "thought", value: "G" },
      },
    ],
    finish: { reason: "tool-calls" },
    output: [
      {
        id: id("rs", 1),
        type: "reasoning",
        summary: [],
        encrypted_content: mark({ issuer: "google", kind: "thought", value: "G", text: "c" }),
      },
      {
        id: id("fc", 2),
        type: "function_call",
        status: "completed",
        call_id: "c",
        name: "f",
        arguments: "{}",
        extra_content: { google: { thought_signature: "G" } },
      },
    ],
  },
  {
    name: "a text with Google's signature",
    source: signatures,
    parts: [{ kind: "text", text: "hi", state: { issuer: "google", kind: "thought", value: "G" } }],
    output: [
      message(1, [text("hi")], { extra_content: { google: { thought_signature: "G" } } }),
      {
        id: id("rs", 2),
        type: "reasoning",
        summary: [],
        encrypted_content: mark({ issuer: "google", kind: "thought", value: "G" }),
      },
    ],
  },
  {
    name: "a page that another dialect cites",
    source: object,
    parts: [
      {
        kind: "text",
        text: "Hello",
        annotations: [
          { kind: "url", url: "https://x.test/", title: "X", raw: { dialect: "messages", value: {} } },
          { kind: "document", title: "D", raw: { dialect: "messages", value: {} } },
        ],
      },
    ],
    output: [
      message(1, [
        text("Hello", {
          annotations: [{ type: "url_citation", start_index: 5, end_index: 5, url: "https://x.test/", title: "X" }],
        }),
      ]),
    ],
  },
  {
    name: "logprobs",
    source: object,
    parts: [{ kind: "text", text: "hi", logprobs: [{ token: "hi", logprob: -0.5 }] }],
    output: [message(1, [text("hi", { logprobs: [{ token: "hi", logprob: -0.5 }] })])],
  },
  {
    name: "blocks of other dialects have no item",
    source: object,
    parts: [
      { kind: "opaque", dialect: "messages", type: "server_tool_use", value: {} },
      { kind: "opaque", dialect: "responses", type: "web_search_call", value: { type: "web_search_call", id: "ws_1" } },
    ],
    output: [{ type: "web_search_call", id: "ws_1" }],
  },
  {
    name: "cut off by the limit",
    source: object,
    parts: [{ kind: "text", text: "half" }],
    finish: { reason: "length" },
    output: [message(1, [text("half")], { status: "incomplete" })],
    wire: cut("max_output_tokens"),
  },
  {
    name: "a tool call cut off by the limit is not one to be made",
    source: object,
    parts: [
      { kind: "text", text: "I look." },
      { kind: "tool-call", id: "call_1", name: "f", arguments: '{"city":', toolKind: "function" },
    ],
    finish: { reason: "length" },
    output: [
      message(1, [text("I look.")]),
      {
        id: id("fc", 2),
        type: "function_call",
        status: "incomplete",
        call_id: "call_1",
        name: "f",
        arguments: '{"city":',
      },
    ],
    wire: cut("max_output_tokens"),
  },
  {
    name: "the window was full",
    source: object,
    parts: [],
    finish: { reason: "context-length", raw: "model_context_window_exceeded" },
    output: [],
    wire: cut("max_output_tokens"),
  },
  {
    name: "cut off by a filter",
    source: object,
    parts: [],
    finish: { reason: "content-filter" },
    output: [],
    wire: cut("content_filter"),
  },
  {
    name: "declined without a word is no whole answer",
    source: object,
    parts: [{ kind: "text", text: "half" }],
    finish: { reason: "refusal", raw: "refusal" },
    output: [message(1, [text("half")], { status: "incomplete" })],
    wire: cut("content_filter"),
  },
  {
    name: "declined in words is one",
    source: object,
    parts: [{ kind: "refusal", text: "no" }],
    finish: { reason: "refusal" },
    output: [message(1, [{ type: "refusal", refusal: "no" }])],
  },
  {
    name: "a reason that nobody knows goes out as it came",
    source: "behaviour 1.16",
    parts: [],
    finish: { reason: "unknown", raw: "tired" },
    output: [],
    wire: cut("tired"),
  },
  {
    name: "a pause is no end",
    source: object,
    parts: [],
    finish: { reason: "pause", raw: "pause_turn" },
    output: [],
    wire: cut("pause_turn"),
  },
  {
    name: "usage that counts the cache beside the input",
    source: object,
    parts: [],
    answer: { usage: { ...usage, cachedInputTokens: 60, cacheWriteTokens: 5, cacheIsExtra: true } },
    output: [],
    wire: {
      usage: {
        input_tokens: 165,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 5 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 185,
      },
    },
  },
  {
    name: "usage that counts reasoning beside the output, and a count that nobody knows",
    source: object,
    parts: [],
    answer: {
      usage: {
        ...usage,
        reasoningTokens: 7,
        reasoningIsExtra: true,
        unmappedFields: ["new_tokens"],
        raw: { new_tokens: 3 },
      },
    },
    output: [],
    wire: {
      usage: {
        new_tokens: 3,
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
        output_tokens: 27,
        output_tokens_details: { reasoning_tokens: 7 },
        total_tokens: 127,
      },
    },
  },
  {
    name: "the request is said back",
    source: create,
    parts: [],
    request: {
      messages: [
        { role: "system", parts: [{ kind: "text", text: "be brief" }] },
        { role: "user", parts: [{ kind: "text", text: "hello" }] },
      ],
      tools: [{ kind: "function", name: "f", parameters: {}, strict: true }],
      toolChoice: { kind: "named", toolKind: "function", name: "f" },
      parallelToolCalls: false,
      maxTokens: 50,
      temperature: 0.2,
      topP: 0.9,
      reasoning: { effort: "low" },
      format: { kind: "json" },
      verbosity: "low",
      metadata: { a: "b" },
      user: "u",
      own: [{ name: "truncation", value: "auto", weight: "harmless" }],
    },
    output: [],
    wire: {
      instructions: "be brief",
      tools: [{ type: "function", name: "f", parameters: {}, strict: true }],
      tool_choice: { type: "function", name: "f" },
      parallel_tool_calls: false,
      max_output_tokens: 50,
      temperature: 0.2,
      top_p: 0.9,
      reasoning: { effort: "low", summary: null },
      text: { format: { type: "json_object" }, verbosity: "low" },
      metadata: { a: "b" },
      user: "u",
      truncation: "auto",
    },
  },
  {
    name: "the provider's own words about the answer",
    source: object,
    parts: [],
    answer: { id: "resp_9", model: "claude", created: 5, serviceTier: "priority", unknown: { x_new: 1 } },
    output: [],
    wire: { id: "resp_9", model: "claude", created_at: 5, service_tier: "priority", x_new: 1 },
  },
];
