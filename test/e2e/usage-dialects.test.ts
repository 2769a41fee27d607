// What an answer used and costs is right whoever asks in which dialect: the provider's own figures, at its own prices, each token once.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText, startScriptedUpstream, type ScriptedUpstream } from "../support/scripted-upstream.ts";
import { type CallerDialect, callerDialects, callerPaths } from "../support/seen-by-caller.ts";
import {
  messageStart,
  blockStart,
  textDelta,
  blockStop,
  messageDelta,
  messageStop,
} from "../support/messages-events.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

let upstream: ScriptedUpstream;
let gateway: RunningGateway;
beforeAll(async () => {
  upstream = startScriptedUpstream();
  const base = `http://127.0.0.1:${upstream.port}/v1`;
  gateway = await startGateway(
    JSON.stringify({
      logging: { enabled: true, flush_interval: "10ms" },
      models: { configured_provider_models_mode: "allowlist" },
      providers: {
        claude: { type: "anthropic", base_url: base, api_key: "k", models: ["claude-sonnet-4-5"] },
        google: { type: "gemini", base_url: base, api_key: "k", models: ["gemini-2.5-pro"] },
      },
    }),
  );
});
afterAll(async () => {
  await gateway.stop();
  upstream.stop();
});

const questions: Readonly<Record<CallerDialect, object>> = {
  "chat-completions": { messages: [{ role: "user", content: "hi" }], stream_options: { include_usage: true } },
  responses: { input: "hi" },
  messages: { max_tokens: 100, messages: [{ role: "user", content: "hi" }] },
};

/** The last usage object that the caller is told, and the row. */
async function asked(dialect: CallerDialect, model: string, stream: boolean, type: string, body: string) {
  upstream.script = (connection) => connection.write(answerText(200, { "content-type": type }, body));
  const { stream_options: options, ...question } = questions[dialect] as { stream_options?: object };
  const sent = { model, stream, ...question, ...(stream && options !== undefined ? { stream_options: options } : {}) };
  const answer = await fetch(gateway.url + callerPaths[dialect], { method: "POST", body: JSON.stringify(sent) });
  const text = await answer.text();
  expect(answer.status).toBe(200);
  let told: Record<string, unknown> | undefined;
  for (const line of stream ? text.split("\n").filter((each) => each.startsWith("data: {")) : [`data: ${text}`]) {
    const event = JSON.parse(line.slice(6)) as { usage?: typeof told; response?: { usage?: typeof told } };
    told = event.usage ?? event.response?.usage ?? told;
  }
  const row = await gateway.row(answer.headers.get("x-request-id") ?? "");
  return { told, usage: row.usage };
}

const modes = callerDialects.flatMap((dialect) => [false, true].map((stream) => [dialect, stream] as const));

describe("Claude, 3 tokens read, 12304 written to the cache, 550 told", () => {
  const usage = {
    input_tokens: 3,
    cache_creation_input_tokens: 12_304,
    cache_read_input_tokens: 0,
    output_tokens: 550,
  };
  const message = {
    id: "msg_1",
    type: "message",
    role: "assistant",
    model: "claude-sonnet-4-5",
    content: [{ type: "text", text: "hi" }],
    stop_reason: "end_turn",
    stop_sequence: null,
    usage,
  };
  const events = [
    messageStart("claude-sonnet-4-5", { ...usage, output_tokens: 1 }),
    blockStart(),
    textDelta("hi"),
    blockStop(),
    messageDelta("end_turn", { output_tokens: 550 }),
    messageStop,
  ].join("");

  test.each(modes)("costs $0.0544 for a caller of %s, streaming %p", async (dialect, stream) => {
    const { told, usage: row } = await asked(
      dialect,
      "claude/claude-sonnet-4-5",
      stream,
      stream ? "text/event-stream" : "application/json",
      stream ? events : JSON.stringify(message),
    );
    // 3 at 3, 12304 at 3.75 and 550 at 15 dollars for a million tokens.
    expect(row?.total_cost).toBeCloseTo((3 * 3 + 12_304 * 3.75 + 550 * 15) / 1e6, 10);
    expect(row?.total_cost).toBeCloseTo(0.0544, 4);
    expect(row).toMatchObject({
      input_tokens: 3,
      cache_write_input_tokens: 12_304,
      cached_input_tokens: 0,
      output_tokens: 550,
      total_tokens: 12_857,
      cost_source: "model_pricing",
      costs_calculation_caveat: null,
    });
    const expected: Readonly<Record<CallerDialect, object>> = {
      "chat-completions": { prompt_tokens: 12_307, completion_tokens: 550, total_tokens: 12_857 },
      responses: { input_tokens: 12_307, output_tokens: 550, total_tokens: 12_857 },
      messages: stream ? { output_tokens: 550 } : { ...usage },
    };
    expect(told).toMatchObject(expected[dialect]);
  });
});

describe("Gemini, 1000 tokens read of which 400 from the cache, 20 told and 80 thought", () => {
  // https://ai.google.dev/api/generate-content#UsageMetadata: thoughts are counted beside the candidates.
  const answer = {
    candidates: [{ index: 0, content: { role: "model", parts: [{ text: "hi" }] }, finishReason: "STOP" }],
    usageMetadata: {
      promptTokenCount: 1000,
      cachedContentTokenCount: 400,
      candidatesTokenCount: 20,
      thoughtsTokenCount: 80,
      totalTokenCount: 1100,
    },
    modelVersion: "gemini-2.5-pro",
    responseId: "r1",
  };

  test.each(modes)("costs $0.0018 for a caller of %s, streaming %p", async (dialect, stream) => {
    const json = JSON.stringify(answer);
    const { told, usage: row } = await asked(
      dialect,
      "google/gemini-2.5-pro",
      stream,
      stream ? "text/event-stream" : "application/json",
      stream ? `data: ${json}\n\n` : json,
    );
    // 600 at 1.25, 400 at 0.125, 100 at 10 dollars for a million tokens.
    expect(row?.total_cost).toBeCloseTo((600 * 1.25 + 400 * 0.125 + 100 * 10) / 1e6, 10);
    expect(row).toMatchObject({
      input_tokens: 1000,
      cached_input_tokens: 400,
      reasoning_tokens: 80,
      total_tokens: 1100,
      cost_source: "model_pricing",
      costs_calculation_caveat: null,
    });
    const expected: Readonly<Record<CallerDialect, object>> = {
      "chat-completions": {
        prompt_tokens: 1000,
        prompt_tokens_details: { cached_tokens: 400 },
        completion_tokens: 100,
        completion_tokens_details: { reasoning_tokens: 80 },
        total_tokens: 1100,
      },
      responses: {
        input_tokens: 1000,
        input_tokens_details: { cached_tokens: 400 },
        output_tokens: 100,
        output_tokens_details: { reasoning_tokens: 80 },
        total_tokens: 1100,
      },
      messages: { input_tokens: 600, cache_read_input_tokens: 400, output_tokens: 100 },
    };
    expect(told).toMatchObject(expected[dialect]);
  });
});
