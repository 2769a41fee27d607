// What the official openai SDK decodes by itself, structured output and base64 vectors, arrives through the gateway as it was sent.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import OpenAI from "openai";
import { LengthFinishReasonError } from "openai/error";
import { zodFunction, zodResponseFormat } from "openai/helpers/zod";
import { z } from "zod";
import { answerText, type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

const messages = [{ role: "user" as const, content: "Where is it colder?" }];
const Weather = z.object({ city: z.string(), celsius: z.number() });
const jsonType = { "content-type": "application/json" };

let upstream: ScriptedUpstream;
let gateway: RunningGateway;
let client: OpenAI;

const whole = (body: unknown): string => answerText(200, jsonType, JSON.stringify(body));

function chatAnswer(message: object, finishReason: string): unknown {
  const choices = [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finishReason }];
  return { id: "chatcmpl-1", object: "chat.completion", created: 1, model: "m", choices };
}

function streamAnswer(deltas: readonly object[], finishReason: string): string {
  const chunk = (delta: object, reason: string | null): string =>
    `data: ${JSON.stringify({
      id: "chatcmpl-1",
      object: "chat.completion.chunk",
      created: 1,
      model: "m",
      choices: [{ index: 0, delta, finish_reason: reason }],
    })}\n\n`;
  const all = [{ role: "assistant", content: "" }, ...deltas].map((delta) => chunk(delta, null));
  const events = [...all, chunk({}, finishReason), "data: [DONE]\n\n"];
  return answerText(200, { "content-type": "text/event-stream" }, events.join(""));
}

/** What the last model call sent, as JSON. */
function sentBody(): Record<string, unknown> {
  const last = upstream.requests.findLast(({ requestLine }) => requestLine.startsWith("POST"));
  return JSON.parse(last?.body ?? "null") as Record<string, unknown>;
}

beforeAll(async () => {
  upstream = startScriptedUpstream();
  upstream.script = (connection) => connection.write(whole({ object: "list", data: [{ id: "m", object: "model" }] }));
  gateway = await startGateway(`providers: {local: {type: openai, base_url: "http://127.0.0.1:${upstream.port}/v1"}}`);
  client = new OpenAI({ apiKey: "sk-any", baseURL: `${gateway.url}/v1`, maxRetries: 0 });
});
afterAll(async () => {
  await gateway.stop();
  upstream.stop();
});

describe("structured output", () => {
  const response_format = zodResponseFormat(Weather, "weather");

  test("is parsed into the schema's object, and the schema reaches the provider whole", async () => {
    upstream.script = (connection) =>
      connection.write(whole(chatAnswer({ content: '{"city":"Köln","celsius":-3.5}', refusal: null }, "stop")));
    const answer = await client.chat.completions.parse({ model: "local/m", messages, response_format });
    expect(answer.choices[0]?.message.parsed).toEqual({ city: "Köln", celsius: -3.5 });
    expect(sentBody()).toEqual({ model: "m", messages, response_format: JSON.parse(JSON.stringify(response_format)) });
  });

  test("of a stream is parsed from its pieces", async () => {
    const pieces = ['{"ci', 'ty":"Kö', 'ln","celsius"', ":-3.5}"].map((content) => ({ content }));
    upstream.script = (connection) => connection.write(streamAnswer(pieces, "stop"));
    const stream = client.chat.completions.stream({ model: "local/m", messages, response_format });
    const answer = await stream.finalChatCompletion();
    expect(answer.choices[0]?.message.parsed).toEqual({ city: "Köln", celsius: -3.5 });
  });

  test("cut by the token limit is a LengthFinishReasonError", async () => {
    upstream.script = (connection) => connection.write(whole(chatAnswer({ content: '{"city":"K' }, "length")));
    const attempt = client.chat.completions.parse({ model: "local/m", messages, response_format });
    expect(await attempt.then(String, (error: unknown) => error)).toBeInstanceOf(LengthFinishReasonError);
  });

  test("of a tool call is parsed into the schema's object", async () => {
    const call = {
      id: "call_1",
      type: "function",
      function: { name: "report", arguments: '{"city":"大阪","celsius":4}' },
    };
    upstream.script = (connection) =>
      connection.write(whole(chatAnswer({ content: null, tool_calls: [call] }, "tool_calls")));
    const tools = [zodFunction({ name: "report", parameters: Weather })];
    const answer = await client.chat.completions.parse({ model: "local/m", messages, tools });
    expect(answer.choices[0]?.message.tool_calls?.[0]?.function.parsed_arguments).toEqual({ city: "大阪", celsius: 4 });
  });
});

describe("embeddings", () => {
  test("are asked for as base64 by default and decoded to the same floats", async () => {
    const floats = [0.25, -0.5, 1e-3, 123456.75];
    const embedding = Buffer.from(new Float32Array(floats).buffer).toString("base64");
    upstream.script = (connection) =>
      connection.write(
        whole({
          object: "list",
          model: "m",
          data: [{ object: "embedding", index: 0, embedding }],
          usage: { prompt_tokens: 2, total_tokens: 2 },
        }),
      );
    const answer = await client.embeddings.create({ model: "local/m", input: "text" });
    expect(answer.data[0]?.embedding).toEqual([...new Float32Array(floats)]);
    expect(sentBody()).toEqual({ model: "m", input: "text", encoding_format: "base64" });
  });
});
