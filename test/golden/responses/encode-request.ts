// Requests of the hub, and what a provider that speaks Responses is sent; `model` and `store: false` are part of each.

import type { ChatRequest } from "../../../src/core/chat-request.ts";
import type { TranslationTarget } from "../../../src/core/translation.ts";
import { create, files, functions, images, object, reasoning, structured } from "./pages.ts";

export interface EncodingCase {
  readonly name: string;
  readonly source: string;
  readonly hub: Partial<ChatRequest>;
  readonly target?: Partial<TranslationTarget>;
  readonly wire: Readonly<Record<string, unknown>>;
  /** Fields that the target is told are left out. */
  readonly dropped?: readonly string[];
}

const user = (...content: object[]) => ({ type: "message", role: "user", content });
const hello = user({ type: "input_text", text: "hello" });
const text = (value: string) => ({ kind: "text", text: value }) as const;
const said = { role: "user", parts: [text("hello")] } as const;
const asks = (part: object) => [{ role: "user", parts: [part] }] as ChatRequest["messages"];
const plain = { files: true, customTools: false, mediaInToolResults: false, reasoningContent: false };

export const encodedRequests: readonly EncodingCase[] = [
  { name: "one message", source: create, hub: {}, wire: { input: [hello] } },
  {
    name: "a leading system message becomes instructions",
    source: create,
    hub: { messages: [{ role: "system", parts: [text("be brief")] }, said] },
    wire: { instructions: "be brief", input: [hello] },
  },
  {
    name: "later instructions keep their places and roles",
    source: create,
    hub: {
      messages: [{ role: "developer", parts: [text("d")] }, said, { role: "system", parts: [text("s")] }],
    },
    wire: {
      input: [
        { type: "message", role: "developer", content: [{ type: "input_text", text: "d" }] },
        hello,
        { type: "message", role: "system", content: [{ type: "input_text", text: "s" }] },
      ],
    },
  },
  {
    name: "a system message alone stays in the input",
    source: create,
    hub: { messages: [{ role: "system", parts: [text("s")] }] },
    wire: { input: [{ type: "message", role: "system", content: [{ type: "input_text", text: "s" }] }] },
  },
  {
    name: "a system message of several parts stays in the input",
    source: create,
    hub: { messages: [{ role: "system", parts: [text("a"), text("b")] }, said] },
    wire: {
      input: [
        {
          type: "message",
          role: "system",
          content: [
            { type: "input_text", text: "a" },
            { type: "input_text", text: "b" },
          ],
        },
        hello,
      ],
    },
  },
  {
    name: "an image by URL",
    source: images,
    hub: { messages: asks({ kind: "image", source: { from: "url", url: "https://x.test/a.png" }, detail: "low" }) },
    wire: { input: [user({ type: "input_image", image_url: "https://x.test/a.png", detail: "low" })] },
  },
  {
    name: "an image as data",
    source: images,
    hub: { messages: asks({ kind: "image", source: { from: "data", mediaType: "image/png", data: "QUJD" } }) },
    wire: { input: [user({ type: "input_image", image_url: "data:image/png;base64,QUJD" })] },
  },
  {
    name: "a PDF without a name gets one",
    source: files,
    hub: { messages: asks({ kind: "file", source: { from: "data", mediaType: "application/pdf", data: "JVBE" } }) },
    wire: {
      input: [user({ type: "input_file", filename: "document.pdf", file_data: "data:application/pdf;base64,JVBE" })],
    },
  },
  {
    name: "a document's title is its name, with the ending of its type",
    source: files,
    hub: {
      messages: ["Report", "Report.PDF"].flatMap((title) =>
        asks({ kind: "file", source: { from: "data", mediaType: "application/pdf", data: "JVBE" }, title }),
      ),
    },
    wire: {
      input: ["Report.pdf", "Report.PDF"].map((filename) =>
        user({ type: "input_file", filename, file_data: "data:application/pdf;base64,JVBE" }),
      ),
    },
  },
  {
    name: "cache hints are told of when there are some",
    source: create,
    hub: {
      messages: asks({ ...text("hello"), cacheControl: undefined }),
      tools: [{ kind: "function", name: "f", cacheControl: undefined, strict: true }],
    },
    wire: {
      input: [hello],
      tools: [{ type: "function", name: "f", parameters: { type: "object", properties: {} }, strict: true }],
    },
  },
  {
    name: "a file by URL, and one that OpenAI has",
    source: files,
    hub: {
      messages: [
        {
          role: "user",
          parts: [
            { kind: "file", source: { from: "url", url: "https://x.test/a.pdf" } },
            { kind: "file", source: { from: "file-id", id: "file-1", issuer: "openai" } },
          ],
        },
      ],
    },
    wire: {
      input: [
        user({ type: "input_file", file_url: "https://x.test/a.pdf" }, { type: "input_file", file_id: "file-1" }),
      ],
    },
  },
  {
    name: "a document that is text",
    source: files,
    hub: { messages: asks({ kind: "file", source: { from: "text", text: "plain" }, title: "T" }) },
    wire: { input: [user({ type: "input_text", text: "plain" })] },
  },
  {
    name: "audio",
    source: create,
    hub: { messages: asks({ kind: "audio", data: "UklG", format: "wav" }) },
    wire: { input: [user({ type: "input_audio", input_audio: { data: "UklG", format: "wav" } })] },
  },
  {
    name: "a turn with text, calls and results",
    source: functions,
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            text("looking"),
            { kind: "tool-call", id: "c1", name: "f", arguments: '{"a":1}', toolKind: "function" },
            { kind: "tool-call", id: "c2", name: "g", arguments: "", toolKind: "function" },
          ],
        },
        { role: "tool", callId: "c1", toolKind: "function", parts: [text("one")], isError: false },
        { role: "tool", callId: "c2", toolKind: "function", parts: [text("bad")], isError: true },
      ],
    },
    wire: {
      input: [
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "looking" }] },
        { type: "function_call", call_id: "c1", name: "f", arguments: '{"a":1}' },
        { type: "function_call", call_id: "c2", name: "g", arguments: "{}" },
        { type: "function_call_output", call_id: "c1", output: "one" },
        { type: "function_call_output", call_id: "c2", output: "bad" },
      ],
    },
    dropped: ["is_error"],
  },
  {
    name: "a result with an image is a list",
    source: functions,
    hub: {
      messages: [
        {
          role: "tool",
          callId: "c",
          toolKind: "function",
          parts: [text("see"), { kind: "image", source: { from: "data", mediaType: "image/png", data: "QQ==" } }],
          isError: false,
        },
      ],
    },
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
  },
  {
    name: "a provider that takes no images in results gets the text",
    source: "behaviour 4.2",
    target: { accepts: plain },
    hub: {
      messages: [
        {
          role: "tool",
          callId: "c",
          toolKind: "function",
          parts: [text("see"), { kind: "image", source: { from: "url", url: "https://x.test/a.png" } }],
          isError: false,
        },
      ],
    },
    wire: { input: [{ type: "function_call_output", call_id: "c", output: "see" }] },
    dropped: ["images and files in tool results"],
  },
  {
    name: "reasoning with state of OpenAI goes back, that of others does not",
    source: reasoning,
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "t", state: { issuer: "anthropic", kind: "signature", value: "S" } },
            {
              kind: "reasoning",
              text: "sum",
              isSummary: true,
              state: { issuer: "openai", kind: "encrypted", value: "ENC", id: "rs_1" },
            },
            { kind: "reasoning", text: "bare" },
            text("a"),
          ],
        },
      ],
    },
    wire: {
      input: [
        {
          type: "reasoning",
          id: "rs_1",
          summary: [{ type: "summary_text", text: "sum" }],
          encrypted_content: "ENC",
        },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] },
      ],
    },
  },
  {
    name: "a summary that a dialect on the way took for thinking",
    source: reasoning,
    hub: {
      dialect: "messages",
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "reasoning", text: "sum", state: { issuer: "openai", kind: "encrypted", value: "ENC" } }],
        },
      ],
    },
    wire: {
      input: [{ type: "reasoning", summary: [{ type: "summary_text", text: "sum" }], encrypted_content: "ENC" }],
    },
  },
  {
    name: "thinking without state, for a provider that wants it back",
    source: object,
    target: { issuer: "vllm", model: "gpt-oss", accepts: { ...plain, reasoningContent: true } },
    hub: { messages: [{ role: "assistant", parts: [{ kind: "reasoning", text: "hm" }, text("a")] }] },
    wire: {
      input: [
        { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "hm" }] },
        { type: "message", role: "assistant", content: [{ type: "output_text", text: "a" }] },
      ],
    },
  },
  {
    name: "function tools say that they are not strict, as nobody asked for it",
    source: functions,
    hub: {
      tools: [
        { kind: "function", name: "f", description: "d", parameters: { type: "object" } },
        { kind: "function", name: "g", strict: true },
      ],
    },
    wire: {
      input: [hello],
      tools: [
        { type: "function", name: "f", description: "d", parameters: { type: "object" }, strict: false },
        { type: "function", name: "g", parameters: { type: "object", properties: {} }, strict: true },
      ],
    },
  },
  {
    name: "a custom tool with the grammar of chat completions",
    source: functions,
    hub: {
      tools: [
        {
          kind: "custom",
          name: "sql",
          format: { type: "grammar", grammar: { syntax: "regex", definition: ".*" } },
        },
      ],
      toolChoice: { kind: "named", toolKind: "custom", name: "sql" },
    },
    wire: {
      input: [hello],
      tools: [{ type: "custom", name: "sql", format: { type: "grammar", syntax: "regex", definition: ".*" } }],
      tool_choice: { type: "custom", name: "sql" },
    },
  },
  {
    name: "a provider without custom tools gets functions with one text",
    source: functions,
    target: { accepts: plain },
    hub: {
      messages: [
        {
          role: "assistant",
          parts: [{ kind: "tool-call", id: "c", name: "sql", arguments: 'select "1"', toolKind: "custom" }],
        },
        { role: "tool", callId: "c", toolKind: "custom", parts: [text("1")], isError: false },
      ],
      tools: [{ kind: "custom", name: "sql" }],
      toolChoice: { kind: "named", toolKind: "custom", name: "sql" },
    },
    wire: {
      input: [
        { type: "function_call", call_id: "c", name: "sql", arguments: '{"input":"select \\"1\\""}' },
        { type: "function_call_output", call_id: "c", output: "1" },
      ],
      tools: [
        {
          type: "function",
          name: "sql",
          parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
          strict: false,
        },
      ],
      tool_choice: { type: "function", name: "sql" },
    },
  },
  {
    name: "a choice of some tools",
    source: functions,
    hub: {
      tools: [{ kind: "custom", name: "sql" }],
      toolChoice: { kind: "allowed", required: false, names: ["f", "sql"] },
      parallelToolCalls: false,
    },
    wire: {
      input: [hello],
      tools: [{ type: "custom", name: "sql" }],
      tool_choice: {
        type: "allowed_tools",
        mode: "auto",
        tools: [
          { type: "function", name: "f" },
          { type: "custom", name: "sql" },
        ],
      },
      parallel_tool_calls: false,
    },
  },
  {
    name: "limits and sampling; the smallest limit is 16",
    source: create,
    hub: { maxTokens: 5, temperature: 0, topP: 0.5, stream: true },
    wire: { input: [hello], max_output_tokens: 16, temperature: 0, top_p: 0.5, stream: true },
  },
  {
    name: "what Responses has not is left out",
    source: create,
    hub: { topK: 3, seed: 1, frequencyPenalty: 1, presencePenalty: 0, logitBias: {}, stop: ["x"], choices: 1 },
    wire: { input: [hello] },
    dropped: ["top_k", "seed", "frequency_penalty", "presence_penalty", "logit_bias"],
  },
  {
    name: "logprobs",
    source: create,
    hub: { logprobs: true, topLogprobs: 2 },
    wire: { input: [hello], include: ["message.output_text.logprobs"], top_logprobs: 2 },
  },
  {
    name: "structured output gets a name",
    source: structured,
    hub: { format: { kind: "json-schema", schema: { type: "object" }, strict: false }, verbosity: "high" },
    wire: {
      input: [hello],
      text: {
        format: { type: "json_schema", name: "response", schema: { type: "object" }, strict: false },
        verbosity: "high",
      },
    },
  },
  {
    name: "a reasoning model is asked for its state",
    source: reasoning,
    target: { model: "gpt-5.1" },
    hub: { reasoning: { effort: "xhigh", summary: "detailed" } },
    wire: {
      input: [hello],
      reasoning: { effort: "xhigh", summary: "detailed" },
      include: ["reasoning.encrypted_content"],
    },
  },
  {
    name: "a budget is an effort",
    source: "behaviour 4.2",
    target: { model: "o3" },
    hub: { reasoning: { budgetTokens: 10_000, mode: "enabled", display: "summarized" } },
    wire: {
      input: [hello],
      reasoning: { effort: "medium", summary: "auto" },
      include: ["reasoning.encrypted_content"],
    },
  },
  {
    name: "a model that does not reason is not asked to",
    source: reasoning,
    target: { model: "gpt-5-chat-latest" },
    hub: { reasoning: { mode: "adaptive" } },
    wire: { input: [hello] },
    dropped: ["reasoning"],
  },
  {
    name: "a model that reasons takes no temperature",
    source: "behaviour 3.6",
    target: { model: "openai/o4-mini" },
    hub: { temperature: 1, topP: 0.9 },
    wire: { input: [hello], include: ["reasoning.encrypted_content"] },
    dropped: ["temperature", "top_p"],
  },
  {
    name: "a deployment whose name says nothing is told to reason when the caller asks for it",
    source: reasoning,
    target: { model: "my-deployment" },
    hub: { temperature: 1, reasoning: { effort: "low" } },
    wire: { input: [hello], temperature: 1, reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] },
  },
  {
    name: "what a Messages caller says about itself",
    source: "behaviour 4.2",
    hub: { dialect: "messages", user: "session", maxTokens: 4096, serviceTier: "standard_only" },
    wire: { input: [hello], max_output_tokens: 4096, service_tier: "default" },
    dropped: ["metadata.user_id"],
  },
  {
    name: "thinking that is switched off is not asked for",
    source: "behaviour 4.2",
    target: { model: "gpt-5" },
    hub: { dialect: "messages", reasoning: { mode: "disabled" } },
    wire: { input: [hello], include: ["reasoning.encrypted_content"] },
  },
  {
    name: "effort beats the thinking budget",
    source: "behaviour 4.2",
    target: { model: "gpt-5" },
    hub: { dialect: "messages", reasoning: { mode: "enabled", budgetTokens: 32_000, effort: "low" } },
    wire: { input: [hello], reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] },
  },
  {
    name: "what both dialects say, and what nobody knows",
    source: "behaviour 1.16",
    hub: {
      user: "u",
      metadata: { a: "b" },
      serviceTier: "flex",
      store: true,
      promptCacheKey: "k",
      unknown: { x_new: [1] },
      own: [{ name: "prediction", value: {}, weight: "harmless" }],
    },
    wire: {
      input: [hello],
      user: "u",
      metadata: { a: "b" },
      service_tier: "flex",
      store: true,
      prompt_cache_key: "k",
      x_new: [1],
    },
    dropped: ["prediction"],
  },
  {
    name: "what OpenAI has in both of its dialects",
    source: create,
    hub: {
      own: [
        { name: "safety_identifier", value: "s", weight: "harmless" },
        { name: "moderation", value: { model: "omni-moderation-latest" }, weight: "changes-result" },
      ],
    },
    wire: { input: [hello], safety_identifier: "s", moderation: { model: "omni-moderation-latest" } },
  },
  {
    name: "unknown members keep their level",
    source: "behaviour 4.1",
    hub: {
      messages: [
        { role: "user", parts: [{ ...text("hello"), unknown: { x_part: 1 } }], unknown: { x_message: 2 } },
        {
          role: "assistant",
          parts: [
            { kind: "tool-call", id: "c", name: "f", arguments: "{}", toolKind: "function", unknown: { x_call: 3 } },
          ],
        },
      ],
      tools: [{ kind: "function", name: "f", parameters: {}, strict: true, unknown: { x_tool: 4 } }],
    },
    wire: {
      input: [
        {
          type: "message",
          role: "user",
          content: [{ type: "input_text", text: "hello", x_part: 1 }],
          x_message: 2,
        },
        { type: "function_call", call_id: "c", name: "f", arguments: "{}", x_call: 3 },
      ],
      tools: [{ type: "function", name: "f", parameters: {}, strict: true, x_tool: 4 }],
    },
  },
  {
    name: "cache hints are Anthropic's",
    source: create,
    hub: { messages: [{ role: "user", parts: [{ ...text("hello"), cacheControl: { type: "ephemeral" } }] }] },
    wire: { input: [hello] },
    dropped: ["cache_control"],
  },
];

const call = (value: Partial<ChatRequest>, name: string, message: string) => ({ name, hub: value, message });

export const refusedEncodings = [
  call({ choices: 2 }, "more than one answer", "`n` is not supported by provider first: ask for one answer at a time"),
  call(
    { own: [{ name: "web_search_options", value: {}, weight: "changes-result" }] },
    "a field that changes the result",
    "`web_search_options` is not supported by provider first: remove it or choose another model",
  ),
  call(
    { tools: [{ kind: "hosted", dialect: "messages", type: "web_search_20250305", value: {} }] },
    "a tool that another provider runs",
    "`tools` of type web_search_20250305 are not supported by provider first: remove tools[0]",
  ),
  call(
    {
      messages: [
        { role: "user", parts: [{ kind: "file", source: { from: "file-id", id: "file_9", issuer: "anthropic" } }] },
      ],
    },
    "a file that lies elsewhere",
    "`file_id` is not supported by provider first: the file file_9 is stored at anthropic; send its data or a URL",
  ),
  call(
    {
      messages: [{ role: "user", parts: [{ kind: "opaque", dialect: "messages", type: "search_result", value: {} }] }],
    },
    "a block of another dialect",
    "`search_result` is not supported by provider first: remove that block from the messages",
  ),
];
