// Answers of providers that speak Responses, and what the hub makes of each.

import type { ChatAnswer, Finish } from "../../../src/core/chat-answer.ts";
import type { AssistantPart } from "../../../src/core/chat-request.ts";
import type { Usage } from "../../../src/core/usage.ts";
import { functions, object, reasoning } from "./pages.ts";

export interface AnswerCase {
  readonly name: string;
  readonly source: string;
  /** Besides `id`, `object`, `status: completed` and `model`. */
  readonly wire: Readonly<Record<string, unknown>>;
  readonly parts: readonly AssistantPart[];
  /** `stop` with the raw word `completed` unless said otherwise. */
  readonly finish?: Finish;
  readonly usage?: Partial<Usage>;
  readonly answer?: Partial<ChatAnswer>;
}

const message = (...content: object[]) => ({
  type: "message",
  id: "msg_1",
  role: "assistant",
  status: "completed",
  content,
});
const text = (value: string, more: object = {}) => ({ type: "output_text", text: value, annotations: [], ...more });
const call = (more: object) => ({ type: "function_call", id: "fc_1", status: "completed", ...more });
const called: Finish = { reason: "tool-calls", raw: "completed" };
const citation = { type: "url_citation", start_index: 0, end_index: 5, url: "https://x.test/", title: "X" };
const fileCitation = { type: "file_citation", index: 3, file_id: "file-1", filename: "a.pdf" };
const logprob = { token: "hi", logprob: -0.1, bytes: [104, 105], top_logprobs: [] };
const search = { type: "web_search_call", id: "ws_1", status: "completed", action: { type: "search", query: "q" } };

export const decodedAnswers: readonly AnswerCase[] = [
  { name: "text", source: object, wire: { output: [message(text("hi"))] }, parts: [{ kind: "text", text: "hi" }] },
  {
    name: "text that is not ASCII",
    source: object,
    wire: { output: [message(text("Grüße 👋 世界"))] },
    parts: [{ kind: "text", text: "Grüße 👋 世界" }],
  },
  { name: "no output", source: object, wire: { output: [] }, parts: [] },
  { name: "output missing", source: "behaviour 2.9", wire: {}, parts: [] },
  { name: "an empty text says nothing", source: object, wire: { output: [message(text(""))] }, parts: [] },
  {
    name: "two parts and two messages in order",
    source: object,
    wire: { output: [message(text("a"), text("b")), message(text("c"))] },
    parts: [
      { kind: "text", text: "a" },
      { kind: "text", text: "b" },
      { kind: "text", text: "c" },
    ],
  },
  {
    name: "a citation of a page",
    source: object,
    wire: { output: [message(text("Hello", { annotations: [citation] }))] },
    parts: [
      {
        kind: "text",
        text: "Hello",
        annotations: [
          {
            kind: "url",
            url: "https://x.test/",
            title: "X",
            startIndex: 0,
            endIndex: 5,
            raw: { dialect: "responses", value: citation },
          },
        ],
      },
    ],
  },
  {
    name: "a citation of a file",
    source: object,
    wire: { output: [message(text("Hello", { annotations: [fileCitation] }))] },
    parts: [
      {
        kind: "text",
        text: "Hello",
        annotations: [{ kind: "document", title: "a.pdf", raw: { dialect: "responses", value: fileCitation } }],
      },
    ],
  },
  {
    name: "logprobs",
    source: object,
    wire: { output: [message(text("hi", { logprobs: [logprob] }))] },
    parts: [{ kind: "text", text: "hi", logprobs: [logprob] }],
  },
  {
    name: "a refusal",
    source: object,
    wire: { output: [message({ type: "refusal", refusal: "I cannot." })] },
    parts: [{ kind: "refusal", text: "I cannot." }],
  },
  {
    name: "one call",
    source: functions,
    wire: { output: [call({ call_id: "c1", name: "f", arguments: '{"n":12345678901234567890}' })] },
    parts: [{ kind: "tool-call", id: "c1", name: "f", arguments: '{"n":12345678901234567890}', toolKind: "function" }],
    finish: called,
  },
  {
    name: "text and parallel calls",
    source: functions,
    wire: {
      output: [
        message(text("looking")),
        call({ call_id: "c1", name: "f", arguments: "{}" }),
        call({ call_id: "c2", name: "f", arguments: '{"a":1}' }),
      ],
    },
    parts: [
      { kind: "text", text: "looking" },
      { kind: "tool-call", id: "c1", name: "f", arguments: "{}", toolKind: "function" },
      { kind: "tool-call", id: "c2", name: "f", arguments: '{"a":1}', toolKind: "function" },
    ],
    finish: called,
  },
  {
    name: "a call without an id gets one that names the answer",
    source: "field reports C",
    wire: { output: [call({ name: "f", arguments: "{}" }), call({ call_id: "", name: "g", arguments: "{}" })] },
    parts: [
      { kind: "tool-call", id: "call_1_0", name: "f", arguments: "{}", toolKind: "function" },
      { kind: "tool-call", id: "call_1_1", name: "g", arguments: "{}", toolKind: "function" },
    ],
    finish: called,
  },
  {
    name: "a call of a custom tool",
    source: functions,
    wire: { output: [{ type: "custom_tool_call", id: "ctc_1", call_id: "c", name: "sql", input: "select 1" }] },
    parts: [{ kind: "tool-call", id: "c", name: "sql", arguments: "select 1", toolKind: "custom" }],
    finish: called,
  },
  {
    name: "a call with members that nobody knows",
    source: "behaviour 4.1",
    wire: { output: [call({ call_id: "c", name: "f", arguments: "{}", x_new: 1 })] },
    parts: [{ kind: "tool-call", id: "c", name: "f", arguments: "{}", toolKind: "function", unknown: { x_new: 1 } }],
    finish: called,
  },
  {
    name: "a summary of reasoning with its state",
    source: reasoning,
    wire: {
      output: [
        {
          type: "reasoning",
          id: "rs_1",
          summary: [
            { type: "summary_text", text: "one" },
            { type: "summary_text", text: "two" },
          ],
          encrypted_content: "ENC",
        },
        message(text("hi")),
      ],
    },
    parts: [
      {
        kind: "reasoning",
        text: "one\n\ntwo",
        isSummary: true,
        state: { issuer: "openai", kind: "encrypted", value: "ENC", id: "rs_1" },
      },
      { kind: "text", text: "hi" },
    ],
  },
  {
    name: "reasoning of which nothing is shown",
    source: reasoning,
    wire: { output: [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "ENC" }] },
    parts: [{ kind: "reasoning", text: "", state: { issuer: "openai", kind: "encrypted", value: "ENC", id: "rs_1" } }],
  },
  {
    name: "reasoning without anything",
    source: reasoning,
    wire: { output: [{ type: "reasoning", id: "rs_1", summary: [], encrypted_content: null }, message(text("hi"))] },
    parts: [{ kind: "text", text: "hi" }],
  },
  {
    name: "the thinking itself, as open models give it",
    source: object,
    wire: {
      output: [{ type: "reasoning", id: "rs_1", summary: [], content: [{ type: "reasoning_text", text: "hm" }] }],
    },
    parts: [{ kind: "reasoning", text: "hm" }],
  },
  {
    name: "what hosted tools did stays whole",
    source: object,
    wire: { output: [search, message(text("found"))] },
    parts: [
      { kind: "opaque", dialect: "responses", type: "web_search_call", value: search, record: true },
      { kind: "text", text: "found" },
    ],
  },
  {
    name: "cut off by the limit",
    source: object,
    wire: {
      status: "incomplete",
      incomplete_details: { reason: "max_output_tokens" },
      output: [message(text("half"))],
    },
    parts: [{ kind: "text", text: "half" }],
    finish: { reason: "length", raw: "max_output_tokens" },
  },
  {
    name: "cut off by a filter",
    source: object,
    wire: { status: "incomplete", incomplete_details: { reason: "content_filter" }, output: [] },
    parts: [],
    finish: { reason: "content-filter", raw: "content_filter" },
  },
  {
    name: "cut off for a reason that nobody knows",
    source: object,
    wire: { status: "incomplete", incomplete_details: { reason: "tired" }, output: [] },
    parts: [],
    finish: { reason: "unknown", raw: "tired" },
  },
  {
    name: "a status that says that it is not over",
    source: object,
    wire: { status: "queued", output: [] },
    parts: [],
    finish: { reason: "unknown", raw: "queued" },
  },
  {
    name: "no status",
    source: "behaviour 2.9",
    wire: { status: null, output: [message(text("hi"))] },
    parts: [{ kind: "text", text: "hi" }],
    finish: { reason: "stop" },
  },
  {
    name: "usage with what was cached and thought",
    source: object,
    wire: {
      output: [],
      usage: {
        input_tokens: 100,
        input_tokens_details: { cached_tokens: 60, cache_write_tokens: 5 },
        output_tokens: 20,
        output_tokens_details: { reasoning_tokens: 12 },
        total_tokens: 120,
      },
    },
    parts: [],
    usage: {
      inputTokens: 100,
      cachedInputTokens: 60,
      cacheWriteTokens: 5,
      outputTokens: 20,
      reasoningTokens: 12,
      totalTokens: 120,
      cacheIsExtra: false,
    },
  },
  {
    name: "times, tier and members that nobody knows",
    source: object,
    wire: { output: [], created_at: 1_741_476_777, service_tier: "flex", x_new: 1, provider: "nested", tools: [] },
    parts: [],
    answer: { created: 1_741_476_777, serviceTier: "flex", unknown: { x_new: 1 } },
  },
];

/** Of another type than they always had: a 502 that names the provider. */
export const refusedAnswers: readonly (readonly [wire: string, message: string])[] = [
  ['{"output":5}', "failed to unmarshal response: output must be a list (provider first)"],
  ['{"output":["x"]}', "failed to unmarshal response: output must be a list of objects (provider first)"],
  [
    '{"output":[{"type":"function_call","name":5}]}',
    "failed to unmarshal response: output[].name must be a string (provider first)",
  ],
  [
    '{"output":[{"type":"message","content":[{"type":"output_text","text":5}]}]}',
    "failed to unmarshal response: output[].content[0].text must be a string (provider first)",
  ],
  ["[]", "failed to unmarshal response: the answer must be an object (provider first)"],
];
