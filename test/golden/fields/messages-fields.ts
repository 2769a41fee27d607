// Fields of a Messages request.

import { pages } from "../pairs/pair.ts";
import { as, leftOut, leftOutAs, passes, refused, unchanged } from "./field-row.ts";
import type { FieldRow, FieldTable, Outcome } from "./field-row.ts";

const row = (
  field: string,
  request: FieldRow["request"],
  chat: Outcome,
  responses: Outcome,
  gemini: Outcome,
  more: Partial<FieldRow> = {},
): FieldRow => ({ field, request, to: { "chat-completions": chat, responses, messages: passes, gemini }, ...more });

const hi = { role: "user", content: "Hi" };
const content = (...blocks: readonly object[]) => ({ messages: [{ role: "user", content: blocks }] });
const text = (said: string, more: object = {}) => ({ type: "text", text: said, ...more });
const f = { name: "f", input_schema: { type: "object", properties: { a: {} } } };
const tools = { tools: [f] };
const withTools = { without: tools };
const called = (result: object = {}, ...before: readonly object[]) => ({
  messages: [
    hi,
    { role: "assistant", content: [...before, { type: "tool_use", id: "c", name: "f", input: {} }] },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "c", content: "ok", ...result }] },
  ],
});
const history = (...blocks: readonly object[]) => ({
  messages: [hi, { role: "assistant", content: [...blocks, text("a")] }, hi],
});
const mark = (state: object) => `gomodel.state.${Buffer.from(JSON.stringify(state)).toString("base64url")}`;
const encrypted = { issuer: "openai", kind: "encrypted", value: "E", id: "rs_1" };
const thought = { issuer: "google", kind: "thought", value: "S", id: "c" };
const base64 = (type: string) => ({ type: "base64", media_type: type, data: "JVBERi0=" });
const url = { type: "url", url: "https://example.com/a" };
const silently = "how Anthropic reads it; there is no debug line";
const issuerAlone = "state goes to its issuer alone";
const sampling = "from Gemini 3 on left out";
const reasons = "left out for OpenAI's models that reason";
const gpt5 = { models: { responses: "gpt-5" } };

const settings: readonly FieldRow[] = [
  row(
    "max_tokens",
    { max_tokens: 50 },
    as("max_tokens"),
    as("max_output_tokens", "16 at least"),
    as("generationConfig.maxOutputTokens"),
  ),
  row("system", { system: "s" }, as("messages[].role"), as("instructions"), as("systemInstruction")),
  row(
    "temperature",
    { temperature: 0.5 },
    as("temperature"),
    as("temperature", reasons),
    as("generationConfig.temperature", sampling),
  ),
  row("top_p", { top_p: 0.5 }, as("top_p"), as("top_p", reasons), as("generationConfig.topP", sampling)),
  row("top_k", { top_k: 5 }, leftOut, leftOut, as("generationConfig.topK", sampling)),
  row(
    "stop_sequences",
    { stop_sequences: ["END"] },
    as("stop"),
    leftOutAs("the gateway cuts the answer there"),
    as("generationConfig.stopSequences", "more than 5: 400"),
  ),
  row(
    "thinking enabled",
    { thinking: { type: "enabled", budget_tokens: 2000 } },
    as("reasoning_effort", "below 10000 tokens `low`, below 20000 `medium`, else `high`"),
    as("reasoning.effort", "below 10000 tokens `low`, below 20000 `medium`, else `high`"),
    as("generationConfig.thinkingConfig"),
    gpt5,
  ),
  row(
    "thinking adaptive",
    { thinking: { type: "adaptive" } },
    as("reasoning_effort", "`medium`"),
    as("reasoning.effort", "`medium`"),
    as("generationConfig.thinkingConfig"),
    gpt5,
  ),
  row(
    "thinking disabled",
    { thinking: { type: "disabled" } },
    leftOut,
    leftOutAs("OpenAI has no word for it that every model takes"),
    as("generationConfig.thinkingConfig"),
    gpt5,
  ),
  row(
    "thinking.display",
    { thinking: { type: "adaptive", display: "summarized" } },
    leftOut,
    as("reasoning.summary"),
    leftOutAs("thoughts are shown unless `omitted`"),
    { ...gpt5, without: { thinking: { type: "adaptive" } } },
  ),
  row(
    "output_config.effort",
    { output_config: { effort: "high" } },
    as("reasoning_effort"),
    as("reasoning.effort"),
    as("generationConfig.thinkingConfig"),
    gpt5,
  ),
  row(
    "output_config.format",
    { output_config: { format: { type: "json_schema", schema: { type: "object" } } } },
    as("response_format", "`strict` where the schema keeps its rules"),
    as("text.format", "`strict` where the schema keeps its rules"),
    as("generationConfig.responseJsonSchema"),
  ),
  row(
    "output_format",
    { output_format: { type: "json_schema", schema: { type: "object" } } },
    as("response_format"),
    as("text.format"),
    as("generationConfig.responseJsonSchema"),
  ),
  row("output_config, other members", { output_config: { task_budget: {} } }, leftOut, leftOut, leftOut),
  row(
    "metadata.user_id",
    { metadata: { user_id: "u" } },
    leftOutAs("it is the name of a session, longer than others take"),
    leftOutAs("it is the name of a session, longer than others take"),
    leftOut,
  ),
  row(
    "service_tier",
    { service_tier: "standard_only" },
    leftOutAs("Anthropic's tiers are others"),
    as("service_tier"),
    leftOut,
  ),
  row("cache_control", { cache_control: { type: "ephemeral" } }, leftOut, leftOut, leftOut),
  row("context_management", { context_management: {} }, leftOut, leftOut, leftOut),
  row("speed", { speed: "fast" }, leftOut, leftOut, leftOut),
  row("container", { container: "c" }, refused, refused, refused),
  row("mcp_servers", { mcp_servers: [{}] }, refused, refused, refused),
  row("inference_geo", { inference_geo: "eu" }, refused, refused, refused),
  row("a field that nobody knows", { of_next_year: { a: 1 } }, unchanged, unchanged, unchanged),
];

const toolRows: readonly FieldRow[] = [
  row("tools of the caller", tools, as("tools"), as("tools"), as("tools[].functionDeclarations")),
  row(
    "tools[].strict",
    { tools: [{ ...f, strict: true }] },
    as("tools[].function.strict"),
    as("tools[].strict"),
    leftOutAs("it has no such word"),
    withTools,
  ),
  row(
    "tools[].cache_control",
    { tools: [{ ...f, cache_control: { type: "ephemeral" } }] },
    leftOut,
    leftOut,
    leftOut,
    withTools,
  ),
  row(
    "tools[].defer_loading, input_examples",
    { tools: [{ ...f, defer_loading: true, input_examples: [{}] }] },
    leftOutAs(silently),
    leftOutAs(silently),
    leftOutAs(silently),
    withTools,
  ),
  row(
    "tools that Anthropic defines",
    { tools: [{ type: "web_search_20250305", name: "web_search" }] },
    refused,
    refused,
    refused,
  ),
  row(
    "tool_choice auto, any",
    { ...tools, tool_choice: { type: "any" } },
    as("tool_choice"),
    as("tool_choice"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "tool_choice none",
    { ...tools, tool_choice: { type: "none" } },
    as("tool_choice"),
    as("tool_choice"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "tool_choice tool",
    { ...tools, tool_choice: { type: "tool", name: "f" } },
    as("tool_choice"),
    as("tool_choice"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "disable_parallel_tool_use",
    { ...tools, tool_choice: { type: "auto", disable_parallel_tool_use: true } },
    as("parallel_tool_calls"),
    as("parallel_tool_calls"),
    leftOut,
    { without: { ...tools, tool_choice: { type: "auto" } } },
  ),
];

const messageRows: readonly FieldRow[] = [
  row(
    "messages of the role system",
    { messages: [hi, { role: "system", content: "s" }] },
    as("messages[].role"),
    as("input[].role"),
    as("systemInstruction"),
  ),
  row(
    "image by URL",
    content({ type: "image", source: url }),
    as("messages[].content[].image_url"),
    as("input[].content[].image_url"),
    refused,
  ),
  row(
    "image as data",
    content({ type: "image", source: base64("image/png") }),
    as("messages[].content[].image_url"),
    as("input[].content[].image_url"),
    as("contents[].parts[].inlineData"),
  ),
  row(
    "image or document of a file",
    content({ type: "document", source: { type: "file", file_id: "f" } }),
    refused,
    refused,
    refused,
  ),
  row(
    "document as data",
    content({ type: "document", source: base64("application/pdf") }),
    as("messages[].content[].file", "providers that take no files: 400"),
    as("input[].content[].file_data"),
    as("contents[].parts[].inlineData"),
  ),
  row(
    "document by URL",
    content({ type: "document", source: url }),
    as("messages[].content[].file", "OpenAI is asked in Responses; others that take no files: 400"),
    as("input[].content[].file_url"),
    refused,
  ),
  row(
    "document of text",
    content({ type: "document", source: { type: "text", media_type: "text/plain", data: "Once" } }),
    as("messages[].content"),
    as("input[].content[].text"),
    as("contents[].parts[].text"),
  ),
  row(
    "document title",
    content({ type: "document", source: base64("application/pdf"), title: "t" }),
    as("messages[].content[].file.filename"),
    as("input[].content[].filename"),
    leftOutAs("inline data has no name"),
    { without: content({ type: "document", source: base64("application/pdf") }) },
  ),
  row(
    "document citations, context",
    content({ type: "document", source: base64("application/pdf"), citations: { enabled: true }, context: "c" }),
    leftOutAs(silently),
    leftOutAs(silently),
    leftOutAs(silently),
    { without: content({ type: "document", source: base64("application/pdf") }) },
  ),
  row(
    "search_result",
    content({ type: "search_result", source: "s", title: "t", content: [text("a")] }),
    as("messages[].content"),
    as("input[].content[].text"),
    as("contents[].parts[].text"),
  ),
  row(
    "cache_control of a block",
    content(text("Hi", { cache_control: { type: "ephemeral" } })),
    leftOut,
    leftOut,
    leftOut,
  ),
  row(
    "tool_use, tool_result",
    called(),
    as("messages[].tool_call_id"),
    as("input[].call_id"),
    as("contents[].parts[].functionResponse"),
  ),
  row(
    "tool_result is_error",
    called({ is_error: true }),
    leftOut,
    leftOut,
    as("contents[].parts[].functionResponse.response.error"),
    { without: called() },
  ),
  row(
    "tool_result with an image",
    called({ content: [text("ok"), { type: "image", source: base64("image/png") }] }),
    leftOutAs("OpenAI is asked in Responses, which takes it"),
    as("input[].output"),
    as("contents[].parts[].inlineData"),
    { without: called() },
  ),
  row(
    "thinking signature of Anthropic",
    history({ type: "thinking", thinking: "hm", signature: "S" }),
    leftOutAs(issuerAlone),
    leftOutAs(issuerAlone),
    leftOutAs(issuerAlone),
    { without: history() },
  ),
  row(
    "thinking with a mark of OpenAI's",
    history({ type: "thinking", thinking: "hm", signature: mark(encrypted) }),
    leftOutAs(issuerAlone),
    as("input[].encrypted_content"),
    leftOutAs(issuerAlone),
    { without: history() },
  ),
  row(
    "redacted_thinking with a mark of Google's",
    called({}, { type: "redacted_thinking", data: mark(thought) }),
    leftOutAs(issuerAlone),
    leftOutAs(issuerAlone),
    as("contents[].parts[].thoughtSignature"),
    { without: called() },
  ),
  row(
    "server_tool_use, its results",
    history({ type: "server_tool_use", id: "s", name: "web_search", input: {} }),
    refused,
    refused,
    refused,
  ),
  row(
    "container_upload, tool_reference",
    content({ type: "container_upload", file_id: "f" }),
    refused,
    refused,
    refused,
  ),
  row("a block that nobody knows", content({ type: "hologram" }), refused, refused, refused),
];

export const messagesFields: FieldTable = {
  caller: "messages",
  source: pages.messages,
  smallest: { max_tokens: 100, messages: [hi] },
  rows: [...settings, ...toolRows, ...messageRows],
};
