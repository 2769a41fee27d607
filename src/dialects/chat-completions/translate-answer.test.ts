// Whole chat answers to and from the hub: golden values and what is no answer.

import { describe, expect, test } from "bun:test";
import type { ChatAnswer } from "../../core/chat-answer.ts";
import type { ChatRequest } from "../../core/chat-request.ts";
import type { AnswerContext } from "../../core/translation.ts";
import { answerCases, type AnswerCase } from "../../../test/golden/chat-completions/answers.ts";
import { chatCompletionsTranslator } from "./translator.ts";

const { decodeAnswer, encodeAnswer } = chatCompletionsTranslator;
const stop = { reason: "stop", raw: "stop" } as const;

function bytesOf(value: unknown): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(value));
}

function decoded(body: unknown, providerType = "openrouter"): ChatAnswer {
  return decodeAnswer(bytesOf(body), { providerName: "eu", providerType, issuer: providerType });
}

function encoded(answer: ChatAnswer, legacy = false): unknown {
  return JSON.parse(new TextDecoder().decode(encodeAnswer(answer, contextOf(legacy))));
}

function contextOf(legacy: boolean): AnswerContext {
  let ids = 0;
  const request: ChatRequest = {
    dialect: "chat-completions",
    model: "asked",
    stream: false,
    wantsStreamUsage: false,
    messages: [],
    tools: [],
    own: legacy ? [{ name: "functions", value: [], weight: "harmless" }] : [],
    unknown: {},
  };
  return {
    request,
    providerType: "anthropic",
    issuer: "anthropic",
    newId: () => `new${++ids}`,
    now: 1_700_000_000,
    estimateInputTokens: () => 0,
  };
}

function bodyOf({ message, choice, members }: AnswerCase, more: object, inChoice: object, inMessage: object): unknown {
  const one = {
    index: 0,
    message: { role: "assistant", ...inMessage, ...message },
    finish_reason: "stop",
    ...inChoice,
  };
  return {
    id: "c1",
    object: "chat.completion",
    created: 1,
    model: "m",
    choices: [{ ...one, ...choice }],
    ...more,
    ...members,
  };
}

function hubOf({ parts, finish = stop, hub }: AnswerCase): ChatAnswer {
  return { id: "c1", created: 1, model: "m", choices: [{ index: 0, parts, finish }], ...hub };
}

describe("an answer is read as the hub has it", () => {
  test.each(answerCases.filter(({ way }) => way !== "encode"))("$name", (one) => {
    expect(decoded(bodyOf(one, {}, {}, {}), one.providerType)).toEqual(hubOf(one));
  });
});

describe("an answer of the hub is written for a caller", () => {
  test.each(answerCases.filter(({ way }) => way !== "decode"))("$name", (one) => {
    const body = bodyOf(one, { provider: "anthropic" }, { logprobs: null }, { refusal: null });
    expect(encoded(hubOf(one), one.legacy)).toEqual(body);
  });
});

test("several choices keep their numbers, also where the provider gives none", () => {
  const choices = ["a", "b"].map((content, index) => ({ index, message: { content }, finish_reason: "stop" }));
  const hub = decoded({ choices });
  expect(hub.choices.map(({ index }) => index)).toEqual([0, 1]);
  expect(decoded({ choices: choices.map(({ message }) => ({ message, finish_reason: "stop" })) })).toEqual(hub);
  expect(encoded(hub)).toMatchObject({
    choices: [
      { index: 0, message: { content: "a" } },
      { index: 1, message: { content: "b" } },
    ],
  });
});

test("a choice without a message is empty", () => {
  expect(decoded({ choices: [{ finish_reason: "length" }] })).toEqual({
    choices: [{ index: 0, parts: [], finish: { reason: "length", raw: "length" } }],
  });
});

test("numbers of unknown members keep their digits both ways", () => {
  const text = '{"choices":[{"message":{"content":"x"},"finish_reason":"stop"}],"x":12345678901234567890}';
  const hub = decodeAnswer(new TextEncoder().encode(text), { providerName: "eu", providerType: "a", issuer: "a" });
  expect(new TextDecoder().decode(encodeAnswer(hub, contextOf(false)))).toStartWith('{"x":12345678901234567890,');
});

describe("a known member of another type is a 502 that names provider and member", () => {
  test.each([
    [{ choices: {} }, "choices is not a list"],
    [{ choices: [7] }, "choices[0] is not an object"],
    [{ choices: [{ message: "x" }] }, "choices[0].message is not an object"],
    [{ choices: [{ message: { content: 7 } }] }, "choices[0].message.content is not a string or a list of parts"],
    [{ choices: [{ message: { tool_calls: {} } }] }, "choices[0].message.tool_calls is not a list"],
    [{ id: 7, choices: [{}] }, "id is not a string"],
  ])("%j", (body, what) => {
    const message = `failed to unmarshal response: ${what} (provider eu)`;
    expect(() => decoded(body)).toThrow(expect.objectContaining({ status: 502, origin: "answer", message }));
  });

  test("no choices at all are told as such", () => {
    expect(() => decoded({ choices: [] })).toThrow("provider returned no choices");
  });
});
