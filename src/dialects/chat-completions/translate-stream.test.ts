// Chat streams to and from the hub: golden values, any cuts, one terminal.

import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "bun:test";
import OpenAI from "openai";
import type { ChatEvent, StreamEvent } from "../../core/chat-answer.ts";
import { plainEvents } from "../hub/plain-events.ts";
import type { AnswerContext } from "../../core/translation.ts";
import { usage as zeroUsage } from "../../../test/golden/chat-completions/answers.ts";
import { type StreamCase, streamCases } from "../../../test/golden/chat-completions/streams.ts";
import { chatCompletionsTranslator } from "./translator.ts";

const { createDecoder, createEncoder } = chatCompletionsTranslator;
const origin = { providerName: "eu", providerType: "openrouter", issuer: "openrouter" };
const started: ChatEvent = { kind: "start", id: "c1", model: "m", created: 1 };

function contextOf({ wantsUsage = false, legacy = false }: Partial<StreamCase>): AnswerContext {
  let ids = 0;
  return {
    request: {
      dialect: "chat-completions",
      model: "asked",
      stream: true,
      wantsStreamUsage: wantsUsage,
      messages: [],
      tools: [],
      own: legacy ? [{ name: "functions", value: [], weight: "harmless" }] : [],
      unknown: {},
    },
    providerType: "anthropic",
    issuer: "anthropic",
    newId: () => `new${++ids}`,
    now: 1_700_000_000,
    estimateInputTokens: () => 0,
  };
}

function bytesOf(chunks: readonly object[]): Uint8Array {
  const base = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m" };
  const events = chunks.map((chunk) => `data: ${JSON.stringify({ ...base, ...chunk })}\n\n`);
  return new TextEncoder().encode(`${events.join("")}data: [DONE]\n\n`);
}

function decoded(...pieces: readonly Uint8Array[]): readonly ChatEvent[] {
  const events: StreamEvent[] = [];
  const decoder = createDecoder(origin);
  for (const piece of pieces) decoder.push(piece, events);
  decoder.finish(events);
  return plainEvents(events);
}

/** The data of the events, the last one included. */
function encoded(events: readonly ChatEvent[], options: Partial<StreamCase> = {}): string[] {
  const encoder = createEncoder(contextOf(options));
  const decoder = new TextDecoder();
  const steps = events.map((event) => decoder.decode(encoder.encode([event])));
  const blocks = `${steps.join("")}${decoder.decode(encoder.finish())}`.split("\n\n");
  expect(blocks.pop()).toBe("");
  return blocks.map((block) => block.replace(/^data: /, ""));
}

describe("a stream is read as the hub has it", () => {
  test.each(streamCases.filter(({ way }) => way !== "encode"))("$name", ({ chunks, events, start = started }) => {
    expect(decoded(bytesOf(chunks))).toEqual([start, ...events]);
  });
});

describe("the events of the hub are written for a caller", () => {
  test.each(streamCases.filter(({ way }) => way !== "decode"))("$name", (one) => {
    const base = { id: "c1", object: "chat.completion.chunk", created: 1, model: "m", provider: "anthropic" };
    const role = { index: 0, delta: { role: "assistant", content: "" }, logprobs: null, finish_reason: null };
    const lines = encoded([one.start ?? started, ...one.events], one);
    expect(lines.pop()).toBe("[DONE]");
    const expected: object[] = [{ choices: [role] }, ...one.chunks];
    expect(lines.map((line): unknown => JSON.parse(line))).toEqual(expected.map((chunk) => ({ ...base, ...chunk })));
  });
});

describe("a stream cut anywhere gives the same events", () => {
  test.each(streamCases.filter(({ way }) => way !== "encode"))("$name", ({ chunks }) => {
    const bytes = bytesOf(chunks);
    const whole = decoded(bytes);
    expect(decoded(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(whole);
    for (let at = 1; at < bytes.length; at += 7) {
      expect(decoded(bytes.subarray(0, at), bytes.subarray(at))).toEqual(whole);
    }
  });

  const folder = `${import.meta.dir}/../../../test/recordings`;
  test.each(readdirSync(folder).filter((name) => name.endsWith(".sse")))("recording %s", (name) => {
    const bytes = readFileSync(`${folder}/${name}`);
    expect(decoded(...Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(decoded(bytes));
  });
});

test("a character in two pieces is one", () => {
  const bytes = bytesOf([{ choices: [{ index: 0, delta: { content: "😀" }, finish_reason: "stop" }] }]);
  const at = bytes.indexOf(0xf0) + 2;
  expect(decoded(bytes.subarray(0, at), bytes.subarray(at))[1]).toEqual({ kind: "text", choice: 0, text: "😀" });
});

test("a body without any event is an answer without content", () => {
  const end = { kind: "finish", choice: 0, finish: { reason: "unknown" } } as const;
  expect(decoded()).toEqual([{ kind: "start" }, end]);
  const lines = encoded([]);
  expect(lines).toHaveLength(3);
  expect(lines.map((line) => (line === "[DONE]" ? line : JSON.parse(line)))).toMatchObject([
    { id: "chatcmpl-new1", created: 1_700_000_000, model: "asked", choices: [{ delta: { role: "assistant" } }] },
    { choices: [{ finish_reason: "unknown" }] },
    "[DONE]",
  ]);
});

test("what nobody knows of the start is said once, and no member of ours is replaced by it", () => {
  const lines = encoded([
    { kind: "start", id: "c1", unknown: { x: 1, id: "other" } },
    { kind: "text", choice: 0, text: "a" },
  ]);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ x: 1, id: "c1" });
  expect(JSON.parse(lines[1] ?? "")).not.toHaveProperty("x");
});

test("a broken answer ends in the dialect's error event, however often it is asked for", () => {
  const encoder = createEncoder(contextOf({}));
  encoder.encode([started]);
  const event =
    'data: {"error":{"message":"it broke","type":"provider_error","param":null,"code":"stream_incomplete"}}\n\n';
  for (let round = 0; round < 2; round++) {
    expect(new TextDecoder().decode(encoder.breakOff("it broke", "stream_incomplete"))).toBe(event);
  }
});

describe("a known member of another type is a 502 that names provider and member", () => {
  test.each([
    [{ choices: 7 }, "choices is not a list"],
    [{ choices: [7] }, "choices[0] is not an object"],
    [{ choices: [{ delta: "x" }] }, "choices[0].delta is not an object"],
    [{ choices: [{ delta: { content: 7 } }] }, "choices[0].delta.content is not a string"],
    [{ choices: [{ delta: { tool_calls: {} } }] }, "choices[0].delta.tool_calls is not a list"],
  ])("%j", (chunk, what) => {
    expect(() => decoded(bytesOf([chunk]))).toThrow(`failed to unmarshal response: ${what} (provider eu)`);
  });
});

test("OpenAI's own client puts a written stream together as it was said", async () => {
  const encoder = createEncoder(contextOf({ wantsUsage: true }));
  const usage = { ...zeroUsage, inputTokens: 3, outputTokens: 4, cachedInputTokens: 2, cacheIsExtra: true };
  const head = encoder.encode([
    started,
    { kind: "reasoning", choice: 0, text: "hm" },
    { kind: "end-of-reasoning", choice: 0, state: { issuer: "anthropic", kind: "signature", value: "s" } },
    { kind: "text", choice: 0, text: "Grüße " },
    { kind: "text", choice: 0, text: "😀" },
    { kind: "tool-call", choice: 0, call: 0, id: "a", name: "f", toolKind: "function" },
    { kind: "tool-call", choice: 0, call: 1, id: "", name: "g", toolKind: "function" },
    { kind: "tool-arguments", choice: 0, call: 0, text: '{"x":' },
    { kind: "tool-arguments", choice: 0, call: 0, text: "1}" },
    { kind: "finish", choice: 0, finish: { reason: "tool-calls" } },
    { kind: "usage", usage },
  ]);
  const body = Buffer.concat([head ?? new Uint8Array(0), encoder.finish()]);
  const client = new OpenAI({
    apiKey: "none",
    fetch: () => Promise.resolve(new Response(body, { headers: { "content-type": "text/event-stream" } })),
  });
  const stream = client.chat.completions.stream({ model: "m", messages: [{ role: "user", content: "Hi" }] });
  const { id, model, choices, usage: told } = await stream.finalChatCompletion();
  expect({ id, model, told }).toMatchObject({
    id: "c1",
    model: "m",
    told: { prompt_tokens: 5, completion_tokens: 4, total_tokens: 9, prompt_tokens_details: { cached_tokens: 2 } },
  });
  expect(choices).toMatchObject([
    {
      index: 0,
      finish_reason: "tool_calls",
      message: {
        role: "assistant",
        content: "Grüße 😀",
        tool_calls: [
          { id: "a", type: "function", function: { name: "f", arguments: '{"x":1}' } },
          { id: "call_new1", type: "function", function: { name: "g", arguments: "{}" } },
        ],
      },
    },
  ]);
});
