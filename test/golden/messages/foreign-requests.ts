// Requests of callers who speak another dialect, and what a provider who speaks Messages has to get: written by hand from the pages named.

import type { ChatRequest } from "../../../src/core/chat-request.ts";

export interface ForeignRequest {
  readonly name: string;
  readonly source: string;
  /** Default: `claude-sonnet-4-5`. */
  readonly model?: string;
  /** What differs from `plainRequest`. */
  readonly hub: Partial<ChatRequest>;
  /** Without `model`; `max_tokens` where it is not 4096, `messages` where they are not the plain "Hi". */
  readonly wire: object;
  readonly dropped?: readonly string[];
}

const api = "https://platform.claude.com/docs/en/api/messages/create";
const toolUse = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/define-tools";
const handling = "https://platform.claude.com/docs/en/agents-and-tools/tool-use/handle-tool-calls";
const thinking = "https://platform.claude.com/docs/en/build-with-claude/extended-thinking";
const adaptive = "https://platform.claude.com/docs/en/build-with-claude/adaptive-thinking";
const structured = "https://platform.claude.com/docs/en/build-with-claude/structured-outputs";

const text = (said: string) => ({ kind: "text", text: said }) as const;
const call = (id: string, args: string, name = "f") =>
  ({ kind: "tool-call", id, name, arguments: args, toolKind: "function" }) as const;
const result = (callId: string, said: string) =>
  ({ role: "tool", callId, toolKind: "function", isError: false, parts: [text(said)] }) as const;
const f = {
  kind: "function",
  name: "f",
  parameters: { type: "object", properties: { a: { type: "number" } } },
} as const;
const g = { kind: "function", name: "g" } as const;
const fOnWire = { name: "f", input_schema: { type: "object", properties: { a: { type: "number" } } } };
const gOnWire = { name: "g", input_schema: { type: "object", properties: {} } };
const toolTurn = [
  { role: "user", parts: [text("Hi")] },
  { role: "assistant", parts: [call("call_1", '{"a":1}')] },
  result("call_1", "ok"),
] as const;
const toolTurnOnWire = [
  { role: "user", content: "Hi" },
  { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "f", input: { a: 1 } }] },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "ok" }] },
];
const schema = { type: "object", properties: { a: { type: "object", properties: {} } }, required: ["a"] };

export const foreignRequests: readonly ForeignRequest[] = [
  { name: "a limit that the caller did not set is the provider's default", source: api, hub: {}, wire: {} },
  {
    name: "instructions are one text with blank lines between, wherever they stood",
    source: api,
    hub: {
      messages: [
        { role: "system", parts: [text("Be brief.")] },
        { role: "user", parts: [text("Hi")] },
        { role: "developer", parts: [text("Be kind.")] },
      ],
    },
    wire: { system: "Be brief.\n\nBe kind." },
  },
  {
    name: "instructions stay blocks when one has a cache breakpoint",
    source: "https://platform.claude.com/docs/en/build-with-claude/prompt-caching",
    hub: {
      messages: [
        { role: "system", parts: [text("A"), { ...text("B"), cacheControl: { type: "ephemeral" } }] },
        { role: "user", parts: [text("Hi")] },
      ],
    },
    wire: {
      system: [
        { type: "text", text: "A" },
        { type: "text", text: "B", cache_control: { type: "ephemeral" } },
      ],
    },
  },
  {
    name: "results and what the user says next are one message, results first",
    source: handling,
    hub: {
      messages: [
        { role: "user", parts: [text("Hi")] },
        { role: "assistant", parts: [text("Sure"), call("call_1", '{"a":1}'), call("call_2", "")] },
        result("call_1", "one"),
        result("call_2", "two"),
        { role: "user", parts: [text("And now?")] },
      ],
      tools: [f],
    },
    wire: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "text", text: "Sure" },
            { type: "tool_use", id: "call_1", name: "f", input: { a: 1 } },
            { type: "tool_use", id: "call_2", name: "f", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "one" },
            { type: "tool_result", tool_use_id: "call_2", content: "two" },
            { type: "text", text: "And now?" },
          ],
        },
      ],
      tools: [fOnWire],
    },
  },
  {
    name: "messages of one speaker that follow each other are one, and empty text is left out",
    source: api,
    hub: {
      messages: [
        { role: "user", parts: [text("Hi")] },
        { role: "user", parts: [text(""), text("there")] },
        { role: "assistant", parts: [text(" ")] },
        { role: "user", parts: [text("again")] },
      ],
    },
    wire: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Hi" },
            { type: "text", text: "there" },
            { type: "text", text: "again" },
          ],
        },
      ],
    },
  },
  {
    name: "the beginning of an answer does not end in white space",
    source: api,
    hub: {
      messages: [
        { role: "user", parts: [text("Hi")] },
        { role: "assistant", parts: [text("The answer is ( \n")] },
      ],
    },
    wire: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "The answer is (" },
      ],
    },
  },
  {
    name: "an id of a form that Anthropic refuses is cleaned, in the call and in its result",
    source: `${api} (tool_use.id)`,
    hub: {
      messages: [
        { role: "user", parts: [text("Hi")] },
        { role: "assistant", parts: [call("functions.f:0", "{}"), call("functions.f.0", "{}")] },
        result("functions.f:0", "a"),
        result("functions.f.0", "b"),
      ],
    },
    wire: {
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [
            { type: "tool_use", id: "toolu_functions_f_0", name: "f", input: {} },
            { type: "tool_use", id: "toolu_functions_f_0_2", name: "f", input: {} },
          ],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "toolu_functions_f_0", content: "a" },
            { type: "tool_result", tool_use_id: "toolu_functions_f_0_2", content: "b" },
          ],
        },
      ],
    },
  },
  {
    name: "images and files find their blocks",
    source: "https://platform.claude.com/docs/en/build-with-claude/pdf-support",
    hub: {
      messages: [
        {
          role: "user",
          parts: [
            { kind: "image", source: { from: "url", url: "https://example.com/a.png" }, detail: "high" },
            {
              kind: "file",
              source: { from: "data", mediaType: "application/pdf", data: "JVBERi0=" },
              filename: "a.pdf",
            },
            { kind: "file", source: { from: "data", mediaType: "text/csv", data: "YSxi" }, filename: "a.csv" },
            { kind: "file", source: { from: "data", mediaType: "image/png", data: "iVBORw0=" }, filename: "a.png" },
          ],
        },
      ],
    },
    wire: {
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
              title: "a.pdf",
            },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "a,b" }, title: "a.csv" },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0=" } },
          ],
        },
      ],
    },
    dropped: ["image_url.detail"],
  },
  {
    name: "a refusal of before is text",
    source: api,
    hub: {
      messages: [
        { role: "user", parts: [text("Hi")] },
        { role: "assistant", parts: [{ kind: "refusal", text: "I cannot." }] },
        { role: "user", parts: [text("Why?")] },
      ],
    },
    wire: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "I cannot." },
        { role: "user", content: "Why?" },
      ],
    },
  },
  {
    name: "reasoning of others is left out of the history",
    source: thinking,
    hub: {
      messages: [
        { role: "user", parts: [text("Hi")] },
        {
          role: "assistant",
          parts: [
            {
              kind: "reasoning",
              text: "Hm",
              state: { issuer: "openai", kind: "encrypted", value: "gAAAA", id: "rs_1" },
            },
            { kind: "reasoning", text: "Hm" },
            text("Hello"),
          ],
        },
        { role: "user", parts: [text("Bye")] },
      ],
    },
    wire: {
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "Bye" },
      ],
    },
  },
  {
    name: "a tool without parameters takes an empty object",
    source: toolUse,
    hub: { tools: [f, { ...g, description: "G", strict: true }], toolChoice: { kind: "auto" } },
    wire: { tools: [fOnWire, { ...gOnWire, description: "G" }], tool_choice: { type: "auto" } },
    dropped: ["tools[].strict"],
  },
  {
    name: "a tool that takes any text gets it as a member",
    source: toolUse,
    hub: {
      dialect: "responses",
      tools: [
        {
          kind: "custom",
          name: "patch",
          description: "Edits files",
          format: { type: "grammar", syntax: "lark", definition: "start: /a/" },
        },
      ],
      messages: [
        { role: "user", parts: [text("Hi")] },
        { role: "assistant", parts: [{ ...call("call_1", "*** Begin", "patch"), toolKind: "custom" }] },
        { ...result("call_1", "ok"), toolKind: "custom" },
      ],
    },
    wire: {
      tools: [
        {
          name: "patch",
          description: "Edits files\n\nThe input must match this lark grammar:\nstart: /a/",
          input_schema: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
        },
      ],
      messages: [
        { role: "user", content: "Hi" },
        {
          role: "assistant",
          content: [{ type: "tool_use", id: "call_1", name: "patch", input: { input: "*** Begin" } }],
        },
        { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "ok" }] },
      ],
    },
  },
  {
    name: "what a Responses client's provider runs is not offered",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/overview",
    hub: {
      dialect: "responses",
      tools: [{ kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } }, f],
      toolChoice: { kind: "hosted", dialect: "responses", type: "web_search", value: { type: "web_search" } },
    },
    wire: { tools: [fOnWire] },
    dropped: ["tools[].web_search", "tool_choice"],
  },
  {
    name: "without a choice one call at a time is chosen automatically",
    source: "https://platform.claude.com/docs/en/agents-and-tools/tool-use/parallel-tool-use",
    hub: { tools: [f], parallelToolCalls: false },
    wire: { tools: [fOnWire], tool_choice: { type: "auto", disable_parallel_tool_use: true } },
  },
  {
    name: "no tool at all is no tools on the wire",
    source: toolUse,
    hub: { tools: [f], toolChoice: { kind: "none" }, parallelToolCalls: false },
    wire: {},
  },
  {
    name: "with calls in the history the definitions stay, and none may be called",
    source: toolUse,
    hub: { tools: [f], toolChoice: { kind: "none" }, messages: toolTurn },
    wire: { tools: [fOnWire], tool_choice: { type: "none" }, messages: toolTurnOnWire },
  },
  {
    name: "of the allowed tools one must be called, and the others are not told of",
    source: toolUse,
    hub: { tools: [f, g], toolChoice: { kind: "allowed", required: true, names: ["g"] } },
    wire: { tools: [gOnWire], tool_choice: { type: "any" } },
  },
  {
    name: "an effort is a budget, and the limit makes room for it",
    source: thinking,
    hub: { reasoning: { effort: "medium" }, maxTokens: 500 },
    wire: { thinking: { type: "enabled", budget_tokens: 10_000 }, max_tokens: 11_024 },
  },
  {
    name: "a limit above the budget stays",
    source: thinking,
    hub: { reasoning: { effort: "low" }, maxTokens: 8000 },
    wire: { thinking: { type: "enabled", budget_tokens: 5000 }, max_tokens: 8000 },
  },
  {
    name: "the most of efforts is the greatest budget",
    source: thinking,
    hub: { reasoning: { effort: "xhigh" } },
    wire: { thinking: { type: "enabled", budget_tokens: 20_000 }, max_tokens: 21_024 },
  },
  {
    name: "an adaptive model takes the effort itself",
    source: adaptive,
    model: "claude-opus-4-6-20260205",
    hub: { reasoning: { effort: "high", summary: "auto" } },
    wire: { thinking: { type: "adaptive", display: "summarized" }, output_config: { effort: "high" } },
  },
  {
    name: "an effort that Anthropic does not have is low",
    source: "https://platform.claude.com/docs/en/build-with-claude/effort",
    model: "claude-opus-4-8",
    hub: { reasoning: { effort: "minimal" } },
    wire: { thinking: { type: "adaptive" }, output_config: { effort: "low" } },
    dropped: ["reasoning_effort"],
  },
  {
    name: "no effort is no thinking",
    source: adaptive,
    model: "claude-opus-4-8",
    hub: { reasoning: { effort: "none" } },
    wire: { thinking: { type: "disabled" } },
  },
  {
    name: "a model that always thinks thinks little",
    source: adaptive,
    model: "claude-fable-5",
    hub: { reasoning: { effort: "none" } },
    wire: { output_config: { effort: "low" } },
  },
  {
    name: "a model that cannot think is not asked to",
    source: thinking,
    model: "claude-3-5-haiku-20241022",
    hub: { reasoning: { effort: "high" } },
    wire: {},
    dropped: ["reasoning_effort"],
  },
  {
    name: "thinking and its sampling do not go together",
    source: `${thinking} (feature compatibility)`,
    hub: { reasoning: { effort: "low" }, temperature: 0.2, topP: 0.9, topK: 4, maxTokens: 9000 },
    wire: { thinking: { type: "enabled", budget_tokens: 5000 }, max_tokens: 9000 },
    dropped: ["temperature", "top_p", "top_k"],
  },
  {
    name: "a tool that must be called goes before thinking",
    source: `${thinking} (extended thinking with tool use)`,
    hub: { reasoning: { effort: "low" }, tools: [f], toolChoice: { kind: "required" }, temperature: 0.2 },
    wire: { tools: [fOnWire], tool_choice: { type: "any" }, temperature: 0.2 },
    dropped: ["thinking"],
  },
  {
    name: "calls without the thoughts before them cannot be gone on with in thought",
    source: `${thinking} (toggling thinking modes in conversations)`,
    hub: { reasoning: { effort: "low" }, tools: [f], messages: toolTurn },
    wire: { tools: [fOnWire], messages: toolTurnOnWire },
    dropped: ["thinking"],
  },
  {
    name: "an adaptive model can",
    source: adaptive,
    model: "claude-sonnet-4-6",
    hub: { reasoning: { effort: "low" }, tools: [f], messages: toolTurn },
    wire: {
      tools: [fOnWire],
      messages: toolTurnOnWire,
      thinking: { type: "adaptive" },
      output_config: { effort: "low" },
    },
  },
  {
    name: "a budget that was meant for another Claude is an effort for one that takes no budgets",
    source: thinking,
    model: "claude-opus-4-8",
    hub: { dialect: "messages", reasoning: { mode: "enabled", budgetTokens: 16_000 }, maxTokens: 20_000 },
    wire: { thinking: { type: "adaptive" }, output_config: { effort: "medium" }, max_tokens: 20_000 },
  },
  {
    name: "adaptive thinking that was meant for another Claude is a budget for one that needs it",
    source: adaptive,
    hub: { dialect: "messages", reasoning: { mode: "adaptive", effort: "low" }, maxTokens: 20_000 },
    wire: { thinking: { type: "enabled", budget_tokens: 5000 }, max_tokens: 20_000 },
  },
  {
    name: "an effort that was meant for another Claude is left out",
    source: "https://platform.claude.com/docs/en/build-with-claude/effort",
    hub: { dialect: "messages", reasoning: { effort: "low" } },
    wire: {},
    dropped: ["output_config.effort"],
  },
  {
    name: "a budget cannot go on from calls that another provider's thoughts led to",
    source: `${thinking} (preserving thinking blocks)`,
    hub: {
      dialect: "messages",
      reasoning: { mode: "enabled", budgetTokens: 2000 },
      tools: [f],
      messages: [
        toolTurn[0],
        {
          role: "assistant",
          parts: [
            { kind: "reasoning", text: "Hm", state: { issuer: "openai", kind: "encrypted", value: "gAAAA" } },
            call("call_1", '{"a":1}'),
          ],
        },
        toolTurn[2],
      ],
    },
    wire: { tools: [fOnWire], messages: toolTurnOnWire },
    dropped: ["thinking"],
  },
  {
    name: "a temperature above one is one",
    source: `${api} (temperature)`,
    hub: { temperature: 1.7 },
    wire: { temperature: 1 },
    dropped: ["temperature"],
  },
  {
    name: "newer models take a temperature or a top_p",
    source: "https://platform.claude.com/docs/en/about-claude/models/migration-guide",
    hub: { temperature: 0.5, topP: 0.9 },
    wire: { temperature: 0.5 },
    dropped: ["top_p"],
  },
  {
    name: "the newest take neither",
    source: "https://platform.claude.com/docs/en/about-claude/models/migration-guide",
    model: "claude-opus-4-7",
    hub: { temperature: 0.5, topP: 0.9, topK: 3 },
    wire: {},
    dropped: ["temperature", "top_p", "top_k"],
  },
  {
    name: "stop sequences of white space are left out",
    source: `${api} (stop_sequences)`,
    hub: { stop: ["\n", "END"] },
    wire: { stop_sequences: ["END"] },
    dropped: ["stop"],
  },
  {
    name: "every object of a schema is closed",
    source: structured,
    hub: { format: { kind: "json-schema", name: "answer", schema, strict: false } },
    wire: {
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: { a: { type: "object", properties: {}, additionalProperties: false } },
            required: ["a"],
            additionalProperties: false,
          },
        },
      },
    },
  },
  { name: "text is what Anthropic answers anyway", source: structured, hub: { format: { kind: "text" } }, wire: {} },
  {
    name: "what only shapes how an answer is drawn or booked is left out",
    source: api,
    hub: {
      seed: 7,
      frequencyPenalty: 0.5,
      presencePenalty: 0,
      logitBias: { "50256": -100 },
      store: true,
      promptCacheKey: "k",
      metadata: { a: "b" },
      serviceTier: "flex",
      choices: 1,
      logprobs: false,
      own: [{ name: "prediction", value: {}, weight: "harmless" }],
      user: "u1",
    },
    wire: { metadata: { user_id: "u1" } },
    dropped: [
      "prediction",
      "seed",
      "frequency_penalty",
      "logit_bias",
      "store",
      "prompt_cache_key",
      "metadata",
      "service_tier",
    ],
  },
  {
    name: "OpenAI's default tier is the standard one",
    source: "https://platform.claude.com/docs/en/api/service-tiers",
    hub: { serviceTier: "default", stream: true },
    wire: { service_tier: "standard_only", stream: true },
  },
  {
    name: "how long a Responses client wants the answer is not said",
    source: api,
    hub: { dialect: "responses", verbosity: "low" },
    wire: {},
    dropped: ["text.verbosity"],
  },
  {
    name: "unknown members are sent on where they stood",
    source: api,
    hub: {
      unknown: { of_next_year: 1 },
      messages: [{ role: "user", parts: [{ ...text("Hi"), unknown: { x: 1 } }], unknown: { y: 2 } }],
      tools: [{ ...f, unknown: { z: 3 } }],
    },
    wire: {
      of_next_year: 1,
      messages: [{ role: "user", content: [{ type: "text", text: "Hi", x: 1 }], y: 2 }],
      tools: [{ ...fOnWire, z: 3 }],
    },
  },
];

export interface RefusedRequest {
  readonly name: string;
  readonly hub: Partial<ChatRequest>;
  readonly message: string;
}

const refused = (field: string, advice: string) => `\`${field}\` is not supported by provider claude: ${advice}`;
const assistantSays = (...parts: Extract<ChatRequest["messages"][number], { role: "assistant" }>["parts"]) => [
  { role: "user", parts: [text("Hi")] } as const,
  { role: "assistant", parts } as const,
];

export const refusedRequests: readonly RefusedRequest[] = [
  {
    name: "an image among the instructions",
    hub: {
      messages: [{ role: "system", parts: [{ kind: "image", source: { from: "url", url: "https://example.com/a" } }] }],
    },
    message: "anthropic system messages only support text content",
  },
  {
    name: "a tool of a kind that is not known",
    hub: { tools: [{ kind: "hosted", dialect: "chat-completions", type: "retrieval", value: {} }] },
    message: "unsupported tool type",
  },
  {
    name: "a tool without a name",
    hub: { tools: [{ kind: "function", name: "" }] },
    message: "tool.function.name is required",
  },
  {
    name: "parameters that are no object",
    hub: { tools: [{ kind: "function", name: "f", parameters: ["a"] }] },
    message: "tool.function.parameters must be an object",
  },
  {
    name: "parameters that are not for an object",
    hub: { tools: [{ kind: "function", name: "f", parameters: { type: "string" } }] },
    message: "tool.function.parameters must define an object schema",
  },
  {
    name: "a choice without a name",
    hub: { tools: [f], toolChoice: { kind: "named", toolKind: "function", name: "" } },
    message: "tool_choice.function.name is required",
  },
  {
    name: "a choice of a kind that is not known",
    hub: { tools: [f], toolChoice: { kind: "hosted", dialect: "chat-completions", type: "mcp", value: {} } },
    message: "unsupported tool_choice type",
  },
  {
    name: "an allowed tool that is not there",
    hub: { tools: [f], toolChoice: { kind: "allowed", required: false, names: ["h"] } },
    message: '`tool_choice` allows the tool "h", which is not among `tools`',
  },
  {
    name: "a result without the id of its call",
    hub: { messages: [result("", "ok")] },
    message: "tool message is missing tool_call_id",
  },
  {
    name: "arguments that are a list",
    hub: { messages: assistantSays(call("call_1", "[1]")) },
    message: "the arguments of the tool call `call_1` (f) must be exactly one JSON object, such as {}",
  },
  {
    name: "arguments that are two objects",
    hub: { messages: assistantSays(call("call_1", "{}{}")) },
    message: "the arguments of the tool call `call_1` (f) must be exactly one JSON object, such as {}",
  },
  {
    name: "more calls than a message may have",
    hub: { messages: assistantSays(...Array.from({ length: 1025 }, (_, index) => call(`c${index}`, "{}"))) },
    message: refused("messages[].tool_calls", "a message may have at most 1024 of them"),
  },
  { name: "several answers", hub: { choices: 2 }, message: refused("n", "ask once for each answer that you want") },
  {
    name: "probabilities",
    hub: { logprobs: true },
    message: refused("logprobs", "it tells no probabilities, leave the field out"),
  },
  {
    name: "how long a chat answer shall be",
    hub: { verbosity: "low" },
    message: refused("verbosity", "say in the prompt how long the answer shall be, and leave the field out"),
  },
  {
    name: "JSON of no schema",
    hub: { format: { kind: "json" } },
    message: refused("response_format", "give a schema (`json_schema`) instead of `json_object`"),
  },
  {
    name: "a conversation that another provider keeps",
    hub: { dialect: "responses", previousResponseId: "resp_1" },
    message: refused("previous_response_id", "it keeps no conversations, send the whole history as input"),
  },
  {
    name: "a file that another provider keeps",
    hub: {
      messages: [
        { role: "user", parts: [{ kind: "file", source: { from: "file-id", id: "file-1", issuer: "openai" } }] },
      ],
    },
    message: refused("messages[].content[].file_id", "it is stored at openai: send the content itself"),
  },
  {
    name: "sound",
    hub: { messages: [{ role: "user", parts: [{ kind: "audio", data: "AAAA", format: "wav" }] }] },
    message: refused("messages[].content[].input_audio", "send the words as text"),
  },
  {
    name: "a spreadsheet",
    hub: {
      messages: [
        {
          role: "user",
          parts: [{ kind: "file", source: { from: "data", mediaType: "application/vnd.ms-excel", data: "AA==" } }],
        },
      ],
    },
    message: refused("messages[].content[].file", "send a PDF, an image or text instead of application/vnd.ms-excel"),
  },
  {
    name: "a field of the caller's dialect that changes the answer",
    hub: { own: [{ name: "web_search_options", value: {}, weight: "changes-result" }] },
    message: refused("web_search_options", "leave the field out or call a provider that knows it"),
  },
];
