// Estimates of whole prompts beside what the providers' own pages say that they count.

import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import type { ChatMessage, ChatRequest } from "../../core/chat-request.ts";
import { estimateInputTokens } from "./estimate-tokens.ts";

function request(fields: Partial<ChatRequest>): ChatRequest {
  return {
    dialect: "messages",
    model: "m",
    stream: false,
    wantsStreamUsage: false,
    messages: [],
    tools: [],
    own: [],
    unknown: {},
    ...fields,
  };
}

function said(role: "system" | "user" | "assistant", text: string, name?: string): ChatMessage {
  return { role, parts: [{ kind: "text", text }], ...(name === undefined ? {} : { name }) };
}

const weatherTool = {
  kind: "function",
  name: "get_weather",
  description: "Get the current weather in a given location",
  parameters: {
    type: "object",
    properties: { location: { type: "string", description: "The city and state, e.g. San Francisco, CA" } },
    required: ["location"],
  },
} as const;
const weather = said("user", "What's the weather like in San Francisco?");

describe("examples of the providers, within a twentieth", () => {
  test.each<[string, number, ChatRequest]>([
    [
      "https://platform.claude.com/docs/en/build-with-claude/token-counting: a message",
      14,
      request({ messages: [said("system", "You are a scientist"), said("user", "Hello, Claude")] }),
    ],
    [
      "https://platform.claude.com/docs/en/build-with-claude/token-counting: a tool",
      403,
      request({ messages: [weather], tools: [weatherTool] }),
    ],
    [
      "https://github.com/openai/openai-cookbook, How_to_count_tokens_with_tiktoken: counted by the OpenAI API",
      129,
      request({
        dialect: "chat-completions",
        messages: [
          said(
            "system",
            "You are a helpful, pattern-following assistant that translates corporate jargon into plain English.",
          ),
          said("system", "New synergies will help drive top-line growth.", "example_user"),
          said("system", "Things working well together will increase revenue.", "example_assistant"),
          said(
            "system",
            "Let's circle back when we have more bandwidth to touch base on opportunities for increased leverage.",
            "example_user",
          ),
          said("system", "Let's talk later when we're less busy about how to do better.", "example_assistant"),
          said("user", "This late pivot means we don't have time to boil the ocean for the client deliverable."),
        ],
      }),
    ],
  ])("%s: %d", (_, counted, example) => {
    expect(Math.abs(estimateInputTokens(example) / counted - 1)).toBeLessThan(0.05);
  });
});

/** What `added` costs beside `base`. */
function more(base: Partial<ChatRequest>, added: Partial<ChatRequest>): number {
  return estimateInputTokens(request({ ...base, ...added })) - estimateInputTokens(request(base));
}

describe("framing", () => {
  test("an empty request is the beginning of an answer", () => {
    expect(estimateInputTokens(request({}))).toBe(3);
  });

  test("Anthropic's tools have a prompt of their own, a smaller one when a tool has to be called; OpenAI's have next to none", () => {
    const tools = [weatherTool];
    const auto = more({ messages: [weather] }, { tools });
    const forced = more({ messages: [weather] }, { tools, toolChoice: { kind: "required" } });
    const named = { kind: "named", toolKind: "function", name: "get_weather" } as const;
    expect(auto - forced).toBe(346 - 313);
    expect(more({ messages: [weather] }, { tools, toolChoice: named })).toBe(forced);
    const openai = more({ dialect: "chat-completions", messages: [weather] }, { dialect: "chat-completions", tools });
    expect(auto - openai).toBe(346 - 12);
  });

  test("a second tool does not bring the prompt again", () => {
    const second = more({ tools: [weatherTool] }, { tools: [weatherTool, { ...weatherTool, name: "get_time" }] });
    expect(second).toBeGreaterThan(40);
    expect(second).toBeLessThan(90);
  });
});

describe("what the history holds", () => {
  const user = said("user", "Hello");
  const thought: ChatMessage = {
    role: "assistant",
    parts: [{ kind: "reasoning", text: "a thought of eight or so words here" }],
  };
  const hidden: ChatMessage = {
    role: "assistant",
    parts: [
      { kind: "reasoning", text: "", state: { issuer: "openai", kind: "encrypted", value: "x".repeat(600) } },
      { kind: "reasoning", text: "", state: { issuer: "anthropic", kind: "redacted", value: "x".repeat(600) } },
    ],
  };
  const result: ChatMessage = {
    role: "tool",
    callId: "c",
    toolKind: "function",
    isError: false,
    parts: [
      { kind: "text", text: "sunny" },
      { kind: "image", source: { from: "url", url: "https://example.com/a.png" } },
    ],
  };

  test("reasoning counts after the caller's last message, and not before", () => {
    expect(more({ messages: [user] }, { messages: [user, thought] })).toBe(12);
    expect(more({ messages: [user, user] }, { messages: [user, thought, user] })).toBe(4);
    expect(more({ messages: [user] }, { messages: [user, hidden] })).toBe(204);
    expect(more({ messages: [user, user] }, { messages: [user, hidden, user] })).toBe(4);
  });

  test("calls count with name and arguments, results with all that is in them", () => {
    const call: ChatMessage = {
      role: "assistant",
      parts: [
        { kind: "tool-call", id: "c", name: "get_weather", arguments: '{"location":"Paris"}', toolKind: "function" },
      ],
    };
    const calls = more({ messages: [user] }, { messages: [user, call] });
    expect(calls).toBeGreaterThan(15);
    expect(calls).toBeLessThan(25);
    const results = more({ messages: [user, call] }, { messages: [user, call, result] });
    expect(results).toBeGreaterThanOrEqual(1568 + 8);
    expect(results).toBeLessThan(1568 + 14);
  });

  test("blocks of one dialect and schemas of answers count as the JSON that they are", () => {
    const opaque: ChatMessage = {
      role: "user",
      parts: [{ kind: "opaque", dialect: "messages", type: "search_result", value: { text: "word ".repeat(1000) } }],
    };
    expect(more({}, { messages: [opaque] })).toBeGreaterThan(800);
    const format = { kind: "json-schema", name: "answer", schema: weatherTool.parameters } as const;
    expect(more({}, { format })).toBeGreaterThan(25);
    expect(more({}, { format })).toBeLessThan(50);
  });

  test("what cannot be written as JSON counts nothing", () => {
    const circular: Record<string, unknown> = {};
    circular["self"] = circular;
    const own = { kind: "opaque", dialect: "messages", type: "x" } as const;
    const parts = [
      { ...own, value: circular },
      { ...own, value: undefined },
      { ...own, value: 1n },
    ];
    expect(more({}, { messages: [{ role: "user", parts }] })).toBe(4);
  });
});

test("whatever is said, the estimate is a whole number from 1 on, and more text is never less", () => {
  fc.assert(
    fc.property(
      fc.string({ unit: "binary" }),
      fc.string({ unit: "grapheme" }),
      fc.base64String(),
      (first, second, data) => {
        const estimate = estimateInputTokens(
          request({
            messages: [
              said("user", first),
              {
                role: "user",
                parts: [
                  { kind: "image", source: { from: "data", mediaType: first, data } },
                  { kind: "file", source: { from: "data", mediaType: second, data: second } },
                  { kind: "audio", data, format: first },
                ],
              },
            ],
          }),
        );
        expect(Number.isSafeInteger(estimate)).toBe(true);
        expect(estimate).toBeGreaterThanOrEqual(1);
        const shorter = estimateInputTokens(request({ messages: [said("user", first)] }));
        expect(
          estimateInputTokens(request({ messages: [said("user", `${first}\n${second}`)] })),
        ).toBeGreaterThanOrEqual(shorter);
      },
    ),
    { seed: 1, numRuns: 300 },
  );
});
