// What SDKs make of the simulator where more than one answer, or an error, is concerned.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createAnthropic } from "@ai-sdk/anthropic";
import { createOpenAI } from "@ai-sdk/openai";
import Anthropic from "@anthropic-ai/sdk";
import { jsonSchema, stepCountIs, streamText, tool, type LanguageModel } from "ai";
import OpenAI from "openai";
import { answerText } from "./answer-text.ts";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

describe("an agent's turn", () => {
  const models: Readonly<Record<string, (name: string) => LanguageModel>> = {
    Responses: (name) => createOpenAI({ baseURL: simulator.baseUrl, apiKey: "k" }).responses(name),
    Messages: (name) => createAnthropic({ baseURL: simulator.baseUrl, apiKey: "k" })(name),
  };

  test.each([
    ["Responses", "ok-tools", ["Köln"]],
    ["Responses", "ok-parallel-tools", ["Köln", "大阪"]],
    ["Messages", "ok-tools", ["Köln"]],
    ["Messages", "ok-parallel-tools", ["Köln", "大阪"]],
  ])("%s: %s calls for %j, gets the results and ends with its text", async (dialect, name, cities) => {
    const model = models[dialect]?.(name);
    if (model === undefined) throw new Error(`no model speaks ${dialect}`);
    const called: string[] = [];
    const weather = tool({
      inputSchema: jsonSchema<{ city: string }>({ type: "object", properties: { city: { type: "string" } } }),
      execute: ({ city }) => {
        called.push(city);
        return "rain";
      },
    });
    const turn = streamText({
      model,
      prompt: "Hello",
      maxOutputTokens: 99,
      maxRetries: 0,
      tools: { get_weather: weather },
      stopWhen: stepCountIs(4),
    });
    expect(await turn.text).toBe(answerText(name));
    expect(called).toEqual(cities);
    expect(await turn.steps).toHaveLength(2);
  });
});

describe("an error", () => {
  const stated = (error: unknown): object => {
    if (!(error instanceof Error)) throw new Error(`no error but ${JSON.stringify(error)}`);
    return { name: error.constructor.name, ...("status" in error && { status: error.status }), message: error.message };
  };

  test.each([
    ["status-429", "RateLimitError", 429, "simulated status 429"],
    ["status-529", "OverloadedError", 529, "simulated status 529"],
    ["status-401", "AuthenticationError", 401, "simulated status 401"],
    ["error-first-429", "APIError", undefined, "simulated error in the stream"],
    ["error-middle-529", "APIError", undefined, "overloaded_error"],
    ["cut-after-3-words", "AnthropicError", undefined, "stream ended without producing a Message"],
    ["cut-before-done", "AnthropicError", undefined, "stream ended without producing a Message"],
  ])("%s is an %s to Anthropic's SDK", async (model, name, status, message) => {
    const anthropic = new Anthropic({ baseURL: simulator.origin, apiKey: "k", authToken: null, maxRetries: 0 });
    const ask = { model, max_tokens: 99, messages: [{ role: "user" as const, content: "Hello" }] };
    const error = stated(
      await anthropic.messages
        .stream(ask)
        .finalMessage()
        .catch((reason: unknown) => reason),
    );
    expect(error).toMatchObject({ name, message: expect.stringContaining(message) });
    if (status !== undefined) expect(error).toMatchObject({ status });
  });

  test.each([
    ["status-429", "RateLimitError", 429, "simulated status 429"],
    ["status-404", "NotFoundError", 404, "simulated status 404"],
    ["error-first-named", "APIError", undefined, "simulated error in the stream"],
    ["event-junk-middle", "SyntaxError", undefined, "JSON"],
  ])("%s is a %s to OpenAI's", async (model, name, status, message) => {
    const openai = new OpenAI({ baseURL: simulator.baseUrl, apiKey: "k", maxRetries: 0, logLevel: "off" });
    const read = async (): Promise<unknown> =>
      Array.fromAsync(await openai.responses.create({ model, input: "Hello", stream: true }));
    const error = stated(await read().catch((reason: unknown) => reason));
    expect(error).toMatchObject({ name, message: expect.stringContaining(message) });
    if (status !== undefined) expect(error).toMatchObject({ status });
  });
});
