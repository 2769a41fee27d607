// A caller of Messages, answered by a provider that speaks chat completions.

import {
  argues,
  calls,
  chatUsage,
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
  estimated,
  inputDelta,
  message,
  messageEvents,
  messagesUsage,
  text,
  textDelta,
  thinking,
  thinkingDelta,
  tool,
  toolUse,
} from "./messages-wire.ts";
import { openAiChat, pages, type Pair } from "./pair.ts";

const between = { caller: "messages", provider: "chat-completions" } as const;
const source = [pages.messages, pages.messagesStream, pages.chat, pages.chatStream];
const llama = { id: "chatcmpl-1", model: "llama-3.3-70b" };
const given = { id: "msg_chatcmpl-1", model: "llama-3.3-70b", provider: "groq" };
const usage = chatUsage(5, 2);
const city = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
};

export const messagesToChat: readonly Pair[] = [
  {
    name: "system blocks with cache hints, several turns, and what a chat has no word for",
    source,
    ...between,
    request: {
      max_tokens: 50,
      system: [
        { type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } },
        { type: "text", text: "Be kind." },
      ],
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: [text("Hello")] },
        { role: "user", content: [text("One"), text("two")] },
      ],
      temperature: 0.5,
      top_p: 0.9,
      top_k: 5,
      stop_sequences: ["END"],
      metadata: { user_id: "session_1" },
      service_tier: "auto",
    },
    upstream: {
      model: "llama-3.3-70b",
      max_tokens: 50,
      messages: [
        { role: "system", content: "Be brief.\n\nBe kind." },
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello" },
        { role: "user", content: "One\n\ntwo" },
      ],
      temperature: 0.5,
      top_p: 0.9,
      stop: ["END"],
    },
    dropped: ["cache_control", "top_k"],
    answer: completion(llama, [choice({ content: "Yes" }, "stop")], usage),
    given: message(given, [text("Yes")], ended("end_turn"), messagesUsage(5, 2)),
    stream: chunks(llama, [role, says("Y"), says("es")], [["stop"]], usage),
    streamed: messageEvents(given, [[text(""), textDelta("Y"), textDelta("es")]], ended("end_turn"), [
      estimated,
      messagesUsage(5, 2),
    ]),
  },
  {
    name: "an image, a PDF and a text document for OpenAI, answered from the cache",
    source: [...source, pages.claudeVision, pages.claudePdf, pages.openAiFiles],
    ...between,
    target: openAiChat,
    request: {
      max_tokens: 50,
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
              citations: { enabled: true },
            },
            { type: "document", source: { type: "text", media_type: "text/plain", data: "Once." }, title: "tale" },
            text("Tell."),
          ],
        },
      ],
    },
    upstream: {
      model: "gpt-4.1",
      max_tokens: 50,
      messages: [
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "https://example.com/a.png" } },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
            { type: "file", file: { filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
            { type: "text", text: "tale\n\nOnce." },
            { type: "text", text: "Tell." },
          ],
        },
      ],
    },
    answer: completion(
      llama,
      [choice({ content: "Told" }, "length")],
      chatUsage(100, 2, { prompt_tokens_details: { cached_tokens: 60 } }),
    ),
    given: message({ ...given, provider: "openai" }, [text("Told")], ended("max_tokens"), {
      ...messagesUsage(40, 2),
      cache_read_input_tokens: 60,
    }),
    stream: chunks(
      llama,
      [role, says("Told")],
      [["length"]],
      chatUsage(100, 2, { prompt_tokens_details: { cached_tokens: 60 } }),
    ),
    streamed: messageEvents({ ...given, provider: "openai" }, [[text(""), textDelta("Told")]], ended("max_tokens"), [
      estimated,
      { ...messagesUsage(40, 2), cache_read_input_tokens: 60 },
    ]),
  },
  {
    name: "results with an error and an image, and parallel calls whose pieces alternate",
    source: [...source, pages.claudeTools],
    ...between,
    request: {
      max_tokens: 50,
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: [
            text("Let me look."),
            toolUse("toolu_1", "weather", { city: "Rome" }),
            toolUse("toolu_2", "weather", { city: "Oslo" }),
          ],
        },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              content: [text("sunny"), { type: "image", source: { type: "url", url: "https://example.com/a.png" } }],
            },
            { type: "tool_result", tool_use_id: "toolu_2", is_error: true },
            text("And Bonn?"),
          ],
        },
      ],
      tools: [tool("weather", city, { description: "Tells it" })],
      tool_choice: { type: "any", disable_parallel_tool_use: false },
    },
    upstream: {
      model: "llama-3.3-70b",
      max_tokens: 50,
      messages: [
        { role: "user", content: "Weather?" },
        {
          role: "assistant",
          content: "Let me look.",
          tool_calls: [
            toolCall("toolu_1", "weather", '{"city":"Rome"}'),
            toolCall("toolu_2", "weather", '{"city":"Oslo"}'),
          ],
        },
        { role: "tool", tool_call_id: "toolu_1", content: "sunny" },
        { role: "tool", tool_call_id: "toolu_2", content: "error" },
        { role: "user", content: "And Bonn?" },
      ],
      tools: [functionTool("weather", city, { description: "Tells it" })],
      tool_choice: "required",
      parallel_tool_calls: true,
    },
    dropped: ["images and files in tool results", "is_error"],
    answer: completion(
      llama,
      [
        choice(
          {
            content: null,
            tool_calls: [toolCall("a", "weather", '{"city":"Bonn"}'), toolCall("b", "weather", "{oops")],
          },
          "stop",
        ),
      ],
      usage,
    ),
    given: message(
      given,
      [toolUse("a", "weather", { city: "Bonn" }), toolUse("b", "weather", { INVALID_JSON: "{oops" })],
      ended("tool_use"),
      messagesUsage(5, 2),
    ),
    stream: chunks(
      llama,
      [
        role,
        calls(0, "a", "weather"),
        calls(1, "b", "weather"),
        argues(0, '{"city":'),
        argues(1, '{"city":'),
        argues(0, '"Bonn"}'),
        argues(1, '"Kiel"}'),
      ],
      [["tool_calls"]],
      usage,
    ),
    streamed: messageEvents(
      given,
      [
        [toolUse("a", "weather", {}), inputDelta('{"city":'), inputDelta('"Bonn"}')],
        [toolUse("b", "weather", {}), inputDelta('{"city":'), inputDelta('"Kiel"}')],
      ],
      ended("tool_use"),
      [estimated, messagesUsage(5, 2)],
    ),
  },
  {
    name: "thinking asked for, thoughts without a signature given",
    source: [...source, pages.claudeThinking],
    ...between,
    request: {
      max_tokens: 20_000,
      thinking: { type: "enabled", budget_tokens: 12_000 },
      messages: [
        { role: "user", content: "2+2?" },
        {
          role: "assistant",
          content: [thinking("two twos", "S1"), { type: "redacted_thinking", data: "R1" }, text("4")],
        },
        { role: "user", content: "3+3?" },
      ],
    },
    upstream: {
      model: "llama-3.3-70b",
      max_tokens: 20_000,
      messages: [
        { role: "user", content: "2+2?" },
        { role: "assistant", content: "4" },
        { role: "user", content: "3+3?" },
      ],
      reasoning_effort: "medium",
    },
    answer: completion(
      llama,
      [choice({ content: "6", reasoning_content: "two threes" }, "stop")],
      chatUsage(5, 4, { completion_tokens_details: { reasoning_tokens: 3 } }),
    ),
    given: message(given, [thinking("two threes", ""), text("6")], ended("end_turn"), {
      ...messagesUsage(5, 4),
      output_tokens_details: { thinking_tokens: 3 },
    }),
    stream: chunks(
      llama,
      [role, [{ reasoning_content: "two " }], [{ reasoning_content: "threes" }], says("6")],
      [["stop"]],
      usage,
    ),
    streamed: messageEvents(
      given,
      [
        [thinking("", ""), thinkingDelta("two "), thinkingDelta("threes")],
        [text(""), textDelta("6")],
      ],
      ended("end_turn"),
      [estimated, messagesUsage(5, 2)],
    ),
  },
  {
    name: "structured output, and an answer that a filter ended",
    source: [...source, pages.claudeFormat, pages.claudeStops],
    ...between,
    request: {
      max_tokens: 50,
      messages: [{ role: "user", content: "A city" }],
      output_config: { format: { type: "json_schema", schema: city }, effort: "low" },
    },
    upstream: {
      model: "llama-3.3-70b",
      max_tokens: 50,
      messages: [{ role: "user", content: "A city" }],
      reasoning_effort: "low",
      response_format: { type: "json_schema", json_schema: { name: "response", schema: city, strict: true } },
    },
    answer: completion(llama, [choice({ content: '{"c' }, "content_filter")], usage),
    given: message(given, [text('{"c')], ended("refusal"), messagesUsage(5, 2)),
    stream: chunks(llama, [role, says('{"c')], [["content_filter"]], usage),
    streamed: messageEvents(given, [[text(""), textDelta('{"c')]], ended("refusal"), [estimated, messagesUsage(5, 2)]),
  },
];
