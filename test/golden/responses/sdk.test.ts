// Streams and answers of the encoder, read by the official SDK and the AI SDK over a real socket.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { createOpenAI } from "@ai-sdk/openai";
import { generateText, streamText } from "ai";
import OpenAI from "openai";
import type { ChatEvent, Finish } from "../../../src/core/chat-answer.ts";
import type { AssistantPart } from "../../../src/core/chat-request.ts";
import { responsesTranslator } from "../../../src/dialects/responses/translator.ts";
import { answerContext } from "./fixtures.ts";
import { eventsOf } from "./part-events.ts";

interface Answer {
  readonly parts: readonly AssistantPart[];
  readonly finish: Finish;
  readonly breaks?: true;
}

let answer: Answer = { parts: [], finish: { reason: "stop" } };
let server: ReturnType<typeof Bun.serve>;
let base = "";

const tools = [{ kind: "function", name: "weather", parameters: { type: "object", properties: {} } }] as const;
const usage = {
  inputTokens: 12,
  outputTokens: 7,
  totalTokens: 19,
  cachedInputTokens: 4,
  cacheWriteTokens: 0,
  reasoningTokens: 3,
  audioInputTokens: 0,
  audioOutputTokens: 0,
  cacheIsExtra: false,
  reasoningIsExtra: false,
  unmappedFields: [],
  raw: {},
};

beforeAll(() => {
  server = Bun.serve({ port: 0, hostname: "127.0.0.1", fetch: respond });
  base = `http://127.0.0.1:${server.port}/v1`;
});

afterAll(() => server.stop(true));

async function respond(request: Request): Promise<Response> {
  const { stream } = (await request.json()) as { stream?: boolean };
  const context = answerContext({ tools });
  if (stream !== true) {
    const choice = { index: 0, parts: answer.parts, finish: answer.finish };
    const body = responsesTranslator.encodeAnswer({ model: "claude", choices: [choice], usage }, context);
    return new Response(body.slice().buffer, { headers: { "content-type": "application/json" } });
  }
  const encoder = responsesTranslator.createEncoder(context);
  const events: ChatEvent[] = [
    { kind: "start", model: "claude" },
    ...eventsOf(answer.parts, 3),
    { kind: "finish", choice: 0, finish: answer.finish },
    { kind: "usage", usage },
  ];
  const pieces = events.flatMap((event) => encoder.encode([event]) ?? []);
  pieces.push(answer.breaks === true ? encoder.breakOff("it broke", "stream_incomplete") : encoder.finish());
  return new Response(Buffer.concat(pieces), { headers: { "content-type": "text/event-stream" } });
}

const openai = () => new OpenAI({ apiKey: "k", baseURL: base, maxRetries: 0 });
const aiModel = () => createOpenAI({ apiKey: "k", baseURL: base })("m");
const thinking = {
  kind: "reasoning",
  text: "let me see",
  state: { issuer: "anthropic", kind: "signature", value: "S" },
} as const;
const hello = { kind: "text", text: "Grüße 👋, world" } as const;
const call = (id: string, city: string) =>
  ({ kind: "tool-call", id, name: "weather", arguments: JSON.stringify({ city }), toolKind: "function" }) as const;

describe("the official SDK", () => {
  test("its stream helper puts the whole answer together", async () => {
    answer = { parts: [thinking, hello, call("c1", "Oslo"), call("c2", "Rome")], finish: { reason: "tool-calls" } };
    const stream = openai().responses.stream({ model: "m", input: "hi" });
    const seen: string[] = [];
    for await (const event of stream) seen.push(event.type);
    const final = await stream.finalResponse();
    expect(seen[0]).toBe("response.created");
    expect(seen.at(-1)).toBe("response.completed");
    expect(final.status).toBe("completed");
    expect(final.output_text).toBe(hello.text);
    expect(final.output.map(({ type }) => type)).toEqual(["reasoning", "message", "function_call", "function_call"]);
    expect(final.output[3]).toMatchObject({ call_id: "c2", name: "weather", arguments: '{"city":"Rome"}' });
    expect(final.usage).toMatchObject({ input_tokens: 12, output_tokens: 7, total_tokens: 19 });
  });

  test("a whole answer", async () => {
    answer = { parts: [thinking, hello], finish: { reason: "stop" } };
    const response = await openai().responses.create({ model: "m", input: "hi" });
    expect(response.output_text).toBe(hello.text);
    expect(response).toMatchObject({ model: "claude", status: "completed", incomplete_details: null });
  });

  test("an answer that was cut off says by what", async () => {
    answer = { parts: [hello], finish: { reason: "length" } };
    const stream = openai().responses.stream({ model: "m", input: "hi" });
    const final = await stream.finalResponse();
    expect(final).toMatchObject({ status: "incomplete", incomplete_details: { reason: "max_output_tokens" } });
  });

  test("a refusal", async () => {
    answer = { parts: [{ kind: "refusal", text: "I cannot." }], finish: { reason: "refusal" } };
    const final = await openai().responses.stream({ model: "m", input: "hi" }).finalResponse();
    expect(final.status).toBe("completed");
    expect(final.output[0]).toMatchObject({ content: [{ type: "refusal", refusal: "I cannot." }] });
  });

  test("a stream that broke throws with its message", async () => {
    answer = { parts: [hello], finish: { reason: "stop" }, breaks: true };
    const read = async (): Promise<void> => {
      for await (const _event of await openai().responses.create({ model: "m", input: "hi", stream: true }))
        void _event;
    };
    expect(read()).rejects.toThrow("it broke");
  });
});

describe("the AI SDK", () => {
  test("text, reasoning and usage of a stream", async () => {
    answer = { parts: [thinking, hello], finish: { reason: "stop" } };
    const result = streamText({ model: aiModel(), prompt: "hi" });
    expect(await result.text).toBe(hello.text);
    expect(await result.reasoningText).toBe(thinking.text);
    expect(await result.finishReason).toBe("stop");
    expect(await result.usage).toMatchObject({ inputTokens: 12, outputTokens: 7, totalTokens: 19 });
  });

  test("calls of a stream", async () => {
    answer = { parts: [call("c1", "Oslo"), call("c2", "Rome")], finish: { reason: "tool-calls" } };
    const result = streamText({ model: aiModel(), prompt: "hi" });
    const calls = await result.toolCalls;
    expect(calls.map(({ toolCallId, toolName }) => [toolCallId, toolName])).toEqual([
      ["c1", "weather"],
      ["c2", "weather"],
    ]);
    expect(await result.finishReason).toBe("tool-calls");
  });

  test("an answer that was cut off", async () => {
    answer = { parts: [hello], finish: { reason: "length" } };
    const result = streamText({ model: aiModel(), prompt: "hi" });
    expect(await result.text).toBe(hello.text);
    expect(await result.finishReason).toBe("length");
  });

  test("a whole answer", async () => {
    answer = { parts: [thinking, hello, call("c1", "Oslo")], finish: { reason: "tool-calls" } };
    const result = await generateText({ model: aiModel(), prompt: "hi" });
    expect(result.text).toBe(hello.text);
    expect(result.reasoningText).toBe(thinking.text);
    expect(result.toolCalls).toHaveLength(1);
  });

  test("a stream that broke ends in an error", async () => {
    answer = { parts: [hello], finish: { reason: "stop" }, breaks: true };
    const errors: unknown[] = [];
    const result = streamText({
      model: aiModel(),
      prompt: "hi",
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    });
    for await (const _part of result.fullStream) void _part;
    expect(errors).toHaveLength(1);
    expect(JSON.stringify(errors)).toContain("it broke");
  });
});
