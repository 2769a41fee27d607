// A caller of Responses, answered by Anthropic.

import {
  ended,
  inputDelta,
  message,
  messageEvents,
  signatureDelta,
  text,
  textDelta,
  thinking,
  thinkingDelta,
  tool,
  toolUse,
} from "./messages-wire.ts";
import { pages, type Pair } from "./pair.ts";
import {
  callItem,
  completed,
  incomplete,
  marked,
  messageItem,
  outputText,
  reasoningItem,
  response,
  responseEvents,
  responsesUsage,
  streamedCall,
  streamedReasoning,
  streamedText,
} from "./responses-wire.ts";

const between = { caller: "responses", provider: "messages" } as const;
const source = [pages.responses, pages.responsesStream, pages.messages, pages.messagesStream];
const claude = { id: "msg_1", model: "claude-sonnet-4-5" };
const given = { id: "resp_new", model: "claude-sonnet-4-5", provider: "anthropic" };
const plain = { input_tokens: 5, output_tokens: 2 };
const started = { input_tokens: 5, output_tokens: 1 };
const last = { output_tokens: 2 };
const city = { type: "object", properties: { city: { type: "string" } } };
/** Both forms in which the gateway hands a signature to a caller of Responses. */
const signed = (said: string, value: string) => ({
  encrypted_content: marked({ issuer: "anthropic", kind: "signature", value, text: said }),
  extra_content: { anthropic: { thinking_blocks: [thinking(said, value)] } },
});
const redacted = (value: string) => ({
  encrypted_content: marked({ issuer: "anthropic", kind: "redacted", value }),
  extra_content: { anthropic: { thinking_blocks: [{ type: "redacted_thinking", data: value }] } },
});

export const responsesToMessages: readonly Pair[] = [
  {
    name: "images and files, told from the cache",
    source: [...source, pages.claudeVision, pages.claudePdf, pages.claudeCache],
    ...between,
    request: {
      instructions: "Be brief.",
      input: [
        { role: "developer", content: "In English." },
        {
          role: "user",
          content: [
            { type: "input_image", image_url: "https://example.com/a.png", detail: "low" },
            { type: "input_image", image_url: "data:image/png;base64,AAAA" },
            { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
            { type: "input_file", file_url: "https://example.com/b.pdf" },
            { type: "input_text", text: "Compare." },
          ],
        },
      ],
      max_output_tokens: 100,
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      system: "Be brief.\n\nIn English.",
      messages: [
        {
          role: "user",
          content: [
            { type: "image", source: { type: "url", url: "https://example.com/a.png" } },
            { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
            {
              type: "document",
              source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
              title: "a.pdf",
            },
            { type: "document", source: { type: "url", url: "https://example.com/b.pdf" } },
            text("Compare."),
          ],
        },
      ],
    },
    dropped: ["image_url.detail"],
    answer: message(claude, [text("Alike")], ended("max_tokens"), {
      input_tokens: 10,
      cache_creation_input_tokens: 20,
      cache_read_input_tokens: 30,
      output_tokens: 4,
    }),
    given: response(
      { ...given, instructions: "Be brief.", max_output_tokens: 100 },
      [messageItem("msg_new", [outputText("Alike")], "incomplete")],
      incomplete("max_output_tokens"),
      responsesUsage(60, 4, { cached: 30, written: 20 }),
    ),
    stream: messageEvents(claude, [[text(""), textDelta("Al"), textDelta("ike")]], ended("max_tokens"), [
      { input_tokens: 10, cache_creation_input_tokens: 20, cache_read_input_tokens: 30, output_tokens: 1 },
      { output_tokens: 4 },
    ]),
    streamed: responseEvents(
      { ...given, instructions: "Be brief.", max_output_tokens: 100 },
      [streamedText("msg_new", ["Al", "ike"], "incomplete")],
      incomplete("max_output_tokens"),
      responsesUsage(60, 4, { cached: 30, written: 20 }),
      true,
    ),
  },
  {
    name: "thinking with its signatures, there and back",
    source: [...source, pages.claudeThinking, pages.openAiReasoning],
    ...between,
    request: {
      input: [
        { role: "user", content: "2+2?" },
        { id: "rs_a", ...reasoningItem("rs_a", "Twos", signed("Twos", "S1")) },
        { ...reasoningItem("rs_b", "", redacted("R1")) },
        { ...reasoningItem("rs_c", "OpenAI's own", { encrypted_content: "E1" }) },
        { role: "assistant", content: [{ type: "output_text", text: "4" }] },
        { role: "user", content: "3+3?" },
      ],
      reasoning: { effort: "low", summary: "auto" },
      max_output_tokens: 6000,
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 6000,
      messages: [
        { role: "user", content: "2+2?" },
        {
          role: "assistant",
          content: [thinking("Twos", "S1"), { type: "redacted_thinking", data: "R1" }, text("4")],
        },
        { role: "user", content: "3+3?" },
      ],
      thinking: { type: "enabled", budget_tokens: 5000, display: "summarized" },
    },
    answer: message(
      claude,
      [thinking("Threes", "S2"), { type: "redacted_thinking", data: "R2" }, text("6")],
      ended("end_turn"),
      plain,
    ),
    given: response(
      { ...given, reasoning: { effort: "low", summary: "auto" }, max_output_tokens: 6000 },
      [
        reasoningItem("rs_new", "Threes", signed("Threes", "S2")),
        reasoningItem("rs_new", "", redacted("R2")),
        messageItem("msg_new", [outputText("6")]),
      ],
      completed,
      responsesUsage(5, 2),
    ),
    stream: messageEvents(
      claude,
      [
        [thinking("", ""), thinkingDelta("Thr"), thinkingDelta("ees"), signatureDelta("S2")],
        [{ type: "redacted_thinking", data: "R2" }],
        [text(""), textDelta("6")],
      ],
      ended("end_turn"),
      [started, last],
    ),
    streamed: responseEvents(
      { ...given, reasoning: { effort: "low", summary: "auto" }, max_output_tokens: 6000 },
      [
        streamedReasoning("rs_new", ["Thr", "ees"], signed("Threes", "S2")),
        streamedReasoning("rs_new", [], redacted("R2")),
        streamedText("msg_new", ["6"]),
      ],
      completed,
      responsesUsage(5, 2),
      true,
    ),
  },
  {
    name: "a call, its result with an image, a forced tool and a hosted one left out",
    source: [...source, pages.claudeTools],
    ...between,
    request: {
      input: [
        { role: "user", content: "Weather?" },
        { type: "function_call", call_id: "call.1", name: "weather", arguments: '{"city":"Rome"}' },
        {
          type: "function_call_output",
          call_id: "call.1",
          output: [
            { type: "input_text", text: "see" },
            { type: "input_image", image_url: "data:image/png;base64,AAAA" },
          ],
        },
      ],
      tools: [{ type: "function", name: "weather", parameters: city, strict: true }, { type: "web_search" }],
      tool_choice: "required",
      parallel_tool_calls: false,
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 4096,
      messages: [
        { role: "user", content: "Weather?" },
        { role: "assistant", content: [toolUse("toolu_call_1", "weather", { city: "Rome" })] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_call_1",
              content: [
                text("see"),
                { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
              ],
            },
          ],
        },
      ],
      tools: [tool("weather", city)],
      tool_choice: { type: "any", disable_parallel_tool_use: true },
    },
    dropped: ["tools[].strict", "tools[].web_search"],
    answer: message(claude, [text("So:"), toolUse("toolu_2", "weather", { city: "Bonn" })], ended("tool_use"), plain),
    given: response(
      {
        ...given,
        parallel_tool_calls: false,
        tools: [{ type: "function", name: "weather", parameters: city, strict: true }, { type: "web_search" }],
        tool_choice: "required",
      },
      [messageItem("msg_new", [outputText("So:")]), callItem("fc_new", "toolu_2", "weather", '{"city":"Bonn"}')],
      completed,
      responsesUsage(5, 2),
    ),
    stream: messageEvents(
      claude,
      [
        [text(""), textDelta("So:")],
        [toolUse("toolu_2", "weather", {}), inputDelta(""), inputDelta('{"city":'), inputDelta('"Bonn"}')],
      ],
      ended("tool_use"),
      [started, last],
    ),
    streamed: responseEvents(
      {
        ...given,
        parallel_tool_calls: false,
        tools: [{ type: "function", name: "weather", parameters: city, strict: true }, { type: "web_search" }],
        tool_choice: "required",
      },
      [streamedText("msg_new", ["So:"]), streamedCall("fc_new", "toolu_2", "weather", ['{"city":', '"Bonn"}'])],
      completed,
      responsesUsage(5, 2),
      true,
    ),
  },
  {
    name: "a refusal",
    source: [...source, pages.claudeStops],
    ...between,
    request: { input: "Bad" },
    upstream: { model: "claude-sonnet-4-5", max_tokens: 4096, messages: [{ role: "user", content: "Bad" }] },
    answer: message(claude, [text("I ")], ended("refusal"), plain),
    given: response(
      given,
      [messageItem("msg_new", [outputText("I ")], "incomplete")],
      incomplete("content_filter"),
      responsesUsage(5, 2),
    ),
    stream: messageEvents(claude, [[text(""), textDelta("I ")]], ended("refusal"), [started, last]),
    streamed: responseEvents(
      given,
      [streamedText("msg_new", ["I "], "incomplete")],
      incomplete("content_filter"),
      responsesUsage(5, 2),
      true,
    ),
  },
];
