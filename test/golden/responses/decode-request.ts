// Requests as callers write them, and the hub's form of each; members that are not named have the values of `base`.

import type { ChatRequest } from "../../../src/core/chat-request.ts";
import { create, files, functions, images, reasoning, structured } from "./pages.ts";

export interface RequestCase {
  readonly name: string;
  readonly source: string;
  readonly wire: Readonly<Record<string, unknown>>;
  readonly hub: Partial<ChatRequest>;
}

const said = (text: string) => ({ role: "user", parts: [{ kind: "text", text }] }) as const;
const hello = said("hello");
const item = (content: unknown) => [{ role: "user", content: [content] }];
const part = (value: object) => [{ role: "user", parts: [value] }] as ChatRequest["messages"];

export const decodedRequests: readonly RequestCase[] = [
  { name: "a string is one user message", source: create, wire: { input: "hello" }, hub: { messages: [hello] } },
  {
    name: "instructions lead as a system message",
    source: create,
    wire: { instructions: "be brief", input: "hello" },
    hub: { messages: [{ role: "system", parts: [{ kind: "text", text: "be brief" }] }, hello] },
  },
  {
    name: "items keep their roles and places",
    source: create,
    wire: {
      input: [
        { role: "developer", content: "d" },
        {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "u" }],
          id: "msg_1",
          status: "completed",
        },
        { role: "system", content: "s" },
        { role: "assistant", content: "a", phase: "final_answer" },
      ],
    },
    hub: {
      messages: [
        { role: "developer", parts: [{ kind: "text", text: "d" }] },
        said("u"),
        { role: "system", parts: [{ kind: "text", text: "s" }] },
        { role: "assistant", parts: [{ kind: "text", text: "a" }] },
      ],
    },
  },
  {
    name: "plain texts are joined with a space",
    source: "behaviour 4.4",
    wire: {
      input: [
        {
          role: "user",
          content: [
            { type: "input_text", text: "one" },
            { type: "text", text: "two" },
          ],
        },
      ],
    },
    hub: { messages: [said("one two")] },
  },
  {
    name: "an image by URL with its detail",
    source: images,
    wire: { input: item({ type: "input_image", image_url: "https://x.test/a.png", detail: "low" }) },
    hub: { messages: part({ kind: "image", source: { from: "url", url: "https://x.test/a.png" }, detail: "low" }) },
  },
  {
    name: "an image as data, in the form of chat completions",
    source: images,
    wire: { input: item({ type: "image_url", image_url: { url: "data:image/png;base64,QUJD", detail: "high" } }) },
    hub: {
      messages: part({ kind: "image", source: { from: "data", mediaType: "image/png", data: "QUJD" }, detail: "high" }),
    },
  },
  {
    name: "an image by file id, with a member that nobody knows",
    source: images,
    wire: { input: item({ type: "input_image", file_id: "file-1", media_type: "image/png" }) },
    hub: {
      messages: part({
        kind: "image",
        source: { from: "file-id", id: "file-1", issuer: "openai" },
        unknown: { media_type: "image/png" },
      }),
    },
  },
  {
    name: "a PDF as data",
    source: files,
    wire: { input: item({ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBE" }) },
    hub: {
      messages: part({
        kind: "file",
        source: { from: "data", mediaType: "application/pdf", data: "JVBE" },
        filename: "a.pdf",
      }),
    },
  },
  {
    name: "file data without a data URL gets its type from the name",
    source: files,
    wire: { input: item({ type: "input_file", filename: "a.csv", file_data: "YSxi" }) },
    hub: {
      messages: part({
        kind: "file",
        source: { from: "data", mediaType: "text/csv", data: "YSxi" },
        filename: "a.csv",
      }),
    },
  },
  {
    name: "a file by URL",
    source: files,
    wire: { input: item({ type: "input_file", file_url: "https://x.test/a.pdf" }) },
    hub: { messages: part({ kind: "file", source: { from: "url", url: "https://x.test/a.pdf" } }) },
  },
  {
    name: "audio",
    source: create,
    wire: { input: item({ type: "input_audio", input_audio: { data: "UklG", format: "wav" } }) },
    hub: { messages: part({ kind: "audio", data: "UklG", format: "wav" }) },
  },
  {
    name: "reasoning, text and calls of one turn are one message",
    source: functions,
    wire: {
      input: [
        { type: "reasoning", id: "rs_1", summary: [{ type: "summary_text", text: "hm" }], encrypted_content: "ENC" },
        { role: "assistant", content: [{ type: "output_text", text: "looking", annotations: [] }] },
        { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: '{"a":1}', status: "completed" },
        { type: "function_call", call_id: "c2", name: "g", arguments: "{}" },
        { type: "function_call_output", call_id: "c1", output: "one" },
        { type: "function_call_output", call_id: "c2", output: "two" },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            {
              kind: "reasoning",
              text: "hm",
              isSummary: true,
              state: { issuer: "openai", kind: "encrypted", value: "ENC", id: "rs_1" },
            },
            { kind: "text", text: "looking" },
            { kind: "tool-call", id: "c1", name: "f", arguments: '{"a":1}', toolKind: "function" },
            { kind: "tool-call", id: "c2", name: "g", arguments: "{}", toolKind: "function" },
          ],
        },
        { role: "tool", callId: "c1", toolKind: "function", parts: [{ kind: "text", text: "one" }], isError: false },
        { role: "tool", callId: "c2", toolKind: "function", parts: [{ kind: "text", text: "two" }], isError: false },
      ],
    },
  },
  {
    name: "messages with unknown members stay apart",
    source: "behaviour 4.4",
    wire: {
      input: [
        { role: "assistant", content: "one", x_mark: 1 },
        { role: "assistant", content: "two" },
      ],
    },
    hub: {
      messages: [
        { role: "assistant", parts: [{ kind: "text", text: "one" }], unknown: { x_mark: 1 } },
        { role: "assistant", parts: [{ kind: "text", text: "two" }] },
      ],
    },
  },
  {
    name: "a call without an id gets one",
    source: "behaviour 4.4",
    wire: { input: [{ type: "function_call", name: "f", arguments: "{}" }] },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "call_input_0", name: "f", arguments: "{}", toolKind: "function" }],
        },
      ],
    },
  },
  {
    name: "a tool's result with an image",
    source: functions,
    wire: {
      input: [
        {
          type: "function_call_output",
          call_id: "c",
          output: [
            { type: "input_text", text: "see" },
            { type: "input_image", image_url: "data:image/png;base64,QQ==" },
          ],
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "tool",
          callId: "c",
          toolKind: "function",
          parts: [
            { kind: "text", text: "see" },
            { kind: "image", source: { from: "data", mediaType: "image/png", data: "QQ==" } },
          ],
          isError: false,
        },
      ],
    },
  },
  {
    name: "a result that is no text is its JSON",
    source: "behaviour 4.4",
    wire: { input: [{ type: "function_call_output", call_id: "c", output: { a: [1] } }] },
    hub: {
      messages: [
        {
          role: "tool",
          callId: "c",
          toolKind: "function",
          parts: [{ kind: "text", text: '{"a":[1]}' }],
          isError: false,
        },
      ],
    },
  },
  {
    name: "parts of a result that say nothing are left out",
    source: functions,
    wire: { input: [{ type: "function_call_output", call_id: "c", output: [{ type: "input_text", text: "" }] }] },
    hub: { messages: [{ role: "tool", callId: "c", toolKind: "function", parts: [], isError: false }] },
  },
  {
    name: "a tool's error",
    source: "behaviour 4.2",
    wire: {
      input: [
        { type: "function_call_output", call_id: "c", output: "no", extra_content: { anthropic: { is_error: true } } },
      ],
    },
    hub: {
      messages: [
        { role: "tool", callId: "c", toolKind: "function", parts: [{ kind: "text", text: "no" }], isError: true },
      ],
    },
  },
  {
    name: "custom tools: call, result and the tool with its grammar",
    source: functions,
    wire: {
      input: [
        { type: "custom_tool_call", id: "ctc_1", call_id: "c", name: "sql", input: "select 1" },
        { type: "custom_tool_call_output", call_id: "c", output: "1" },
      ],
      tools: [{ type: "custom", name: "sql", format: { type: "grammar", syntax: "lark", definition: "start: /./" } }],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "c", name: "sql", arguments: "select 1", toolKind: "custom" }],
        },
        { role: "tool", callId: "c", toolKind: "custom", parts: [{ kind: "text", text: "1" }], isError: false },
      ],
      tools: [{ kind: "custom", name: "sql", format: { type: "grammar", syntax: "lark", definition: "start: /./" } }],
    },
  },
  {
    name: "flat function tools, strict or not",
    source: functions,
    wire: {
      input: "hello",
      tools: [
        { type: "function", name: "f", description: "d", parameters: { type: "object" }, strict: true, x_a: 1 },
        { type: "function", name: "g", parameters: null, defer_loading: true },
      ],
    },
    hub: {
      messages: [hello],
      tools: [
        {
          kind: "function",
          name: "f",
          description: "d",
          parameters: { type: "object" },
          strict: true,
          unknown: { x_a: 1 },
        },
        { kind: "function", name: "g" },
      ],
    },
  },
  {
    name: "hosted tools and namespaces stay whole",
    source: create,
    wire: {
      input: "hello",
      tools: [
        { type: "web_search", search_context_size: "low" },
        { type: "namespace", name: "n", description: "", tools: [{ type: "function", name: "f" }] },
      ],
      tool_choice: { type: "web_search" },
    },
    hub: {
      messages: [hello],
      tools: [
        {
          kind: "hosted",
          dialect: "responses",
          type: "web_search",
          value: { type: "web_search", search_context_size: "low" },
        },
        {
          kind: "hosted",
          dialect: "responses",
          type: "namespace",
          value: { type: "namespace", name: "n", description: "", tools: [{ type: "function", name: "f" }] },
        },
      ],
      toolChoice: { kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } },
    },
  },
  {
    name: "a named tool must be called",
    source: functions,
    wire: { input: "hello", tool_choice: { type: "function", name: "f" }, parallel_tool_calls: false },
    hub: {
      messages: [hello],
      toolChoice: { kind: "named", toolKind: "function", name: "f" },
      parallelToolCalls: false,
    },
  },
  {
    name: "only some tools may be called",
    source: functions,
    wire: {
      input: "hello",
      tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] },
    },
    hub: { messages: [hello], toolChoice: { kind: "allowed", required: true, names: ["f"] } },
  },
  {
    name: "sampling and limits",
    source: create,
    wire: { input: "hello", temperature: 0, top_p: 0.5, max_output_tokens: 100, tool_choice: "required" },
    hub: { messages: [hello], temperature: 0, topP: 0.5, maxTokens: 100, toolChoice: { kind: "required" } },
  },
  {
    name: "logprobs",
    source: create,
    wire: { input: "hello", include: ["message.output_text.logprobs"], top_logprobs: 3 },
    hub: { messages: [hello], logprobs: true, topLogprobs: 3 },
  },
  {
    name: "structured output and verbosity",
    source: structured,
    wire: {
      input: "hello",
      text: { format: { type: "json_schema", name: "n", schema: { type: "object" }, strict: true }, verbosity: "low" },
    },
    hub: {
      messages: [hello],
      format: { kind: "json-schema", name: "n", schema: { type: "object" }, strict: true },
      verbosity: "low",
    },
  },
  {
    name: "JSON without a schema",
    source: structured,
    wire: { input: "hello", text: { format: { type: "json_object" } } },
    hub: { messages: [hello], format: { kind: "json" } },
  },
  {
    name: "reasoning, and what only OpenAI says about it",
    source: reasoning,
    wire: {
      input: "hello",
      reasoning: { effort: "high", summary: "auto", context: "all_turns" },
      include: ["reasoning.encrypted_content"],
      store: false,
    },
    hub: {
      messages: [hello],
      reasoning: { effort: "high", summary: "auto" },
      store: false,
      own: [
        { name: "reasoning.context", value: "all_turns", weight: "harmless" },
        { name: "include", value: ["reasoning.encrypted_content"], weight: "harmless" },
      ],
    },
  },
  {
    name: "members with a place in the hub",
    source: create,
    wire: {
      input: "hello",
      metadata: { a: "b" },
      user: "u",
      service_tier: "flex",
      prompt_cache_key: "k",
      previous_response_id: "resp_1",
    },
    hub: {
      messages: [hello],
      metadata: { a: "b" },
      user: "u",
      serviceTier: "flex",
      promptCacheKey: "k",
      previousResponseId: "resp_1",
    },
  },
  {
    name: "members of this dialect alone, with their weight",
    source: create,
    wire: {
      input: "hello",
      truncation: "auto",
      max_tool_calls: 2,
      safety_identifier: "s",
      client_metadata: { a: 1 },
      conversation: "conv_1",
      background: true,
      provider: "p",
    },
    hub: {
      messages: [hello],
      own: [
        { name: "max_tool_calls", value: 2, weight: "harmless" },
        { name: "truncation", value: "auto", weight: "harmless" },
        { name: "safety_identifier", value: "s", weight: "harmless" },
        { name: "client_metadata", value: { a: 1 }, weight: "harmless" },
        { name: "conversation", value: "conv_1", weight: "changes-result" },
        { name: "background", value: true, weight: "changes-result" },
      ],
    },
  },
  {
    name: "what nobody knows is handed on",
    source: "behaviour 1.16",
    wire: { input: "hello", x_new: { deep: [1] } },
    hub: { messages: [hello], unknown: { x_new: { deep: [1] } } },
  },
  {
    name: "tools that stand in the input are tools, the group of bare names is opened, where a name comes again the later tool counts",
    source: "https://github.com/openai/codex, requests of codex 0.171.0 with a model that it knows",
    wire: {
      tools: [{ type: "function", name: "plain" }],
      input: [
        {
          type: "additional_tools",
          id: "at_1",
          role: "developer",
          tools: [
            {
              type: "namespace",
              name: "functions",
              description: "",
              tools: [
                { type: "custom", name: "exec", description: "Runs it", format: { type: "text" } },
                { type: "function", name: "wait", description: "old", strict: false, parameters: { type: "object" } },
              ],
            },
            { type: "namespace", name: "clock", description: "time", tools: [{ type: "function", name: "sleep" }] },
          ],
        },
        { role: "user", content: "hello" },
        { type: "additional_tools", tools: [{ type: "function", name: "wait", description: "new" }] },
      ],
    },
    hub: {
      messages: [hello],
      tools: [
        { kind: "function", name: "plain" },
        { kind: "custom", name: "exec", description: "Runs it", format: { type: "text" } },
        {
          kind: "hosted",
          dialect: "responses",
          type: "namespace",
          value: {
            type: "namespace",
            name: "clock",
            description: "time",
            tools: [{ type: "function", name: "sleep" }],
          },
        },
        { kind: "function", name: "wait", description: "new" },
      ],
    },
  },
  {
    name: "items of hosted tools stay whole at their speaker",
    source: create,
    wire: {
      input: [
        { type: "web_search_call", id: "ws_1", status: "completed" },
        { role: "assistant", content: "found" },
        { type: "compaction", id: "cmp_1", encrypted_content: "E" },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            {
              kind: "opaque",
              dialect: "responses",
              type: "web_search_call",
              value: { type: "web_search_call", id: "ws_1", status: "completed" },
              record: true,
            },
            { kind: "text", text: "found" },
          ],
        },
        {
          role: "user",
          parts: [
            {
              kind: "opaque",
              dialect: "responses",
              type: "compaction",
              value: { type: "compaction", id: "cmp_1", encrypted_content: "E" },
            },
          ],
        },
      ],
    },
  },
  {
    name: "thinking of Anthropic in extra_content",
    source: "behaviour 4.6",
    wire: {
      input: [
        {
          type: "reasoning",
          summary: [],
          extra_content: { anthropic: { thinking_blocks: [{ type: "thinking", thinking: "t", signature: "S" }] } },
        },
        {
          type: "function_call",
          call_id: "c",
          name: "f",
          arguments: "{}",
          extra_content: { google: { thought_signature: "G" } },
        },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "t", state: { issuer: "anthropic", kind: "signature", value: "S" } },
            {
              kind: "tool-call",
              id: "c",
              name: "f",
              arguments: "{}",
              toolKind: "function",
              state: { issuer: "google", kind: "thought", value: "G" },
            },
          ],
        },
      ],
    },
  },
  {
    name: "a reference to reasoning is left out, as nobody else can follow it",
    source: "recordings: the AI SDK with store",
    wire: {
      input: [
        { type: "item_reference", id: "rs_1" },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
      ],
    },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "c", name: "f", arguments: "{}", toolKind: "function" }],
        },
      ],
    },
  },
  {
    name: "a refusal in the history",
    source: create,
    wire: { input: [{ role: "assistant", content: [{ type: "refusal", refusal: "no" }] }] },
    hub: { messages: [{ role: "assistant", parts: [{ kind: "refusal", text: "no" }] }] },
  },
];

/** What each is refused with. */
export const refusedRequests: readonly (readonly [wire: Readonly<Record<string, unknown>>, message: string])[] = [
  [{}, "invalid responses input: unsupported type"],
  [{ input: 7 }, "invalid responses input: unsupported type"],
  [{ input: ["x"] }, "invalid responses input item at index 0: expected object"],
  [
    { input: [{ type: "function_call", call_id: "c" }] },
    "invalid responses input item at index 0: function_call name is required",
  ],
  [
    {
      input: [
        { role: "user", content: "a" },
        { type: "function_call_output", output: "x" },
      ],
    },
    "invalid responses input item at index 1: function_call_output call_id is required",
  ],
  [
    { input: [{ type: "function_call_output", call_id: "c" }] },
    "invalid responses input item at index 0: function_call_output.output must be JSON-serializable",
  ],
  [{ input: [{ content: "a" }] }, "invalid responses input item at index 0: role is required"],
  [{ input: [{ role: "user", content: 5 }] }, "invalid responses input item at index 0: unsupported content"],
  [
    { input: [{ role: "user", content: [{ type: "input_text", text: "" }] }] },
    "invalid responses input item at index 0: unsupported content",
  ],
  [
    { input: [{ role: "user", content: [{ type: "input_audio", input_audio: { data: "x" } }] }] },
    "invalid responses input item at index 0: unsupported content",
  ],
  [
    { input: [{ type: "item_reference", id: "msg_1" }] },
    'invalid responses input item at index 0: item_reference "msg_1" points to an item that only the provider that made it has',
  ],
  [
    { input: [{ type: "video_call" }] },
    'invalid responses input item at index 0: the type "video_call" is not known; remove the item',
  ],
  [{ input: "a", temperature: "hot" }, "temperature must be a number"],
  [{ input: "a", tools: [{ type: "function" }] }, "tools[0].name must be a name"],
  [
    { input: "a", text: { format: { type: "xml" } } },
    'text.format.type must be "text", "json_object" or "json_schema"',
  ],
  [{ input: "a", tool_choice: "any" }, 'tool_choice must be "auto", "none", "required" or an object with a type'],
];
