// What is no valid Messages request, and what must survive one that is.

import { expect, test } from "bun:test";
import { golden } from "../../../test/golden/messages/run-golden.ts";
import { Failure } from "../../core/failure.ts";
import { markState } from "../foreign-state.ts";

const valid = { model: "claude-sonnet-4-5", max_tokens: 100, messages: [{ role: "user", content: "Hi" }] };

function failureOf(changes: object): Failure {
  try {
    golden.decodeRequest({ ...valid, ...changes });
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("the request was accepted");
}

const user = (...content: object[]) => ({ messages: [{ role: "user", content }] });
const wrong: readonly (readonly [changes: object, param: string, message: string])[] = [
  [
    { max_tokens: undefined },
    "max_tokens",
    "`max_tokens` is missing: give the largest number of tokens that the answer may have",
  ],
  [{ max_tokens: "100" }, "max_tokens", "`max_tokens` must be a number"],
  [{ max_tokens: 1.5 }, "max_tokens", "`max_tokens` must be a whole number of tokens"],
  [{ messages: undefined }, "messages", "`messages` must be a list of at least one message"],
  [{ messages: [] }, "messages", "`messages` must be a list of at least one message"],
  [{ messages: ["Hi"] }, "messages[0]", "`messages[0]` must be an object"],
  [
    { messages: [{ role: "tool", content: "x" }] },
    "messages[0].role",
    '`messages[0].role` must be "user", "assistant" or "system"',
  ],
  [
    { messages: [{ role: "user" }] },
    "messages[0].content",
    "`messages[0].content` must be a string or a list of content blocks",
  ],
  [user({ type: "text" }), "messages[0].content[0].text", "`messages[0].content[0].text` must be a string"],
  [user({ text: "x" }), "messages[0].content[0].type", "`messages[0].content[0].type` must be a string"],
  [
    user({ type: "tool_result" }),
    "messages[0].content[0].tool_use_id",
    "`messages[0].content[0].tool_use_id` must be a string",
  ],
  [
    user({ type: "image", source: { type: "tape" } }),
    "messages[0].content[0].source.type",
    '`messages[0].content[0].source.type` must be "base64", "url", "file", "text" or "content"',
  ],
  [{ tools: [{ input_schema: {} }] }, "tools[0].name", "`tools[0].name` must be a string"],
  [{ tool_choice: { type: "some" } }, "tool_choice.type", '`tool_choice.type` must be "auto", "any", "tool" or "none"'],
  [{ thinking: { type: "enabled" } }, "thinking.budget_tokens", "`thinking.budget_tokens` must be a number of tokens"],
  [
    { output_config: { format: { type: "xml" } } },
    "output_config.format.type",
    '`output_config.format.type` must be "json_schema"',
  ],
  [{ stop_sequences: [1] }, "stop_sequences[0]", "`stop_sequences[0]` must be a string"],
  [{ system: 7 }, "system", "`system` must be a string or a list of text blocks"],
];

for (const [changes, param, message] of wrong) {
  test(`${JSON.stringify(changes)}: 400, ${param}`, () => {
    const failure = failureOf(changes);
    expect([failure.status, failure.param, failure.message]).toEqual([400, param, message]);
  });
}

test("tokens are counted without a limit of them", () => {
  const body = { model: "claude-sonnet-4-5", messages: [{ role: "user", content: "Hi" }] };
  const request = golden.decodeText(JSON.stringify(body), "count-tokens");
  expect([request.maxTokens, request.messages.length]).toEqual([undefined, 1]);
});

test("numbers in tool input come out as they were written, and a member named __proto__ stays one", () => {
  const input = '{"big":12345678901234567890,"small":1.0,"exponent":1e3,"__proto__":{"polluted":true}}';
  const body = `{"model":"claude-sonnet-4-5","max_tokens":10,"temperature":1.0,"messages":[{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":${input}}]}]}`;
  const request = golden.decodeText(body);
  expect(request.temperature).toBe(1);
  expect(request.messages[0]?.parts[0]).toEqual({
    kind: "tool-call",
    id: "t",
    name: "f",
    arguments: input,
    toolKind: "function",
  });
  expect(Object.hasOwn(Object.prototype, "polluted")).toBe(false);
});

test("a caller's marked state goes back to its issuer alone", () => {
  const state = { issuer: "openai", kind: "encrypted", value: "gAAAA", id: "rs_1" } as const;
  const content = [
    { type: "thinking", thinking: "Summary", signature: markState(state) },
    { type: "redacted_thinking", data: markState(state) },
    { type: "text", text: "Hello" },
  ];
  const request = golden.decodeRequest({ ...valid, messages: [{ role: "assistant", content }] });
  expect(request.messages[0]?.parts).toEqual([
    { kind: "reasoning", text: "Summary", isSummary: true, state },
    { kind: "reasoning", text: "", state },
    { kind: "text", text: "Hello" },
  ]);
  const { wire } = golden.encodeRequest(request, "claude-sonnet-4-5");
  expect(wire.messages).toEqual([{ role: "assistant", content: "Hello" }]);
});

test("a marked thought goes back to the call that it names, else to the text before it", () => {
  const state = { issuer: "google", kind: "thought", value: "CpcB" } as const;
  const content = [
    { type: "text", text: "Hello" },
    { type: "redacted_thinking", data: markState(state) },
    { type: "redacted_thinking", data: markState({ ...state, id: "call_1" }) },
    { type: "tool_use", id: "call_1", name: "f", input: {} },
  ];
  const request = golden.decodeRequest({ ...valid, messages: [{ role: "assistant", content }] });
  expect(request.messages[0]?.parts).toEqual([
    { kind: "text", text: "Hello", state },
    { kind: "tool-call", id: "call_1", name: "f", arguments: "{}", toolKind: "function", state },
  ]);
});

test("a thinking of Anthropic's own and settings of output that are not known stay with those who speak the dialect", () => {
  const request = golden.decodeRequest({
    ...valid,
    thinking: { type: "between_tools" },
    output_config: { task_budget: 5 },
  });
  expect([request.reasoning, request.own]).toEqual([
    undefined,
    [
      { name: "thinking", value: { type: "between_tools" }, weight: "harmless" },
      { name: "output_config", value: { task_budget: 5 }, weight: "harmless" },
    ],
  ]);
  expect(golden.encodeRequest(request, "claude-sonnet-5-5").wire).toEqual({
    ...valid,
    model: "claude-sonnet-5-5",
    thinking: { type: "between_tools" },
    output_config: { task_budget: 5 },
  });
});

test("hints about loading a tool, the caller of a call and what the gateway reserves reach no provider", () => {
  const request = golden.decodeRequest({
    ...valid,
    provider: "x",
    stream_options: { include_usage: true },
    betas: ["b"],
    tools: [
      { name: "f", type: "custom", input_schema: { type: "object" }, defer_loading: true, eager_input_streaming: true },
    ],
    messages: [
      { role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {}, caller: { type: "direct" } }] },
    ],
  });
  expect(request.unknown).toEqual({});
  expect(golden.encodeRequest(request, "claude-sonnet-4-5")).toEqual({
    wire: {
      model: "claude-sonnet-4-5",
      max_tokens: 100,
      tools: [{ name: "f", input_schema: { type: "object" } }],
      messages: [{ role: "assistant", content: [{ type: "tool_use", id: "t", name: "f", input: {} }] }],
    },
    dropped: ["betas"],
  });
});

test("what a user says before a tool's result comes behind it: nothing may stand between a call and its result", () => {
  const content = [
    { type: "text", text: "before" },
    { type: "tool_result", tool_use_id: "t1", content: "one" },
    { type: "text", text: "between" },
    { type: "tool_result", tool_use_id: "t2", content: "two" },
  ];
  const { messages } = golden.decodeRequest({ ...valid, messages: [{ role: "user", content }] });
  expect(messages.map((message) => (message.role === "tool" ? message.callId : message.role))).toEqual([
    "t1",
    "t2",
    "user",
  ]);
  expect(messages[2]?.parts).toMatchObject([{ text: "before" }, { text: "between" }]);
});
