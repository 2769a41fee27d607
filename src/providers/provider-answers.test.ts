// What is particular in the answers of single provider types, over real sockets: usage, streams, errors in a 200, listings.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failureOf, providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { Cancellation } from "../core/cancellation.ts";
import type { ConfiguredModel, ProviderConfig } from "../core/provider-config.ts";

const json = { "content-type": "application/json" };
const sse = { "content-type": "text/event-stream" };
const counts = { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 };

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

function provider(type: string, more: Partial<ProviderConfig> = {}) {
  return providerAt(upstream.port, { name: `my-${type}`, type, ...more }, { askStreamUsage: true });
}

/** What the caller gets of a stream of `events`, and what was used. */
async function streamed(type: string, events: readonly unknown[], fields: Readonly<Record<string, unknown>> = {}) {
  const text = events.map((event) => `data: ${typeof event === "string" ? event : JSON.stringify(event)}\n\n`).join("");
  upstream.script = (connection) => connection.write(answerText(200, sse, text));
  const call = provider(type).prepare(requestOf({ stream: true, ...fields }), "m");
  const answer = await call.send({ idempotencyKey: undefined });
  const relay = await relayed(answer);
  return { isSame: relay === text, relay, usage: answer.reader.facts().usage };
}

async function buffered(type: string, body: unknown) {
  upstream.script = (connection) => connection.write(answerText(200, json, JSON.stringify(body)));
  const answer = await provider(type).prepare(requestOf(), "m").send({ idempotencyKey: undefined });
  await relayed(answer);
  return answer.reader.facts().usage;
}

const delta = { choices: [{ index: 0, delta: { content: "hi" }, finish_reason: null }] };
const finish = { choices: [{ index: 0, delta: {}, finish_reason: "stop" }] };

describe.each(["mistral", "perplexity"])("%s", (type) => {
  test("is not asked for usage, which comes with the finish reason and stays in it", async () => {
    const { isSame, usage } = await streamed(type, [delta, { ...finish, usage: counts }, "[DONE]"]);
    expect(isSame).toBe(true);
    expect(usage?.totalTokens).toBe(4);
    expect(upstream.requests[0]?.body).toBe('{"model":"m","stream":true}');
  });

  test("is not handed the caller's wish for usage", async () => {
    await streamed(type, [finish, "[DONE]"], { stream_options: { include_usage: true } });
    expect(upstream.requests[0]?.body).toBe('{"model":"m","stream":true}');
  });
});

test.each(["together", "cerebras", "fireworks", "kimi", "zai", "minimax", "sglang"])(
  "%s is asked for usage",
  async (type) => {
    const usageEvent = { choices: [], usage: counts };
    const { relay, usage } = await streamed(type, [finish, usageEvent, "[DONE]"]);
    expect(relay).toBe(`data: ${JSON.stringify(finish)}\n\ndata: [DONE]\n\n`);
    expect(usage?.totalTokens).toBe(4);
    expect(upstream.requests[0]?.body).toBe('{"model":"m","stream":true,"stream_options":{"include_usage":true}}');
  },
);

test("kimi: usage in the choice that finishes is read", async () => {
  const last = { choices: [{ index: 0, delta: {}, finish_reason: "stop", usage: { ...counts, cached_tokens: 2 } }] };
  const { isSame, usage } = await streamed("kimi", [delta, last, "[DONE]"]);
  expect(isSame).toBe(true);
  expect(usage).toMatchObject({ totalTokens: 4, cachedInputTokens: 2 });
});

test("perplexity: the last usage of many counts, with its exact cost", async () => {
  const usageOf = (total: number) => ({ ...counts, total_tokens: total, cost: { total_cost: total / 8 } });
  const { usage } = await streamed("perplexity", [
    { ...delta, usage: usageOf(0) },
    { ...finish, usage: usageOf(4) },
  ]);
  expect(usage).toMatchObject({ totalTokens: 4, reportedCost: { usd: 0.5, source: "perplexity_cost" } });
});

test("a stream without [DONE] ends with one", async () => {
  const { relay } = await streamed("perplexity", [delta, finish]);
  expect(relay.endsWith("data: [DONE]\n\n")).toBe(true);
});

describe("edenai", () => {
  const cost = { usd: 0.25, source: "edenai_cost" } as const;
  const choices = [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }];

  test("the cost beside the usage is the exact one", async () => {
    expect((await buffered("edenai", { choices, usage: counts, cost: 0.25 }))?.reportedCost).toEqual(cost);
    const events = [delta, { ...finish, usage: counts, cost: 0.25 }, "[DONE]"];
    expect((await streamed("edenai", events)).usage?.reportedCost).toEqual(cost);
  });

  test("a cost beside the usage means nothing elsewhere", async () => {
    expect((await buffered("kilo", { choices, usage: counts, cost: 0.25 }))?.reportedCost).toBeUndefined();
  });
});

describe("minimax", () => {
  const refused = { choices: null, base_resp: { status_code: 1008, status_msg: "insufficient balance" } };
  const expected = {
    origin: "status",
    status: 402,
    type: "invalid_request_error",
    message: "insufficient balance",
    code: 1008,
  };

  test("a failure in a 200 acts as its status", async () => {
    expect(await failureOf(buffered("minimax", refused))).toMatchObject(expected);
  });

  test("a failure as a stream's first event acts as its status", async () => {
    expect(await failureOf(streamed("minimax", [{ ...refused, usage: { total_tokens: 0 } }]))).toMatchObject(expected);
  });

  test("a failure as JSON where a stream was asked for acts as its status", async () => {
    upstream.script = (connection) => connection.write(answerText(200, json, JSON.stringify(refused)));
    const call = provider("minimax").prepare(requestOf({ stream: true }), "m");
    expect(await failureOf(call.send({ idempotencyKey: undefined }))).toMatchObject(expected);
  });

  test("a result of 0 is none", async () => {
    const base_resp = { status_code: 0, status_msg: "" };
    const choices = [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }];
    expect((await buffered("minimax", { choices, usage: counts, base_resp }))?.totalTokens).toBe(4);
    expect((await streamed("minimax", [{ ...finish, usage: counts, base_resp }, "[DONE]"])).isSame).toBe(true);
  });
});

describe("listings", () => {
  const model = (id: string): ConfiguredModel => ({
    id,
    price: undefined,
    contextWindow: undefined,
    supportsPrefill: undefined,
  });

  async function listed(type: string, more: Partial<ProviderConfig> = {}): Promise<readonly string[]> {
    return (await provider(type, more).listModels(new Cancellation())).map(({ id }) => id);
  }

  test("perplexity's models are known without asking", async () => {
    expect(await listed("perplexity")).toEqual(["sonar", "sonar-pro", "sonar-reasoning-pro", "sonar-deep-research"]);
    expect(upstream.requests).toEqual([]);
  });

  test.each(["perplexity", "oracle"])("%s leaves the list to configured models", async (type) => {
    expect(await listed(type, { models: [model("a"), model("b")] })).toEqual([]);
    expect(upstream.requests).toEqual([]);
  });

  test("oracle without configured models says where to name them", async () => {
    expect(await failureOf(listed("oracle"))).toMatchObject({
      origin: "answer",
      status: 502,
      message: "providers of type oracle cannot be asked for their models: name them in providers.my-oracle.models",
    });
    expect(upstream.requests).toEqual([]);
  });

  test("together's is a bare array", async () => {
    upstream.script = (connection) =>
      connection.write(answerText(200, json, '[{"id":"meta-llama/a","object":"model","created":5,"type":"chat"}]'));
    expect(await listed("together")).toEqual(["meta-llama/a"]);
  });

  test("mistral's names a model under each of its aliases", async () => {
    const data = [
      { id: "mistral-large-2512", object: "model", aliases: ["mistral-large-latest"] },
      { id: "mistral-large-latest", object: "model", aliases: ["mistral-large-2512"] },
    ];
    upstream.script = (connection) => connection.write(answerText(200, json, JSON.stringify({ data })));
    expect(await listed("mistral")).toEqual(["mistral-large-2512", "mistral-large-latest"]);
  });

  test.each(["ollama", "sglang", "llamacpp", "llmd"])("%s at a bare origin is asked below /v1", async (type) => {
    upstream.script = (connection) => connection.write(answerText(200, json, '{"data":[{"id":"a"}]}'));
    expect(await listed(type, { baseUrl: `http://127.0.0.1:${upstream.port}` })).toEqual(["a"]);
    expect(upstream.requests[0]?.requestLine).toBe("GET /v1/models HTTP/1.1");
  });
});

test("llm-d's reason for turning a request away reaches the caller", async () => {
  const headers = { ...json, "x-llm-d-request-dropped-reason": "saturated", "x-llm-d-other": "1" };
  upstream.script = (connection) => connection.write(answerText(429, headers, '{"error":{"message":"busy"}}'));
  const call = provider("llmd").prepare(requestOf(), "m");
  expect(await failureOf(call.send({ idempotencyKey: undefined }))).toMatchObject({
    status: 429,
    headers: [["x-llm-d-request-dropped-reason", "saturated"]],
  });
});
