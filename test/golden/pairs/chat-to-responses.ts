// A caller of chat completions, answered by OpenAI's Responses.

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
import { pages, type Pair } from "./pair.ts";
import {
  callItem,
  completed,
  incomplete,
  messageItem,
  outputText,
  reasoningItem,
  response,
  responseEvents,
  responsesUsage,
  streamedCall,
  streamedReasoning,
  streamedRefusal,
  streamedText,
} from "./responses-wire.ts";

const between = { caller: "chat-completions", provider: "responses" } as const;
const source = [pages.chat, pages.responses, pages.responsesStream];
const gpt = { id: "resp_1", model: "gpt-5" };
const given = { ...gpt, service_tier: "default", provider: "openai" };
const usage = responsesUsage(5, 2);
const none = { type: "object", properties: {} };
const saidBy = (role: string, ...content: readonly object[]) => ({ type: "message", role, content });
const input = (text: string) => ({ type: "input_text", text });

export const chatToResponses: readonly Pair[] = [
  {
    name: "instructions, images, a PDF by its URL, and what only chats have",
    source: [...source, pages.openAiFiles],
    ...between,
    request: {
      messages: [
        { role: "system", content: "Be brief." },
        {
          role: "user",
          content: [
            { type: "image_url", image_url: { url: "https://example.com/a.png", detail: "high" } },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
            { type: "file", file: { file_url: "https://example.com/a.pdf" } },
            { type: "file", file: { filename: "b.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
            { type: "text", text: "Compare." },
          ],
        },
      ],
      max_completion_tokens: 10,
      temperature: 0.2,
      seed: 1,
      frequency_penalty: 0.5,
      user: "u1",
      metadata: { team: "a" },
      verbosity: "low",
      stream_options: { include_usage: true },
    },
    upstream: {
      model: "gpt-5",
      instructions: "Be brief.",
      input: [
        saidBy(
          "user",
          { type: "input_image", image_url: "https://example.com/a.png", detail: "high" },
          { type: "input_image", image_url: "data:image/png;base64,AAAA" },
          { type: "input_file", file_url: "https://example.com/a.pdf" },
          { type: "input_file", filename: "b.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
          input("Compare."),
        ),
      ],
      max_output_tokens: 16,
      user: "u1",
      metadata: { team: "a" },
      text: { verbosity: "low" },
      include: ["reasoning.encrypted_content"],
      store: false,
    },
    dropped: ["temperature", "seed", "frequency_penalty"],
    answer: response(
      gpt,
      [messageItem("msg_1", [outputText("Alike")], "incomplete")],
      incomplete("max_output_tokens"),
      usage,
    ),
    given: completion(given, [choice({ content: "Alike" }, "length")], chatUsageGiven(5, 2, usage)),
    stream: responseEvents(
      gpt,
      [streamedText("msg_1", ["Al", "ike"], "incomplete")],
      incomplete("max_output_tokens"),
      usage,
      false,
    ),
    streamed: chunks(given, [role, says("Al"), says("ike")], [["length"]], chatUsageGiven(5, 2, usage)),
  },
  {
    name: "parallel calls and results that are images",
    source,
    ...between,
    request: {
      messages: [
        { role: "user", content: "Draw" },
        { role: "assistant", content: "I will.", tool_calls: [toolCall("call_1", "draw", '{"n":1}')] },
        {
          role: "tool",
          tool_call_id: "call_1",
          content: [
            { type: "text", text: "done" },
            { type: "image_url", image_url: { url: "data:image/png;base64,AAAA" } },
          ],
        },
      ],
      tools: [functionTool("draw", none, { strict: true }), functionTool("erase", none)],
      tool_choice: "required",
      parallel_tool_calls: true,
    },
    upstream: {
      model: "gpt-5",
      input: [
        saidBy("user", input("Draw")),
        saidBy("assistant", { type: "output_text", text: "I will." }),
        { type: "function_call", call_id: "call_1", name: "draw", arguments: '{"n":1}' },
        {
          type: "function_call_output",
          call_id: "call_1",
          output: [input("done"), { type: "input_image", image_url: "data:image/png;base64,AAAA" }],
        },
      ],
      tools: [
        { type: "function", name: "draw", parameters: none, strict: true },
        { type: "function", name: "erase", parameters: none, strict: false },
      ],
      tool_choice: "required",
      parallel_tool_calls: true,
      include: ["reasoning.encrypted_content"],
      store: false,
    },
    answer: response(
      gpt,
      [callItem("fc_1", "call_2", "draw", '{"n":2}'), callItem("fc_2", "call_3", "erase", "{}")],
      completed,
      usage,
    ),
    given: completion(
      given,
      [
        choice(
          { content: null, tool_calls: [toolCall("call_2", "draw", '{"n":2}'), toolCall("call_3", "erase", "{}")] },
          "tool_calls",
        ),
      ],
      chatUsageGiven(5, 2, usage),
    ),
    stream: responseEvents(
      gpt,
      [streamedCall("fc_1", "call_2", "draw", ['{"n"', ":2}"]), streamedCall("fc_2", "call_3", "erase", ["{}"])],
      completed,
      usage,
      false,
    ),
    streamed: chunks(
      given,
      [
        role,
        calls(0, "call_2", "draw"),
        argues(0, '{"n"'),
        argues(0, ":2}"),
        calls(1, "call_3", "erase"),
        argues(1, "{}"),
      ],
      [["tool_calls"]],
    ),
  },
  {
    name: "encrypted reasoning, there and back",
    source: [...source, pages.openAiReasoning],
    ...between,
    request: {
      messages: [
        { role: "user", content: "2+2?" },
        {
          role: "assistant",
          content: "4",
          extra_content: { openai: { reasoning_items: [{ id: "rs_0", encrypted_content: "E0", summary: "Twos" }] } },
        },
        { role: "user", content: "3+3?" },
      ],
      reasoning_effort: "high",
    },
    upstream: {
      model: "gpt-5",
      input: [
        saidBy("user", input("2+2?")),
        {
          type: "reasoning",
          id: "rs_0",
          summary: [{ type: "summary_text", text: "Twos" }],
          encrypted_content: "E0",
        },
        saidBy("assistant", { type: "output_text", text: "4" }),
        saidBy("user", input("3+3?")),
      ],
      reasoning: { effort: "high" },
      include: ["reasoning.encrypted_content"],
      store: false,
    },
    answer: response(
      gpt,
      [reasoningItem("rs_1", "Threes", { encrypted_content: "E1" }), messageItem("msg_1", [outputText("6")])],
      completed,
      responsesUsage(5, 2, { cached: 3, reasoning: 1 }),
    ),
    given: completion(
      given,
      [
        choice(
          {
            content: "6",
            reasoning_content: "Threes",
            extra_content: {
              openai: { reasoning_items: [{ id: "rs_1", encrypted_content: "E1", summary: "Threes" }] },
            },
          },
          "stop",
        ),
      ],
      chatUsageGiven(5, 2, responsesUsage(5, 2, { cached: 3, reasoning: 1 }), {
        prompt: { cached_tokens: 3 },
        completion: { reasoning_tokens: 1 },
      }),
    ),
    stream: responseEvents(
      gpt,
      [streamedReasoning("rs_1", ["Thr", "ees"], { encrypted_content: "E1" }), streamedText("msg_1", ["6"])],
      completed,
      usage,
      false,
    ),
    streamed: chunks(
      given,
      [
        role,
        [{ reasoning_content: "Thr" }],
        [{ reasoning_content: "ees" }],
        [
          {
            extra_content: {
              openai: { reasoning_items: [{ id: "rs_1", encrypted_content: "E1", summary: "Threes" }] },
            },
          },
        ],
        says("6"),
      ],
      [["stop"]],
    ),
  },
  {
    name: "structured output that is refused",
    source,
    ...between,
    request: {
      messages: [{ role: "user", content: "How to?" }],
      response_format: { type: "json_schema", json_schema: { name: "how", schema: none, strict: true } },
      tools: [functionTool("f", none)],
      tool_choice: {
        type: "allowed_tools",
        allowed_tools: { mode: "auto", tools: [{ type: "function", function: { name: "f" } }] },
      },
    },
    upstream: {
      model: "gpt-5",
      input: [saidBy("user", input("How to?"))],
      text: { format: { type: "json_schema", name: "how", schema: none, strict: true } },
      tools: [{ type: "function", name: "f", parameters: none, strict: false }],
      tool_choice: { type: "allowed_tools", mode: "auto", tools: [{ type: "function", name: "f" }] },
      include: ["reasoning.encrypted_content"],
      store: false,
    },
    answer: response(gpt, [messageItem("msg_1", [{ type: "refusal", refusal: "No." }])], completed, usage),
    given: completion(given, [choice({ content: null, refusal: "No." }, "stop")], chatUsageGiven(5, 2, usage)),
    stream: responseEvents(gpt, [streamedRefusal("msg_1", ["N", "o."])], completed, usage, false),
    streamed: chunks(given, [role, [{ refusal: "N" }], [{ refusal: "o." }]], [["stop"]]),
  },
];
