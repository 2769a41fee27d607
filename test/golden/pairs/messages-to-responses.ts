// A caller of Messages, answered by OpenAI's Responses.

import {
  ended,
  estimated,
  inputDelta,
  message,
  messageEvents,
  messagesUsage,
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

const between = { caller: "messages", provider: "responses" } as const;
const source = [pages.messages, pages.messagesStream, pages.responses, pages.responsesStream];
const gpt = { id: "resp_1", model: "gpt-5" };
const given = { id: "msg_resp_1", model: "gpt-5", provider: "openai" };
const tier = { service_tier: "default" };
const usage = responsesUsage(5, 2);
const none = { type: "object", properties: {} };
const saidBy = (role: string, ...content: readonly object[]) => ({ type: "message", role, content });
const input = (said: string) => ({ type: "input_text", text: said });
const state = (id: string, value: string) => marked({ issuer: "openai", kind: "encrypted", value, id });
const kept = { include: ["reasoning.encrypted_content"], store: false };

export const messagesToResponses: readonly Pair[] = [
  {
    name: "a stop sequence that the gateway cuts at, as Responses has none",
    source: [...source, pages.claudeStops],
    ...between,
    request: {
      max_tokens: 50,
      system: "Count.",
      messages: [{ role: "user", content: "Go" }],
      stop_sequences: ["three"],
      temperature: 0.5,
      top_k: 3,
      metadata: { user_id: "session_1" },
    },
    upstream: {
      model: "gpt-5",
      instructions: "Count.",
      input: [saidBy("user", input("Go"))],
      max_output_tokens: 50,
      ...kept,
    },
    dropped: ["metadata.user_id", "temperature", "top_k"],
    answer: response(gpt, [messageItem("msg_1", [outputText("one two three four")])], completed, usage),
    given: message(given, [text("one two ")], ended("stop_sequence", "three"), { ...messagesUsage(5, 2), ...tier }),
    stream: responseEvents(gpt, [streamedText("msg_1", ["one", " two ", "three", " four"])], completed, usage, false),
    streamed: messageEvents(
      given,
      [[text(""), textDelta("one"), textDelta(" two ")]],
      ended("stop_sequence", "three"),
      [{ ...estimated, ...tier }, messagesUsage(5, 2)],
    ),
  },
  {
    name: "images and documents in results, a forced tool and parallel calls",
    source: [...source, pages.claudeTools],
    ...between,
    request: {
      max_tokens: 50,
      messages: [
        { role: "user", content: "Draw" },
        { role: "assistant", content: [toolUse("toolu_1", "draw", { n: 1 })] },
        {
          role: "user",
          content: [
            {
              type: "tool_result",
              tool_use_id: "toolu_1",
              content: [
                text("done"),
                { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
                {
                  type: "document",
                  source: { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
                  title: "a.pdf",
                },
              ],
              is_error: true,
            },
          ],
        },
      ],
      tools: [tool("draw", none), tool("erase", none, { cache_control: { type: "ephemeral" } })],
      tool_choice: { type: "tool", name: "draw", disable_parallel_tool_use: true },
    },
    upstream: {
      model: "gpt-5",
      input: [
        saidBy("user", input("Draw")),
        { type: "function_call", call_id: "toolu_1", name: "draw", arguments: '{"n":1}' },
        {
          type: "function_call_output",
          call_id: "toolu_1",
          output: [
            input("done"),
            { type: "input_image", image_url: "data:image/png;base64,AAAA" },
            { type: "input_file", filename: "a.pdf", file_data: "data:application/pdf;base64,JVBERi0=" },
          ],
        },
      ],
      tools: [
        { type: "function", name: "draw", parameters: none, strict: false },
        { type: "function", name: "erase", parameters: none, strict: false },
      ],
      tool_choice: { type: "function", name: "draw" },
      parallel_tool_calls: false,
      max_output_tokens: 50,
      ...kept,
    },
    dropped: ["is_error", "cache_control"],
    answer: response(
      gpt,
      [
        messageItem("msg_1", [outputText("Again.")]),
        callItem("fc_1", "call_2", "draw", '{"n":12345678901234567890}'),
        callItem("fc_2", "call_3", "erase", ""),
      ],
      completed,
      usage,
    ),
    given: message(
      given,
      [text("Again."), toolUse("call_2", "draw", { n: 12_345_678_901_234_567_000 }), toolUse("call_3", "erase", {})],
      ended("tool_use"),
      { ...messagesUsage(5, 2), ...tier },
    ),
    stream: responseEvents(
      gpt,
      [
        streamedText("msg_1", ["Again."]),
        streamedCall("fc_1", "call_2", "draw", ['{"n":', "2}"]),
        streamedCall("fc_2", "call_3", "erase", []),
      ],
      completed,
      usage,
      false,
    ),
    streamed: messageEvents(
      given,
      [
        [text(""), textDelta("Again.")],
        [toolUse("call_2", "draw", {}), inputDelta('{"n":'), inputDelta("2}")],
        [toolUse("call_3", "erase", {}), inputDelta("{}")],
      ],
      ended("tool_use"),
      [{ ...estimated, ...tier }, messagesUsage(5, 2)],
    ),
  },
  {
    name: "OpenAI's encrypted reasoning in the place of signatures, there and back",
    source: [...source, pages.claudeThinking, pages.openAiReasoning],
    ...between,
    request: {
      max_tokens: 9000,
      thinking: { type: "adaptive", display: "summarized" },
      output_config: { effort: "high" },
      messages: [
        { role: "user", content: "2+2?" },
        {
          role: "assistant",
          content: [
            thinking("Twos", state("rs_0", "E0")),
            thinking("not OpenAI's", "S1"),
            { type: "redacted_thinking", data: state("rs_9", "E9") },
            text("4"),
          ],
        },
        { role: "user", content: "3+3?" },
      ],
    },
    upstream: {
      model: "gpt-5",
      input: [
        saidBy("user", input("2+2?")),
        { type: "reasoning", id: "rs_0", summary: [{ type: "summary_text", text: "Twos" }], encrypted_content: "E0" },
        { type: "reasoning", id: "rs_9", summary: [], encrypted_content: "E9" },
        saidBy("assistant", { type: "output_text", text: "4" }),
        saidBy("user", input("3+3?")),
      ],
      reasoning: { effort: "high", summary: "auto" },
      max_output_tokens: 9000,
      ...kept,
    },
    answer: response(
      gpt,
      [
        reasoningItem("rs_1", "Threes", { encrypted_content: "E1" }),
        reasoningItem("rs_2", "", { encrypted_content: "E2" }),
        messageItem("msg_1", [outputText("6")], "incomplete"),
      ],
      incomplete("max_output_tokens"),
      responsesUsage(50, 9, { cached: 30, written: 10, reasoning: 8 }),
    ),
    given: message(
      given,
      [thinking("Threes", state("rs_1", "E1")), { type: "redacted_thinking", data: state("rs_2", "E2") }, text("6")],
      ended("max_tokens"),
      {
        input_tokens: 10,
        cache_creation_input_tokens: 10,
        cache_read_input_tokens: 30,
        output_tokens: 9,
        output_tokens_details: { thinking_tokens: 8 },
        ...tier,
      },
    ),
    stream: responseEvents(
      gpt,
      [
        streamedReasoning("rs_1", ["Thr", "ees"], { encrypted_content: "E1" }),
        streamedReasoning("rs_2", [], { encrypted_content: "E2" }),
        streamedText("msg_1", ["6"], "incomplete"),
      ],
      incomplete("max_output_tokens"),
      usage,
      false,
    ),
    streamed: messageEvents(
      given,
      [
        [thinking("", ""), thinkingDelta("Thr"), thinkingDelta("ees"), signatureDelta(state("rs_1", "E1"))],
        [{ type: "redacted_thinking", data: state("rs_2", "E2") }],
        [text(""), textDelta("6")],
      ],
      ended("max_tokens"),
      [{ ...estimated, ...tier }, messagesUsage(5, 2)],
    ),
  },
];
