// The official SDK reads what the translator writes, over a real connection.

import Anthropic from "@anthropic-ai/sdk";
import { afterAll, expect, test } from "bun:test";
import type { ChatEvent } from "../../../src/core/chat-answer.ts";
import { messagesTranslator } from "../../../src/dialects/messages/translator.ts";
import { answers, hubUsage, plainWire } from "./answers.ts";
import { contextOf, golden } from "./run-golden.ts";
import { foreignStreams, streams } from "./streams.ts";

let body: Uint8Array | string = "";
let contentType = "";
const server = Bun.serve({
  port: 0,
  hostname: "127.0.0.1",
  fetch: () => new Response(body as string, { headers: { "content-type": contentType } }),
});
const client = new Anthropic({ apiKey: "k", baseURL: `http://127.0.0.1:${server.port}`, maxRetries: 0 });
const question = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "Hi" }] } as const;

afterAll(() => server.stop(true));

async function streamed(written: Uint8Array | string) {
  body = written;
  contentType = "text/event-stream";
  return client.messages.stream({ ...question, messages: [...question.messages] }).finalMessage();
}

/** Text, thoughts and input of the events, by hand and not by the SDK. */
function expected(events: readonly ChatEvent[]) {
  let said = "";
  let thought = "";
  const inputs: string[] = [];
  for (const event of events) {
    if ("choice" in event && event.choice !== 0) continue;
    if (event.kind === "text" || event.kind === "refusal") said += event.text;
    if (event.kind === "reasoning") thought += event.text;
    if (event.kind === "tool-call") inputs.push("");
    if (event.kind === "tool-arguments") inputs[event.call] += event.text;
  }
  return { said, thought, inputs };
}

for (const { name, hub } of [...streams, ...foreignStreams]) {
  test(`streamed: ${name}`, async () => {
    const message = await streamed(golden.encodeStream(hub));
    const { said, thought, inputs } = expected(hub);
    const blocks = message.content;
    expect(blocks.map((block) => (block.type === "text" ? block.text : "")).join("")).toBe(said);
    expect(blocks.map((block) => (block.type === "thinking" ? block.thinking : "")).join("")).toBe(thought);
    const calls = blocks.filter((block) => block.type === "tool_use");
    expect(calls.length).toBe(inputs.length);
    for (const [index, { input }] of calls.entries()) {
      const written = inputs[index] ?? "";
      if (written.startsWith("{") && written.endsWith("}")) expect(input).toEqual(JSON.parse(written));
    }
    expect(message.usage.input_tokens).toBeGreaterThan(0);
    expect(message.stop_reason).toBeString();
  });
}

for (const { name, parts, finish = { reason: "stop", raw: "end_turn" } as const } of answers) {
  test(`whole: ${name}`, async () => {
    const answer = { id: plainWire.id, model: "m", usage: hubUsage, choices: [{ index: 0, parts, finish }] };
    body = messagesTranslator.encodeAnswer(answer, contextOf({ issuer: "anthropic" }));
    contentType = "application/json";
    const message = await client.messages.create({ ...question, messages: [...question.messages] });
    const shown = message.content.map((block) => (block.type === "text" ? block.text : "")).join("");
    const said = parts.map((part) => (part.kind === "text" || part.kind === "refusal" ? part.text : "")).join("");
    expect(shown).toBe(said);
    expect(message.stop_reason as string).toBe(finish.raw ?? "");
  });
}

test("a stream that broke is an error for the SDK, with the message", async () => {
  const encoder = messagesTranslator.createEncoder(contextOf());
  const begun = encoder.encode([{ kind: "start" }, { kind: "text", choice: 0, text: "Hel" }]) ?? new Uint8Array(0);
  const broken = encoder.breakOff("the stream broke", "stream_incomplete");
  const decoder = new TextDecoder();
  const failure = await streamed(decoder.decode(begun) + decoder.decode(broken)).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(Anthropic.APIError);
  expect(String(failure)).toContain("the stream broke");
});
