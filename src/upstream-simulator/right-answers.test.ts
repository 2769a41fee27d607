// The right answers of the dialects that have an SDK of their own, as those SDKs read them, buffered and streamed.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { startSimulator, type Simulator } from "./simulator.ts";

let simulator: Simulator;
let openai: OpenAI;
let anthropic: Anthropic;

beforeAll(() => {
  simulator = startSimulator({ apiKey: "sk-right" });
  openai = new OpenAI({ baseURL: simulator.baseUrl, apiKey: "sk-right", maxRetries: 0 });
  anthropic = new Anthropic({ baseURL: simulator.origin, apiKey: "sk-right", authToken: null, maxRetries: 0 });
});
afterAll(() => simulator.stop());

const text = (name: string): string => `[${name}] this text was made up by the upstream simulator — no`;
const encrypted = "gAAAAABzaW11bGF0ZWQgcmVhc29uaW5n";
const signature = "EqQBc2ltdWxhdGVkIHNpZ25hdHVyZQ==";

const outputText = (said: string): object[] => [{ type: "message", content: [{ type: "output_text", text: said }] }];
const cologne = { type: "function_call", call_id: "call_1", name: "get_weather", arguments: '{"city":"Köln"}' };
const osaka = { type: "function_call", call_id: "call_2", name: "get_weather", arguments: '{"city":"大阪"}' };

describe("Responses", () => {
  test.each([
    ["ok", "completed", outputText(text("ok")), {}],
    ["ok-tools", "completed", [cologne], {}],
    ["ok-parallel-tools", "completed", [cologne, osaka], {}],
    [
      "ok-reasoning",
      "completed",
      [
        { type: "reasoning", summary: [{ type: "summary_text", text: "let me think" }], encrypted_content: encrypted },
        ...outputText("done thinking"),
      ],
      {},
    ],
    [
      "ok-length",
      "incomplete",
      outputText("cut by the limit"),
      { incomplete_details: { reason: "max_output_tokens" } },
    ],
    [
      "ok-content-filter",
      "incomplete",
      outputText("cut by the filter"),
      { incomplete_details: { reason: "content_filter" } },
    ],
    ["ok-refusal", "completed", [{ type: "message", content: [{ type: "refusal", refusal: "no" }] }], {}],
    ["ok-stop-sequence", "completed", outputText("cut by the sequence"), {}],
    [
      "ok-cached-usage",
      "completed",
      outputText("from the cache"),
      {
        usage: {
          input_tokens: 1211,
          input_tokens_details: { cached_tokens: 1000 },
          output_tokens: 12,
          output_tokens_details: { reasoning_tokens: 5 },
          total_tokens: 1223,
        },
      },
    ],
    ["ok-empty", "completed", outputText(""), {}],
    ["finish-error", "failed", outputText("then it broke"), { error: { code: "server_error" } }],
  ])("%s is %s", async (model, status, output, members) => {
    const expected = { object: "response", model, status, output, ...members };
    expect(await openai.responses.create({ model, input: "Hello" })).toMatchObject(expected);
    const stream = openai.responses.stream({ model, input: "Hello" });
    if (status !== "failed") return expect(await stream.finalResponse()).toMatchObject(expected);
    const events = await Array.fromAsync(stream);
    expect(events.at(-1)).toMatchObject({ type: "response.failed", response: expected });
  });

  test("a stream has every event of the documentation, numbered from 0 without a gap", async () => {
    const stream = await openai.responses.create({ model: "ok-2", input: "Hello", stream: true });
    const events = await Array.fromAsync(stream);
    expect(events.map(({ type }) => type)).toEqual([
      "response.created",
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.delta",
      "response.output_text.done",
      "response.content_part.done",
      "response.output_item.done",
      "response.completed",
    ]);
    expect(events.map((event) => event.sequence_number)).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(events.at(-1)).toMatchObject({ response: { usage: { input_tokens: 11, output_tokens: 2 } } });
  });

  test("arguments come in three pieces, and each event's name stands in front of its data", async () => {
    const answer = await openai.responses
      .create({ model: "ok-tools", input: "Hello", stream: true })
      .asResponse()
      .then((response) => response.text());
    const pieces = answer.match(/event: response\.function_call_arguments\.delta\ndata: .*/g) ?? [];
    expect(pieces.map((piece) => JSON.parse(piece.split("\ndata: ")[1] ?? "").delta)).toEqual([
      '{"city"',
      ':"Kö',
      'ln"}',
    ]);
  });
});

describe("Messages", () => {
  const ask = { max_tokens: 99, messages: [{ role: "user" as const, content: "Hello" }] };
  const cologneUse = { type: "tool_use", id: "toolu_1", name: "get_weather", input: { city: "Köln" } };
  const osakaUse = { type: "tool_use", id: "toolu_2", name: "get_weather", input: { city: "大阪" } };
  const said = (words: string): object[] => [{ type: "text", text: words }];

  test.each([
    ["ok", "end_turn", said(text("ok")), {}],
    ["ok-tools", "tool_use", [cologneUse], {}],
    ["ok-parallel-tools", "tool_use", [cologneUse, osakaUse], {}],
    [
      "ok-reasoning",
      "end_turn",
      [{ type: "thinking", thinking: "let me think", signature }, ...said("done thinking")],
      {},
    ],
    ["ok-length", "max_tokens", said("cut by the limit"), {}],
    ["ok-content-filter", "refusal", said("cut by the filter"), {}],
    ["ok-refusal", "refusal", said("no"), {}],
    ["ok-stop-sequence", "stop_sequence", said("cut by the sequence"), { stop_sequence: "END" }],
    [
      "ok-cached-usage",
      "end_turn",
      said("from the cache"),
      {
        usage: {
          input_tokens: 11,
          cache_creation_input_tokens: 200,
          cache_read_input_tokens: 1000,
          output_tokens: 12,
        },
      },
    ],
    ["ok-empty", "end_turn", [], {}],
  ])("%s stops for %s", async (model, stopReason, content, members) => {
    const expected = { type: "message", role: "assistant", model, stop_reason: stopReason, content, ...members };
    expect(await anthropic.messages.create({ model, ...ask })).toMatchObject(expected);
    expect(await anthropic.messages.stream({ model, ...ask }).finalMessage()).toMatchObject(expected);
  });

  test("a stream has every event of the documentation, usage in the first and in the last but one", async () => {
    const response = await anthropic.messages.create({ model: "ok-2", ...ask, stream: true }).asResponse();
    const events = (await response.text()).trim().split("\n\n");
    expect(events.map((event) => event.split("\n")[0])).toEqual([
      "event: message_start",
      "event: content_block_start",
      "event: ping",
      "event: content_block_delta",
      "event: content_block_delta",
      "event: content_block_stop",
      "event: message_delta",
      "event: message_stop",
    ]);
    expect(JSON.parse(events[0]?.split("\ndata: ")[1] ?? "")).toMatchObject({
      message: { stop_reason: null, content: [], usage: { input_tokens: 11, output_tokens: 1 } },
    });
    expect(JSON.parse(events[6]?.split("\ndata: ")[1] ?? "")).toEqual({
      type: "message_delta",
      delta: { stop_reason: "end_turn", stop_sequence: null },
      usage: { output_tokens: 2 },
    });
  });

  test("tokens are counted, a word more for each that is given", async () => {
    const counted = await anthropic.messages.countTokens({ model: "ok", messages: ask.messages });
    expect(counted.input_tokens).toBe(11);
    const given = [...ask.messages, { role: "assistant" as const, content: "so it is" }];
    expect((await anthropic.messages.countTokens({ model: "ok", messages: given })).input_tokens).toBe(14);
  });

  test("the listing is read by the SDK", async () => {
    const listed = await anthropic.models.list();
    expect(listed.data).toMatchObject([{ type: "model", id: "ok", display_name: "ok" }]);
    expect(listed.has_more).toBe(false);
  });
});
