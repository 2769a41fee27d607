// Golden answers of the Messages dialect, to the hub and from it.

import { expect, test } from "bun:test";
import type { ChatAnswer, Finish } from "../../../src/core/chat-answer.ts";
import type { ProviderState } from "../../../src/core/chat-request.ts";
import { readMarkedState } from "../../../src/dialects/foreign-state.ts";
import { answers, foreignAnswers, hubUsage, plainWire } from "./answers.ts";
import { golden } from "./run-golden.ts";

const plainAnswer = { id: plainWire.id, model: plainWire.model, usage: hubUsage } as const;
const anthropic = { providerType: "anthropic", issuer: "anthropic" };

/** As it is written: what is undefined is not there. */
const written = (value: object): unknown => JSON.parse(JSON.stringify(value));

const end: Finish = { reason: "stop", raw: "end_turn" };

for (const { name, wire, parts, finish = end, hub, back = wire } of answers) {
  const answer: ChatAnswer = { ...plainAnswer, choices: [{ index: 0, parts, finish }], ...hub };

  test(`decoded: ${name}`, () => {
    expect(golden.decodeAnswer({ ...plainWire, ...wire })).toEqual(answer);
  });

  test(`encoded: ${name}`, () => {
    expect(golden.encodeAnswer(answer, anthropic)).toEqual(written({ ...plainWire, ...back }) as never);
  });
}

for (const { name, hub, parts, finish, wire } of foreignAnswers) {
  test(`encoded: ${name}`, () => {
    const answer: ChatAnswer = { ...plainAnswer, choices: [{ index: 0, parts, finish }], ...hub };
    expect(golden.encodeAnswer(answer)).toEqual({ ...plainWire, provider: "openai", ...wire });
  });
}

test("state of others goes to the caller marked, and Google's beside its call, too", () => {
  const encrypted: ProviderState = { issuer: "openai", kind: "encrypted", value: "gAAAA", id: "rs_1" };
  const thought: ProviderState = { issuer: "google", kind: "thought", value: "CpcB" };
  const answer = golden.encodeAnswer({
    ...plainAnswer,
    choices: [
      {
        index: 0,
        finish: { reason: "tool-calls" },
        parts: [
          { kind: "reasoning", text: "Summary", isSummary: true, state: encrypted },
          { kind: "reasoning", text: "", state: encrypted },
          { kind: "text", text: "Hello", state: thought },
          { kind: "tool-call", id: "call_1", name: "f", arguments: "{}", toolKind: "function", state: thought },
        ],
      },
    ],
  });
  const content = answer.content as Record<string, string>[];
  expect(content.map((block) => block.type)).toEqual([
    "thinking",
    "redacted_thinking",
    "text",
    "redacted_thinking",
    "redacted_thinking",
    "tool_use",
  ]);
  expect(content.map((block) => readMarkedState(block.signature ?? block.data ?? "")?.state)).toEqual([
    encrypted,
    encrypted,
    undefined,
    thought,
    { ...thought, id: "call_1" },
    undefined,
  ]);
  expect(content[5]?.extra_content as unknown).toEqual({ google: { thought_signature: "CpcB" } });
  // And a caller who sends it all back has it where it was.
  const request = golden.decodeRequest({ model: "m", max_tokens: 1, messages: [{ role: "assistant", content }] });
  expect(request.messages[0]?.parts).toEqual([
    { kind: "reasoning", text: "Summary", isSummary: true, state: encrypted },
    { kind: "reasoning", text: "", state: encrypted },
    { kind: "text", text: "Hello", state: thought },
    { kind: "tool-call", id: "call_1", name: "f", arguments: "{}", toolKind: "function", state: thought },
  ]);
});

const changed: readonly (readonly [wire: object, message: string])[] = [
  [{ content: "Hello" }, "failed to unmarshal response: content is not a list (provider claude)"],
  [
    { content: [{ type: "text", text: 5 }] },
    "failed to unmarshal response: content[0].text is not a string (provider claude)",
  ],
  [
    { content: [{ type: "tool_use", id: "t", name: "f", input: "{}" }] },
    "failed to unmarshal response: content[0].input is not an object (provider claude)",
  ],
  [{ stop_reason: 7 }, "failed to unmarshal response: stop_reason is not a string (provider claude)"],
  [{ usage: [] }, "failed to unmarshal response: usage is not an object (provider claude)"],
];

for (const [wire, message] of changed) {
  test(`a member of another type is a broken answer: ${JSON.stringify(wire)}`, () => {
    expect(() => golden.decodeAnswer({ ...plainWire, ...wire })).toThrow(message);
  });
}

test("there are twenty-five cases, each with its page", () => {
  expect(answers.length).toBeGreaterThanOrEqual(25);
  expect([...answers, ...foreignAnswers].filter(({ source }) => !source.includes("https://"))).toEqual([]);
});
