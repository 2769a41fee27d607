// A caller of chat completions, answered by Anthropic.

import {
  argues,
  calls,
  chatUsageGiven,
  choice,
  chunks,
  completion,
  functionTool,
  role,
  says,
  toolCall,
} from "./chat-wire.ts";
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

const between = { caller: "chat-completions", provider: "messages" } as const;
const claude = { id: "msg_1", model: "claude-sonnet-4-5" };
const given = { ...claude, provider: "anthropic" };
const plain = { input_tokens: 5, output_tokens: 2 };
const started = { input_tokens: 5, output_tokens: 1 };
const city = { type: "object", properties: { city: { type: "string" } }, required: ["city"] };
const withUsage = { stream_options: { include_usage: true } };

export const chatToMessages: readonly Pair[] = [
  {
    name: "system, several turns and sampling",
    source: [pages.chat, pages.messages],
    ...between,
    request: {
      messages: [
        { role: "system", content: "Be brief." },
        { role: "developer", content: "In English." },
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: [{ type: "text", text: "And?" }] },
      ],
      max_completion_tokens: 100,
      temperature: 1.5,
      stop: "END",
      seed: 7,
      user: "u1",
      ...withUsage,
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      system: "Be brief.\n\nIn English.",
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "And?" },
      ],
      temperature: 1,
      stop_sequences: ["END"],
      metadata: { user_id: "u1" },
    },
    dropped: ["seed", "temperature"],
    answer: message(claude, [text("Well")], ended("stop_sequence", "END"), plain),
    given: completion(given, [choice({ content: "Well" }, "stop")], chatUsageGiven(5, 2, plain)),
    stream: messageEvents(claude, [[text(""), textDelta("We"), textDelta("ll")]], ended("stop_sequence", "END"), [
      started,
      { output_tokens: 2 },
    ]),
    streamed: chunks(given, [role, says("We"), says("ll")], [["stop"]], chatUsageGiven(5, 2, plain)),
  },
  {
    name: "parallel calls, their results and an error",
    source: [pages.chat, pages.claudeTools],
    ...between,
    request: {
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: null,
          tool_calls: [toolCall("call_1", "weather", '{"city":"Rome"}'), toolCall("call_2", "weather", "")],
        },
        { role: "tool", tool_call_id: "call_1", content: "sunny" },
        {
          role: "tool",
          tool_call_id: "call_2",
          content: "no city",
          extra_content: { anthropic: { is_error: true } },
        },
      ],
      tools: [functionTool("weather", city, { description: "Tells it" })],
      tool_choice: { type: "function", function: { name: "weather" } },
      parallel_tool_calls: false,
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 4096,
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: [toolUse("call_1", "weather", { city: "Rome" }), toolUse("call_2", "weather", {})],
        },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_1", content: "sunny" },
            { type: "tool_result", tool_use_id: "call_2", content: "no city", is_error: true },
          ],
        },
      ],
      tools: [tool("weather", city, { description: "Tells it" })],
      tool_choice: { type: "tool", name: "weather", disable_parallel_tool_use: true },
    },
    answer: message(
      claude,
      [text("Once more."), toolUse("toolu_1", "weather", { city: "Oslo" }), toolUse("toolu_2", "weather", {})],
      ended("tool_use"),
      plain,
    ),
    given: completion(
      given,
      [
        choice(
          {
            content: "Once more.",
            tool_calls: [toolCall("toolu_1", "weather", '{"city":"Oslo"}'), toolCall("toolu_2", "weather", "{}")],
          },
          "tool_calls",
        ),
      ],
      chatUsageGiven(5, 2, plain),
    ),
    stream: messageEvents(
      claude,
      [
        [text(""), textDelta("Once more.")],
        [toolUse("toolu_1", "weather", {}), inputDelta(""), inputDelta('{"city":'), inputDelta('"Oslo"}')],
        [toolUse("toolu_2", "weather", {})],
      ],
      ended("tool_use"),
      [started, { output_tokens: 2 }],
    ),
    streamed: chunks(
      given,
      [
        role,
        says("Once more."),
        calls(0, "toolu_1", "weather"),
        argues(0, '{"city":'),
        argues(0, '"Oslo"}'),
        calls(1, "toolu_2", "weather"),
        argues(1, "{}"),
      ],
      [["tool_calls"]],
    ),
  },
  {
    name: "thinking with its signatures, there and back",
    source: [pages.chat, pages.claudeThinking],
    ...between,
    request: {
      messages: [
        { role: "user", content: "2+2?" },
        {
          role: "assistant",
          content: "4",
          reasoning_content: "two twos",
          extra_content: {
            anthropic: {
              thinking_blocks: [
                { type: "thinking", thinking: "two twos", signature: "S1" },
                { type: "redacted_thinking", data: "R1" },
              ],
            },
            google: { thought_signature: "for Google only" },
          },
        },
        { role: "user", content: "And 3+3?" },
      ],
      reasoning_effort: "medium",
      max_tokens: 500,
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 11_024,
      messages: [
        { role: "user", content: "2+2?" },
        {
          role: "assistant",
          content: [thinking("two twos", "S1"), { type: "redacted_thinking", data: "R1" }, text("4")],
        },
        { role: "user", content: "And 3+3?" },
      ],
      thinking: { type: "enabled", budget_tokens: 10_000 },
    },
    answer: message(
      claude,
      [thinking("two threes", "S2"), { type: "redacted_thinking", data: "R2" }, text("6")],
      ended("end_turn"),
      plain,
    ),
    given: completion(
      given,
      [
        choice(
          {
            content: "6",
            reasoning_content: "two threes",
            extra_content: {
              anthropic: {
                thinking_blocks: [thinking("two threes", "S2"), { type: "redacted_thinking", data: "R2" }],
              },
            },
          },
          "stop",
        ),
      ],
      chatUsageGiven(5, 2, plain),
    ),
    stream: messageEvents(
      claude,
      [
        [thinking("", ""), thinkingDelta("two "), thinkingDelta("threes"), signatureDelta("S2")],
        [{ type: "redacted_thinking", data: "R2" }],
        [text(""), textDelta("6")],
      ],
      ended("end_turn"),
      [started, { output_tokens: 2 }],
    ),
    streamed: chunks(
      given,
      [
        role,
        [{ reasoning_content: "two " }],
        [{ reasoning_content: "threes" }],
        [{ extra_content: { anthropic: { thinking_blocks: [thinking("two threes", "S2")] } } }],
        [
          {
            extra_content: {
              anthropic: { thinking_blocks: [thinking("two threes", "S2"), { type: "redacted_thinking", data: "R2" }] },
            },
          },
        ],
        says("6"),
      ],
      [["stop"]],
    ),
  },
  {
    name: "images by URL and as data, a PDF, and what the cache gave",
    source: [pages.chat, pages.claudeVision, pages.claudePdf, pages.claudeCache],
    ...between,
    request: {
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "low" } },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
            { type: "text", text: "What are these?", cache_control: { type: "ephemeral" } },
          ],
        },
      ],
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 4096,
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
            { type: "text", text: "What are these?", cache_control: { type: "ephemeral" } },
          ],
        },
      ],
    },
    dropped: ["image_url.detail"],
    answer: message(claude, [text("Cats 😺")], ended("end_turn"), {
      input_tokens: 10,
      cache_creation_input_tokens: 100,
      cache_read_input_tokens: 1000,
      output_tokens: 20,
    }),
    given: completion(
      given,
      [choice({ content: "Cats 😺" }, "stop")],
      chatUsageGiven(
        1110,
        20,
        {
          input_tokens: 10,
          cache_creation_input_tokens: 100,
          cache_read_input_tokens: 1000,
          output_tokens: 20,
        },
        { prompt: { cached_tokens: 1000, cache_write_tokens: 100 } },
      ),
    ),
    stream: messageEvents(claude, [[text(""), textDelta("Cats 😺")]], ended("end_turn"), [
      { input_tokens: 10, cache_creation_input_tokens: 100, cache_read_input_tokens: 1000, output_tokens: 1 },
      { output_tokens: 20 },
    ]),
    streamed: chunks(given, [role, says("Cats 😺")], [["stop"]]),
  },
  {
    name: "structured output, and a limit that was reached",
    source: [pages.chat, pages.claudeFormat, pages.claudeStops],
    ...between,
    request: {
      messages: [{ role: "user", content: "A city" }],
      max_tokens: 5,
      response_format: {
        type: "json_schema",
        json_schema: {
          name: "place",
          schema: { type: "object", properties: { at: { type: "object" } } },
          strict: true,
        },
      },
    },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 5,
      messages: [{ role: "user", content: "A city" }],
      output_config: {
        format: {
          type: "json_schema",
          schema: {
            type: "object",
            properties: { at: { type: "object", additionalProperties: false } },
            additionalProperties: false,
          },
        },
      },
    },
    answer: message(claude, [text('{"at":')], ended("max_tokens"), plain),
    given: completion(given, [choice({ content: '{"at":' }, "length")], chatUsageGiven(5, 2, plain)),
    stream: messageEvents(claude, [[text(""), textDelta('{"at":')]], ended("max_tokens"), [
      started,
      { output_tokens: 2 },
    ]),
    streamed: chunks(given, [role, says('{"at":')], [["length"]]),
  },
  {
    name: "a refusal with nothing said",
    source: [pages.chat, pages.claudeStops],
    ...between,
    request: { messages: [{ role: "user", content: "Something bad" }] },
    upstream: {
      model: "claude-sonnet-4-5",
      max_tokens: 4096,
      messages: [{ role: "user", content: "Something bad" }],
    },
    answer: message(claude, [], ended("refusal"), plain),
    given: completion(given, [choice({ content: "" }, "content_filter")], chatUsageGiven(5, 2, plain)),
    stream: messageEvents(claude, [], ended("refusal"), [started, { output_tokens: 2 }]),
    streamed: chunks(given, [role], [["content_filter"]]),
  },
];
