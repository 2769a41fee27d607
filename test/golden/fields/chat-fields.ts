// Fields of a chat completions request, and of the extensions that are in wide use.

import { pages } from "../pairs/pair.ts";
import { as, leftOut, leftOutAs, passes, refused, unchanged } from "./field-row.ts";
import type { FieldRow, FieldTable, Outcome } from "./field-row.ts";

const row = (
  field: string,
  request: FieldRow["request"],
  responses: Outcome,
  messages: Outcome,
  gemini: Outcome,
  more: Partial<FieldRow> = {},
): FieldRow => ({ field, request, to: { "chat-completions": passes, responses, messages, gemini }, ...more });

const content = (...parts: readonly object[]) => ({ messages: [{ role: "user", content: parts }] });
const hi = { role: "user", content: "Hi" };
const call = { id: "c", type: "function", function: { name: "f", arguments: "{}" } };
const called = (more: object, result: object = {}) => ({
  messages: [
    hi,
    { role: "assistant", content: null, tool_calls: [{ ...call, ...more }] },
    { role: "tool", tool_call_id: "c", content: "ok", ...result },
  ],
});
const f = { type: "function", function: { name: "f", parameters: { type: "object", properties: { a: {} } } } };
const tools = { tools: [f] };
const withTools = { without: tools };
const fileOf = (file: object) => content({ type: "file", file });
const history = (more: object) => ({ messages: [hi, { role: "assistant", content: "a", ...more }, hi] });
const image = (url: string, more: object = {}) => content({ type: "image_url", image_url: { url, ...more } });
const data = "data:image/png;base64,AAAA";
const sampling = "from Gemini 3 on left out";
const reasons = "left out for OpenAI's models that reason";
const pdf = { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" };

const settings: readonly FieldRow[] = [
  row(
    "max_tokens",
    { max_tokens: 50 },
    as("max_output_tokens", "16 at least"),
    as("max_tokens", "4096 when absent"),
    as("generationConfig.maxOutputTokens"),
  ),
  row(
    "max_completion_tokens",
    { max_completion_tokens: 50 },
    as("max_output_tokens", "16 at least"),
    as("max_tokens", "4096 when absent"),
    as("generationConfig.maxOutputTokens"),
  ),
  row(
    "temperature",
    { temperature: 0.5 },
    as("temperature", reasons),
    as("temperature", "at most 1; left out while the model thinks and since Claude Opus 4.7"),
    as("generationConfig.temperature", sampling),
  ),
  row(
    "top_p",
    { top_p: 0.5 },
    as("top_p", reasons),
    as("top_p", "left out beside `temperature` and since Claude Opus 4.7"),
    as("generationConfig.topP", sampling),
  ),
  row(
    "top_k",
    { top_k: 5 },
    leftOut,
    as("top_k", "left out while the model thinks and since Claude Opus 4.7"),
    as("generationConfig.topK", sampling),
  ),
  row(
    "stop",
    { stop: ["END"] },
    leftOutAs("the gateway cuts the answer there"),
    as("stop_sequences"),
    as("generationConfig.stopSequences", "more than 5: 400"),
  ),
  row("seed", { seed: 7 }, leftOut, leftOut, as("generationConfig.seed")),
  row("n", { n: 2 }, refused, refused, as("generationConfig.candidateCount", sampling)),
  row("frequency_penalty", { frequency_penalty: 0.5 }, leftOut, leftOut, as("generationConfig.frequencyPenalty")),
  row("presence_penalty", { presence_penalty: 0.5 }, leftOut, leftOut, as("generationConfig.presencePenalty")),
  row("logit_bias", { logit_bias: { 5: 1 } }, leftOut, leftOut, refused),
  row("logprobs", { logprobs: true }, as("include"), refused, as("generationConfig.responseLogprobs")),
  row(
    "top_logprobs",
    { logprobs: true, top_logprobs: 2 },
    as("top_logprobs"),
    refused,
    as("generationConfig.logprobs"),
    { without: { logprobs: true } },
  ),
  row(
    "reasoning_effort",
    { reasoning_effort: "low" },
    as("reasoning.effort", "left out for OpenAI's models that do not reason"),
    as("thinking", "a budget, or adaptive with `output_config.effort`"),
    as("generationConfig.thinkingConfig", "a budget, from Gemini 3 on a level"),
    { models: { responses: "gpt-5" } },
  ),
  row(
    "reasoning.effort",
    { reasoning: { effort: "low" } },
    as("reasoning.effort"),
    as("thinking"),
    as("generationConfig.thinkingConfig"),
    { models: { responses: "gpt-5" } },
  ),
  row(
    "reasoning.max_tokens",
    { reasoning: { max_tokens: 2000 } },
    as("reasoning.effort"),
    as("thinking.budget_tokens"),
    leftOut,
    { models: { responses: "gpt-5" } },
  ),
  row(
    "thinking",
    { thinking: { type: "enabled", budget_tokens: 2000 } },
    as("reasoning.effort"),
    as("thinking.budget_tokens"),
    leftOut,
    { models: { responses: "gpt-5" } },
  ),
  row("verbosity", { verbosity: "low" }, as("text.verbosity"), refused, leftOut),
  row(
    "response_format text",
    { response_format: { type: "text" } },
    as("text.format"),
    leftOutAs("it is the default"),
    leftOutAs("it is the default"),
  ),
  row(
    "response_format json_object",
    { response_format: { type: "json_object" } },
    as("text.format"),
    refused,
    as("generationConfig.responseMimeType"),
  ),
  row(
    "response_format json_schema",
    { response_format: { type: "json_schema", json_schema: { name: "x", schema: { type: "object" }, strict: true } } },
    as("text.format"),
    as("output_config.format", "objects are closed; name and `strict` have no place"),
    as("generationConfig.responseJsonSchema", "name and `strict` have no place"),
  ),
  row("user", { user: "u" }, as("user"), as("metadata.user_id"), leftOut),
  row("safety_identifier", { safety_identifier: "u" }, as("user"), as("metadata.user_id"), leftOut),
  row("metadata", { metadata: { a: "b" } }, as("metadata"), leftOut, leftOutAs("on Vertex AI: `labels`")),
  row(
    "service_tier",
    { service_tier: "default" },
    as("service_tier"),
    as("service_tier", "`auto` and `default` only"),
    leftOut,
  ),
  row("store", { store: true }, as("store"), leftOut, leftOut),
  row("prompt_cache_key", { prompt_cache_key: "k" }, as("prompt_cache_key"), leftOut, leftOut),
  row("prompt_cache_retention", { prompt_cache_retention: "24h" }, as("prompt_cache_retention"), leftOut, leftOut),
  row("prompt_cache_options", { prompt_cache_options: {} }, as("prompt_cache_options"), leftOut, leftOut),
  row("prediction", { prediction: { type: "content", content: "a" } }, leftOut, leftOut, leftOut),
  row("moderation", { moderation: { model: "m" } }, as("moderation"), refused, refused),
  row(
    "modalities, audio",
    { modalities: ["text", "audio"], audio: { voice: "alloy", format: "wav" } },
    refused,
    refused,
    refused,
  ),
  row("web_search_options", { web_search_options: {} }, refused, refused, refused),
  row(
    "stream_options.include_usage",
    { stream: true, stream_options: { include_usage: true } },
    leftOutAs("usage always comes; the caller gets it when he asked"),
    leftOutAs("usage always comes; the caller gets it when he asked"),
    leftOutAs("usage always comes; the caller gets it when he asked"),
    { without: { stream: true } },
  ),
  row("a field that nobody knows", { of_next_year: { a: 1 } }, unchanged, unchanged, unchanged),
];

const toolRows: readonly FieldRow[] = [
  row("tools function", tools, as("tools"), as("tools"), as("tools[].functionDeclarations")),
  row(
    "tools function.strict",
    { tools: [{ ...f, function: { ...f.function, strict: true } }] },
    as("tools[].strict"),
    leftOut,
    leftOutAs("it has no such word"),
    withTools,
  ),
  row(
    "tools custom",
    { tools: [{ type: "custom", custom: { name: "f" } }] },
    as("tools"),
    as("tools", "a function with one text, and its calls turned back"),
    as("tools", "a function with one text, and its calls turned back"),
  ),
  row(
    "functions, function_call",
    { functions: [{ name: "f" }], function_call: { name: "f" } },
    as("tools"),
    as("tools"),
    as("tools"),
  ),
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
    { ...tools, tool_choice: { type: "function", function: { name: "f" } } },
    as("tool_choice"),
    as("tool_choice"),
    as("toolConfig"),
    withTools,
  ),
  row(
    "tool_choice allowed_tools",
    {
      ...tools,
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "f" } }] },
      },
    },
    as("tool_choice"),
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

const messageRows: readonly FieldRow[] = [
  row(
    "messages system, developer",
    { messages: [{ role: "developer", content: "s" }, hi] },
    as("input[].role"),
    as("system"),
    as("systemInstruction"),
  ),
  row("messages[].name", { messages: [{ ...hi, name: "n" }] }, leftOut, leftOut, leftOut),
  row(
    "image_url by URL",
    image("https://example.com/a.png"),
    as("input[].content[].image_url"),
    as("messages[].content[].source"),
    refused,
  ),
  row(
    "image_url as data",
    image(data),
    as("input[].content[].image_url"),
    as("messages[].content[].source"),
    as("contents[].parts[].inlineData"),
  ),
  row("image_url.detail", image(data, { detail: "low" }), as("input[].content[].detail"), leftOut, leftOut, {
    without: image(data),
  }),
  row(
    "input_audio",
    content({ type: "input_audio", input_audio: { data: "AAAA", format: "wav" } }),
    as("input[].content[].input_audio"),
    refused,
    as("contents[].parts[].inlineData"),
  ),
  row(
    "file.file_data",
    fileOf(pdf),
    as("input[].content[].file_data"),
    as("messages[].content[].source", "PDF, text and images"),
    as("contents[].parts[].inlineData"),
  ),
  row(
    "file.file_url",
    fileOf({ file_url: "https://example.com/a.pdf" }),
    as("input[].content[].file_url"),
    as("messages[].content[].source"),
    refused,
  ),
  row(
    "file.file_id",
    fileOf({ file_id: "file-1" }),
    as("input[].content[].file_id", "at OpenAI; others refuse it"),
    refused,
    refused,
  ),
  row(
    "cache_control of a part",
    content({ type: "text", text: "Hi", cache_control: { type: "ephemeral" } }),
    leftOut,
    as("messages[].content[].cache_control"),
    leftOut,
  ),
  row(
    "assistant refusal",
    { messages: [hi, { role: "assistant", content: null, refusal: "No" }, hi] },
    as("input[].content[].refusal"),
    as("messages[].content"),
    as("contents[].parts[].text"),
  ),
  row(
    "assistant tool_calls, tool results",
    called({}),
    as("input[].call_id"),
    as("messages[].content[].tool_use_id"),
    as("contents[].parts[].functionResponse"),
  ),
  row(
    "tool result that is an error",
    called({}, { extra_content: { anthropic: { is_error: true } } }),
    leftOut,
    as("messages[].content[].is_error"),
    as("contents[].parts[].functionResponse.response.error"),
    { without: called({}) },
  ),
  row(
    "tool result with an image",
    called(
      {},
      {
        content: [
          { type: "text", text: "ok" },
          { type: "image_url", image_url: { url: data } },
        ],
      },
    ),
    as("input[].output"),
    as("messages[].content[].content"),
    as("contents[].parts[].inlineData"),
    { without: called({}) },
  ),
  row(
    "reasoning_content",
    history({ reasoning_content: "hm" }),
    leftOutAs("no provider wants it without its proof"),
    leftOutAs("no provider wants it without its proof"),
    leftOutAs("no provider wants it without its proof"),
    { without: history({}) },
  ),
  row(
    "extra_content.anthropic",
    history({
      extra_content: { anthropic: { thinking_blocks: [{ type: "thinking", thinking: "hm", signature: "S" }] } },
    }),
    leftOutAs("state goes to its issuer alone"),
    as("messages[].content[].signature"),
    leftOutAs("state goes to its issuer alone"),
    { without: history({}) },
  ),
  row(
    "extra_content.openai",
    history({ extra_content: { openai: { reasoning_items: [{ id: "rs_1", encrypted_content: "E" }] } } }),
    as("input[].encrypted_content"),
    leftOutAs("state goes to its issuer alone"),
    leftOutAs("state goes to its issuer alone"),
    { without: history({}) },
  ),
  row(
    "extra_content.google",
    called({ extra_content: { google: { thought_signature: "S" } } }),
    leftOutAs("state goes to its issuer alone"),
    leftOutAs("state goes to its issuer alone"),
    as("contents[].parts[].thoughtSignature"),
    { without: called({}) },
  ),
  row("a content part that nobody knows", content({ type: "hologram" }), refused, refused, refused),
];

export const chatFields: FieldTable = {
  caller: "chat-completions",
  source: pages.chat,
  smallest: { messages: [hi] },
  rows: [...settings, ...toolRows, ...messageRows],
};
