// Fields of a Responses request.

import { pages } from "../pairs/pair.ts";
import { as, leftOut, leftOutAs, openAi, passes, refused, refusedAs, unchanged } from "./field-row.ts";
import type { FieldRow, FieldTable, Outcome } from "./field-row.ts";

const row = (
  field: string,
  request: FieldRow["request"],
  chat: Outcome,
  messages: Outcome,
  gemini: Outcome,
  more: Partial<FieldRow> = {},
): FieldRow => ({ field, request, to: { "chat-completions": chat, responses: passes, messages, gemini }, ...more });

const hi = { role: "user", content: "Hi" };
const input = (...parts: readonly object[]) => ({ input: [{ role: "user", content: parts }] });
const f = { type: "function", name: "f", parameters: { type: "object", properties: { a: {} } } };
const tools = { tools: [{ ...f, strict: false }] };
const withTools = { without: tools };
const called = (output: unknown = "ok", ...before: readonly object[]) => ({
  input: [
    hi,
    ...before,
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c", output },
  ],
});
const history = (...items: readonly object[]) => ({ input: [hi, ...items, { role: "assistant", content: "a" }, hi] });
const mark = (state: object) => `gomodel.state.${Buffer.from(JSON.stringify(state)).toString("base64url")}`;
const signed = { issuer: "anthropic", kind: "signature", value: "S", text: "hm" };
const thought = { issuer: "google", kind: "thought", value: "S", text: "c" };
const data = "data:image/png;base64,AAAA";
const issuerAlone = "state goes to its issuer alone";
const sampling = "from Gemini 3 on left out";

const settings: readonly FieldRow[] = [
  row("instructions", { instructions: "s" }, as("messages[].role"), as("system"), as("systemInstruction")),
  row(
    "max_output_tokens",
    { max_output_tokens: 50 },
    as("max_tokens"),
    as("max_tokens", "4096 when absent"),
    as("generationConfig.maxOutputTokens"),
  ),
  row(
    "temperature",
    { temperature: 0.5 },
    as("temperature"),
    as("temperature", "at most 1; left out while the model thinks and since Claude Opus 4.7"),
    as("generationConfig.temperature", sampling),
  ),
  row(
    "top_p",
    { top_p: 0.5 },
    as("top_p"),
    as("top_p", "left out beside `temperature` and since Claude Opus 4.7"),
    as("generationConfig.topP", sampling),
  ),
  row("top_logprobs", { top_logprobs: 2 }, as("top_logprobs"), refused, as("generationConfig.logprobs")),
  row(
    "reasoning.effort",
    { reasoning: { effort: "low" } },
    as("reasoning_effort"),
    as("thinking", "a budget, or adaptive with `output_config.effort`"),
    as("generationConfig.thinkingConfig", "a budget, from Gemini 3 on a level"),
  ),
  row(
    "reasoning.summary",
    { reasoning: { effort: "low", summary: "auto" } },
    leftOut,
    as("thinking.display"),
    as("generationConfig.thinkingConfig.includeThoughts"),
    { without: { reasoning: { effort: "low" } } },
  ),
  row(
    "text.format json_object",
    { text: { format: { type: "json_object" } } },
    as("response_format"),
    refused,
    as("generationConfig.responseMimeType"),
  ),
  row(
    "text.format json_schema",
    { text: { format: { type: "json_schema", name: "x", schema: { type: "object" }, strict: true } } },
    as("response_format"),
    as("output_config.format", "objects are closed; name and `strict` have no place"),
    as("generationConfig.responseJsonSchema", "name and `strict` have no place"),
  ),
  row("text.verbosity", { text: { verbosity: "low" } }, openAi("verbosity"), leftOut, leftOut),
  row("user", { user: "u" }, openAi("user"), as("metadata.user_id"), leftOut),
  row("safety_identifier", { safety_identifier: "u" }, leftOut, leftOut, leftOut),
  row("metadata", { metadata: { a: "b" } }, openAi("metadata"), leftOut, leftOutAs("on Vertex AI: `labels`")),
  row(
    "service_tier",
    { service_tier: "default" },
    openAi("service_tier"),
    as("service_tier", "`auto` and `default` only"),
    leftOut,
  ),
  row("store", { store: true }, leftOutAs("it is about the response, which the gateway would keep"), leftOut, leftOut),
  row("prompt_cache_key", { prompt_cache_key: "k" }, openAi("prompt_cache_key"), leftOut, leftOut),
  row("prompt_cache_retention", { prompt_cache_retention: "24h" }, leftOut, leftOut, leftOut),
  row("prompt_cache_options", { prompt_cache_options: {} }, leftOut, leftOut, leftOut),
  row(
    "include logprobs",
    { include: ["message.output_text.logprobs"] },
    as("logprobs"),
    refused,
    as("generationConfig.responseLogprobs"),
  ),
  row(
    "include, other values",
    { include: ["reasoning.encrypted_content"] },
    leftOutAs("state comes back in any case"),
    leftOutAs("state comes back in any case"),
    leftOutAs("state comes back in any case"),
  ),
  row("max_tool_calls", { max_tool_calls: 3 }, leftOut, leftOut, leftOut),
  row("truncation", { truncation: "auto" }, leftOut, leftOut, leftOut),
  row("context_management", { context_management: [] }, leftOut, leftOut, leftOut),
  row("stream_options", { stream_options: {} }, leftOut, leftOut, leftOut),
  row("client_metadata", { client_metadata: {} }, leftOut, leftOut, leftOut),
  row("previous_response_id", { previous_response_id: "resp_1" }, refused, refused, refused),
  row("conversation", { conversation: "conv_1" }, refused, refused, refused),
  row("prompt", { prompt: { id: "p" } }, refused, refused, refused),
  row("moderation", { moderation: { model: "m" } }, refused, refused, refused),
  row(
    "background",
    { background: true },
    refusedAs("`false` is left out"),
    refusedAs("`false` is left out"),
    refusedAs("`false` is left out"),
  ),
  row("a field that nobody knows", { of_next_year: { a: 1 } }, unchanged, unchanged, unchanged),
];

const toolRows: readonly FieldRow[] = [
  row("tools function", tools, as("tools"), as("tools"), as("tools[].functionDeclarations")),
  row(
    "tools function.strict",
    { tools: [{ ...f, strict: true }] },
    as("tools[].function.strict"),
    leftOut,
    leftOutAs("it has no such word"),
    withTools,
  ),
  row(
    "tools custom",
    { tools: [{ type: "custom", name: "f" }] },
    as("tools", "others than OpenAI: a function with one text, and its calls turned back"),
    as("tools", "a function with one text, and its calls turned back"),
    as("tools", "a function with one text, and its calls turned back"),
  ),
  row("tools that the provider runs", { tools: [{ type: "web_search" }] }, leftOut, leftOut, leftOut),
  row(
    "tool_choice auto, required",
    { ...tools, tool_choice: "required" },
    as("tool_choice"),
    as("tool_choice"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "tool_choice none",
    { ...tools, tool_choice: "none" },
    as("tool_choice"),
    leftOutAs("with the tools, unless the history has calls"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "tool_choice of one function",
    { ...tools, tool_choice: { type: "function", name: "f" } },
    as("tool_choice"),
    as("tool_choice"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "tool_choice allowed_tools",
    { ...tools, tool_choice: { type: "allowed_tools", mode: "required", tools: [{ type: "function", name: "f" }] } },
    as("tool_choice", "others than OpenAI: the other tools are left out"),
    as("tool_choice", "the other tools are left out"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "parallel_tool_calls",
    { ...tools, parallel_tool_calls: false },
    as("parallel_tool_calls"),
    as("tool_choice.disable_parallel_tool_use"),
    leftOut,
    withTools,
  ),
];

const inputRows: readonly FieldRow[] = [
  row(
    "input messages system, developer",
    { input: [{ role: "developer", content: "s" }, hi] },
    as("messages[].role"),
    as("system"),
    as("systemInstruction"),
  ),
  row(
    "input_image by URL",
    input({ type: "input_image", image_url: "https://example.com/a.png" }),
    as("messages[].content[].image_url"),
    as("messages[].content[].source"),
    refused,
  ),
  row(
    "input_image as data",
    input({ type: "input_image", image_url: data }),
    as("messages[].content[].image_url"),
    as("messages[].content[].source"),
    as("contents[].parts[].inlineData"),
  ),
  row("input_image by file_id", input({ type: "input_image", file_id: "file-1" }), refused, refused, refused),
  row(
    "input_image detail",
    input({ type: "input_image", image_url: data, detail: "low" }),
    as("messages[].content[].image_url.detail"),
    leftOut,
    leftOut,
    { without: input({ type: "input_image", image_url: data }) },
  ),
  row(
    "input_file file_data",
    input({ type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" }),
    as("messages[].content[].file", "providers that take no files: 400"),
    as("messages[].content[].source", "PDF, text and images"),
    as("contents[].parts[].inlineData"),
  ),
  row(
    "input_file file_url",
    input({ type: "input_file", file_url: "https://example.com/a.pdf" }),
    as("messages[].content[].file", "providers that take no files: 400"),
    as("messages[].content[].source"),
    refused,
  ),
  row(
    "input_file file_id",
    input({ type: "input_file", file_id: "file-1" }),
    as("messages[].content[].file", "at OpenAI; others refuse it"),
    refused,
    refused,
  ),
  row(
    "input_audio",
    input({ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }),
    as("messages[].content[].input_audio"),
    refused,
    as("contents[].parts[].inlineData"),
  ),
  row(
    "refusal of the history",
    { input: [hi, { role: "assistant", content: [{ type: "refusal", refusal: "No" }] }, hi] },
    as("messages[].refusal"),
    as("messages[].content"),
    as("contents[].parts[].text"),
  ),
  row(
    "function_call, its output",
    called(),
    as("messages[].tool_call_id"),
    as("messages[].content[].tool_use_id"),
    as("contents[].parts[].functionResponse"),
  ),
  row(
    "function_call_output with an image",
    called([
      { type: "input_text", text: "ok" },
      { type: "input_image", image_url: data },
    ]),
    leftOut,
    as("messages[].content[].content"),
    as("contents[].parts[].inlineData"),
    { without: called() },
  ),
  row(
    "reasoning encrypted_content of OpenAI",
    history({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: "E" }),
    leftOutAs(issuerAlone),
    leftOutAs(issuerAlone),
    leftOutAs(issuerAlone),
    { without: history() },
  ),
  row(
    "reasoning with a mark of Anthropic's",
    history({ type: "reasoning", id: "rs_1", summary: [], encrypted_content: mark(signed) }),
    leftOutAs(issuerAlone),
    as("messages[].content[].signature"),
    leftOutAs(issuerAlone),
    { without: history() },
  ),
  row(
    "reasoning with a mark of Google's",
    called("ok", { type: "reasoning", id: "rs_1", summary: [], encrypted_content: mark(thought) }),
    leftOutAs(issuerAlone),
    leftOutAs(issuerAlone),
    as("contents[].parts[].thoughtSignature"),
    { without: called() },
  ),
  row("item_reference", { input: [hi, { type: "item_reference", id: "msg_1" }] }, refused, refused, refused),
  row("an item that nobody knows", { input: [hi, { type: "hologram" }] }, refused, refused, refused),
];

export const responsesFields: FieldTable = {
  caller: "responses",
  source: pages.responses,
  smallest: { input: [hi] },
  rows: [...settings, ...toolRows, ...inputRows],
};
