import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failureOf, providerAt, relayed, requestOf, until } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { Cancellation } from "../core/cancellation.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { UpstreamAnswer } from "../core/provider.ts";

const json = { "content-type": "application/json" };
const sse = { "content-type": "text/event-stream" };
const answerBody =
  '{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}';
const stream = { stream: true };

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

function send(request = requestOf(), config: Partial<ProviderConfig> = {}): Promise<UpstreamAnswer> {
  return providerAt(upstream.port, config).prepare(request, "m").send({ idempotencyKey: undefined });
}

describe("what arrives at the upstream", () => {
  test("model id, type, key, request ids and idempotency key, and nothing else of the caller's", async () => {
    upstream.script = (connection) => connection.write(answerText(200, json, answerBody));
    const request = requestOf(
      { model: "smart", messages: [], provider: "openai-eu" },
      { callerHeaders: new Headers({ authorization: "callers-own", cookie: "callers-own" }) },
    );
    const answer = await providerAt(upstream.port, { apiKeys: ["key-1"] })
      .prepare(request, "gpt-4o")
      .send({ idempotencyKey: "idem-1" });
    expect(await relayed(answer)).toBe(answerBody);
    const body = '{"model":"gpt-4o","messages":[]}';
    const [received] = upstream.requests;
    expect(received?.requestLine).toBe("POST /v1/chat/completions HTTP/1.1");
    expect(received?.body).toBe(body);
    expect(received?.headers.map(([name, value]) => `${name.toLowerCase()}: ${value}`).sort()).toEqual([
      "accept-encoding: identity",
      "accept: application/json",
      "authorization: Bearer key-1",
      `content-length: ${body.length}`,
      "content-type: application/json",
      `host: 127.0.0.1:${upstream.port}`,
      "idempotency-key: idem-1",
      "user-agent: GoModel",
      "x-client-request-id: req-1",
      "x-request-id: req-1",
    ]);
  });

  test("Azure gets its deployment in the path, its version in the query and its key in api-key", async () => {
    upstream.script = (connection) => connection.write(answerText(200, json, answerBody));
    const config = { type: "azure", baseUrl: `http://127.0.0.1:${upstream.port}`, apiKeys: ["key-1"] };
    await relayed(
      await providerAt(upstream.port, config).prepare(requestOf(), "my deployment").send({ idempotencyKey: undefined }),
    );
    const [received] = upstream.requests;
    expect(received?.requestLine).toBe(
      "POST /openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21 HTTP/1.1",
    );
    expect(received?.headers).toContainEqual(["api-key", "key-1"]);
    expect(received?.headers.map(([name]) => name.toLowerCase())).not.toContain("authorization");
  });

  test("each attempt carries the next key", async () => {
    upstream.script = (connection) => connection.write(answerText(503, json, "{}"));
    const call = providerAt(upstream.port, { apiKeys: ["key-1", "key-2"] }).prepare(requestOf(), "m");
    for (let attempt = 0; attempt < 3; attempt++) await failureOf(call.send({ idempotencyKey: undefined }));
    const keys = upstream.requests.map(({ headers }) => headers.find(([name]) => name === "Authorization")?.[1]);
    expect(keys).toEqual(["Bearer key-1", "Bearer key-2", "Bearer key-1"]);
  });

  test.each(["ok\r\nX-Evil: 1", "grün", "x".repeat(513), ""])("a request id %p is not sent", async (id) => {
    upstream.script = (connection) => connection.write(answerText(200, json, answerBody));
    await relayed(await send(requestOf({}, { id })));
    const names = upstream.requests[0]?.headers.map(([name]) => name.toLowerCase()) ?? [];
    expect(names).toContain("content-type");
    expect(names.filter((name) => /request-id|evil/.test(name))).toEqual([]);
  });

  test("usage is asked for and its event cut when the caller did not ask for it", async () => {
    const events = [
      'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\n',
      'data: {"choices":[],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}\n\n',
      "data: [DONE]\n\n",
    ];
    upstream.script = (connection) => connection.write(answerText(200, sse, events.join("")));
    const provider = providerAt(upstream.port, {}, { askStreamUsage: true });
    const answer = await provider.prepare(requestOf(stream), "m").send({ idempotencyKey: undefined });
    expect(await relayed(answer)).toBe(`${events[0]}${events[2]}`);
    expect(upstream.requests[0]?.body).toBe('{"model":"m","stream":true,"stream_options":{"include_usage":true}}');
    expect(answer.reader.facts().usage?.totalTokens).toBe(4);
  });

  test("gpt-5 is sent no stop and its answer is cut at the sequence", async () => {
    upstream.script = (connection) =>
      connection.write(answerText(200, json, answerBody.replace('"hi"', '"one END two"')));
    const request = requestOf({ model: "gpt-5", stop: "END" });
    const answer = await providerAt(upstream.port).prepare(request, "gpt-5").send({ idempotencyKey: undefined });
    expect(JSON.parse(await relayed(answer))).toMatchObject({ choices: [{ message: { content: "one " } }] });
    expect(upstream.requests[0]?.body).toBe('{"model":"gpt-5"}');
  });
});

test("an error that a 200 hides has the wait and the headers of its answer", async () => {
  const headers = { ...json, "retry-after": "7" };
  const body = '{"error":{"message":"slow down","code":429}}';
  upstream.script = (connection) => connection.write(answerText(200, headers, body));
  expect(await failureOf(relayed(await send()))).toMatchObject({
    origin: "status",
    status: 429,
    retryAfterMs: 7000,
    headers: [["retry-after", "7"]],
  });
});

test.each([
  [
    "openrouter",
    { cost: 0.25 },
    { reportedCost: { usd: 0.25, source: "openrouter_credits" }, reasoningIsExtra: false },
  ],
  [
    "xai",
    { cost_in_usd_ticks: 5_000_000_000 },
    { reportedCost: { usd: 0.5, source: "xai_cost_in_usd_ticks" }, reasoningIsExtra: true },
  ],
])("%s: usage with %j is read as %j", async (type, cost, expected) => {
  const usage = JSON.stringify({ prompt_tokens: 3, completion_tokens: 1, total_tokens: 4, ...cost });
  const body = `{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"}}],"usage":${usage}}`;
  upstream.script = (connection) => connection.write(answerText(200, json, body));
  const answer = await send(requestOf(), { type });
  await relayed(answer);
  expect(answer.reader.facts().usage).toMatchObject(expected);
});

describe("embeddings", () => {
  const request = () => requestOf({ input: "x" }, { operation: "embeddings" });

  test("go to their own path", async () => {
    const body =
      '{"object":"list","data":[{"object":"embedding","index":0,"embedding":[0.5]}],"usage":{"prompt_tokens":1,"total_tokens":1}}';
    upstream.script = (connection) => connection.write(answerText(200, json, body));
    expect(await relayed(await send(request()))).toBe(body);
    expect(upstream.requests[0]?.requestLine).toBe("POST /v1/embeddings HTTP/1.1");
  });

  test("at DeepSeek are a 400 that names the provider, and nothing is sent", async () => {
    const failure = await failureOf((async () => send(request(), { type: "deepseek", name: "deep" }))());
    expect(failure).toMatchObject({
      origin: "request",
      status: 400,
      type: "invalid_request_error",
      message: "embeddings not supported by this provider: deep",
    });
    expect(upstream.requests).toEqual([]);
  });
});

test("a refused connection is a 502 that names the provider and no address", async () => {
  const gone = startScriptedUpstream();
  gone.stop();
  const failure = await failureOf(send(requestOf(), { baseUrl: `http://127.0.0.1:${gone.port}` }));
  expect(failure).toMatchObject({
    origin: "transport",
    status: 502,
    type: "provider_error",
    message: "failed to send request: provider openai-eu: connection refused",
  });
});

describe("listing", () => {
  test("gives the models, asked for with key and without body", async () => {
    upstream.script = (connection) =>
      connection.write(answerText(200, json, '{"data":[{"id":"a"},{"id":"b","created":5}]}'));
    const models = await providerAt(upstream.port, { apiKeys: ["key-1"] }).listModels(new Cancellation());
    expect(models.map(({ id, created }) => [id, created])).toEqual([
      ["a", undefined],
      ["b", 5],
    ]);
    expect(upstream.requests[0]?.requestLine).toBe("GET /v1/models HTTP/1.1");
    expect(upstream.requests[0]?.headers).toContainEqual(["Authorization", "Bearer key-1"]);
  });

  test.each([
    [answerText(500, json, '{"error":{"message":"down"}}'), "status", 500, "down"],
    [answerText(200, json, "[1"), "answer", 502, "provider openai-eu answered with something that is no model listing"],
    [
      answerText(200, { "content-type": "text/html" }, "<html>"),
      "answer",
      502,
      "provider openai-eu answered with text/html instead of application/json",
    ],
  ] as const)("%j is a failure of origin %p", async (text, origin, status, message) => {
    upstream.script = (connection) => connection.write(text);
    expect(await failureOf(providerAt(upstream.port).listModels(new Cancellation()))).toMatchObject({
      origin,
      status,
      message,
    });
  });

  test("one that hangs ends with its cancellation", async () => {
    upstream.script = () => {};
    const cancellation = new Cancellation();
    const pending = failureOf(providerAt(upstream.port).listModels(cancellation));
    await until(() => upstream.requests.length === 1);
    cancellation.cancel("drain");
    expect(await pending).toMatchObject({ origin: "drain", status: 503 });
    await until(() => upstream.open === 0);
  });
});

test("a base URL with credentials is refused when the provider is made", () => {
  expect(() => providerAt(upstream.port, { baseUrl: "http://user:secret@127.0.0.1:1" })).toThrow(
    "the base URL must not hold credentials",
  );
});
