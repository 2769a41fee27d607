import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { providerConfig } from "../../test/support/provider-config.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { Cancellation } from "../core/cancellation.ts";
import { systemClock } from "../core/clock.ts";
import { Failure } from "../core/failure.ts";
import type { ModelRequest, Operation } from "../core/model-request.ts";
import type { UpstreamLimits } from "../core/policy.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { UpstreamAnswer } from "../core/provider.ts";
import { readModelRequest } from "../dialects/chat-completions/read-request.ts";
import { createProvider } from "./create-provider.ts";
import { providerTypes } from "./registry.ts";
import { createHttpClient } from "./upstream/client.ts";

const limits: UpstreamLimits = { connectMs: 5000, responseHeaderMs: 5000, streamIdleMs: 5000, totalMs: 5000 };
const json = { "content-type": "application/json" };
const sse = { "content-type": "text/event-stream" };
const answerBody =
  '{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}';

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

function providerAt(config: Partial<ProviderConfig> = {}, more: { clock?: FakeClock; askStreamUsage?: boolean } = {}) {
  const type = providerTypes.find(({ info }) => info.type === (config.type ?? "openai"));
  if (type === undefined) throw new Error(`no type ${config.type}`);
  return createProvider(providerConfig({ baseUrl: `http://127.0.0.1:${upstream.port}/v1`, ...config }), type, {
    http: createHttpClient({ clock: systemClock }),
    limits,
    askStreamUsage: more.askStreamUsage ?? false,
    clock: more.clock ?? systemClock,
  });
}

function requestOf(fields: Readonly<Record<string, unknown>> = {}, more: Partial<ModelRequest> = {}): ModelRequest {
  const operation: Operation = more.operation ?? "chat-completions";
  const body = new TextEncoder().encode(JSON.stringify({ model: "m", ...fields }));
  const facts = readModelRequest(body, operation);
  if (facts instanceof Failure) throw facts;
  return {
    id: "req-1",
    operation,
    body,
    ...facts,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
    ...more,
  };
}

const stream = { stream: true };

async function failureOf(promise: Promise<unknown>): Promise<Failure> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}

/** Everything that the reader makes of the answer, as the gateway would relay it. */
async function relayed(answer: UpstreamAnswer): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for (let bytes = await answer.body.read(); bytes !== undefined; bytes = await answer.body.read()) {
    const step = answer.reader.push(bytes);
    if (step.failure !== undefined) throw step.failure;
    text += decoder.decode(step.relay);
    if (step.complete) return text;
  }
  const last = answer.reader.end();
  if (last.failure !== undefined) throw last.failure;
  return text + decoder.decode(last.relay);
}

function send(request = requestOf(), config: Partial<ProviderConfig> = {}): Promise<UpstreamAnswer> {
  return providerAt(config).prepare(request, "m").send({ idempotencyKey: undefined });
}

describe("what arrives at the upstream", () => {
  test("model id, type, key, request ids and idempotency key, and nothing else of the caller's", async () => {
    upstream.script = (connection) => connection.write(answerText(200, json, answerBody));
    const request = requestOf(
      { model: "smart", messages: [], provider: "openai-eu" },
      { callerHeader: (name) => (name === "authorization" || name === "cookie" ? "callers-own" : undefined) },
    );
    const answer = await providerAt({ apiKeys: ["key-1"] })
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
    await relayed(await providerAt(config).prepare(requestOf(), "my deployment").send({ idempotencyKey: undefined }));
    const [received] = upstream.requests;
    expect(received?.requestLine).toBe(
      "POST /openai/deployments/my%20deployment/chat/completions?api-version=2024-10-21 HTTP/1.1",
    );
    expect(received?.headers).toContainEqual(["api-key", "key-1"]);
    expect(received?.headers.map(([name]) => name.toLowerCase())).not.toContain("authorization");
  });

  test("each attempt carries the next key", async () => {
    upstream.script = (connection) => connection.write(answerText(503, json, "{}"));
    const call = providerAt({ apiKeys: ["key-1", "key-2"] }).prepare(requestOf(), "m");
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
    const provider = providerAt({}, { askStreamUsage: true });
    const answer = await provider.prepare(requestOf(stream), "m").send({ idempotencyKey: undefined });
    expect(await relayed(answer)).toBe(`${events[0]}${events[2]}`);
    expect(upstream.requests[0]?.body).toBe('{"model":"m","stream":true,"stream_options":{"include_usage":true}}');
    expect(answer.reader.facts().usage?.totalTokens).toBe(4);
  });

  test("gpt-5 is sent no stop and its answer is cut at the sequence", async () => {
    upstream.script = (connection) =>
      connection.write(answerText(200, json, answerBody.replace('"hi"', '"one END two"')));
    const request = requestOf({ model: "gpt-5", stop: "END" });
    const answer = await providerAt().prepare(request, "gpt-5").send({ idempotencyKey: undefined });
    expect(JSON.parse(await relayed(answer))).toMatchObject({ choices: [{ message: { content: "one " } }] });
    expect(upstream.requests[0]?.body).toBe('{"model":"gpt-5"}');
  });
});

describe("statuses", () => {
  const statuses = [
    [400, "invalid_request_error"],
    [401, "authentication_error"],
    [403, "authentication_error"],
    [404, "not_found_error"],
    [408, "invalid_request_error"],
    [409, "invalid_request_error"],
    [422, "invalid_request_error"],
    [425, "invalid_request_error"],
    [429, "rate_limit_error"],
    [500, "provider_error"],
    [501, "provider_error"],
    [502, "provider_error"],
    [503, "provider_error"],
    [504, "provider_error"],
    [520, "provider_error"],
    [522, "provider_error"],
    [524, "provider_error"],
    [529, "provider_error"],
  ] as const;

  test.each(statuses)("%p stays and is a %p, with the provider's message, param and code", async (status, type) => {
    upstream.script = (connection) =>
      connection.write(answerText(status, json, '{"error":{"message":"because","param":"p","code":"c"}}'));
    expect(await failureOf(send())).toMatchObject({
      origin: "status",
      status,
      type,
      message: "because",
      param: "p",
      code: "c",
    });
  });

  test("a stream's error status is the same failure", async () => {
    upstream.script = (connection) => connection.write(answerText(429, json, '{"error":{"message":"slow down"}}'));
    expect(await failureOf(send(requestOf(stream)))).toMatchObject({
      origin: "status",
      status: 429,
      message: "slow down",
    });
  });

  test("a 429 tells its wait and hands on only retry-after and x-ratelimit headers", async () => {
    const headers = {
      ...json,
      "retry-after": "7",
      "x-ratelimit-remaining-requests": "0",
      "set-cookie": "a=b",
      server: "s",
      "access-control-allow-origin": "*",
    };
    upstream.script = (connection) => connection.write(answerText(429, headers, "{}"));
    const failure = await failureOf(send());
    expect(failure.retryAfterMs).toBe(7000);
    expect(failure.headers).toEqual([
      ["retry-after", "7"],
      ["x-ratelimit-remaining-requests", "0"],
    ]);
  });

  test.each([301, 302, 303, 307, 308, 304, 300])("%p is not followed: a 502 without the location", async (status) => {
    const elsewhere = { location: `http://127.0.0.1:${upstream.port}/inside` };
    upstream.script = (connection) =>
      connection.write(`HTTP/1.1 ${status} X\r\nlocation: ${elsewhere.location}\r\ncontent-length: 0\r\n\r\n`);
    const failure = await failureOf(send());
    expect(failure).toMatchObject({
      origin: "answer",
      status: 502,
      type: "provider_error",
      message: `provider openai-eu answered with status ${status}, which is not followed`,
    });
    expect(upstream.requests).toHaveLength(1);
  });

  test.each(["HTTP/1.1 99 X", "HTTP/1.1 600 X", "HTTP/1.1 999 X", "HTTP/0.9 200 OK", "<html>"])(
    "%p is a 502",
    async (line) => {
      upstream.script = (connection) => {
        connection.write(`${line}\r\ncontent-length: 0\r\n\r\n`);
        connection.end();
      };
      expect(await failureOf(send())).toMatchObject({ origin: "transport", status: 502 });
    },
  );

  test("a key in the provider's words is blanked, also in a 200 that hides an error", async () => {
    const config = { apiKeys: ["sk-secret-1", "sk-secret-2"] };
    const body = '{"error":{"message":"Incorrect API key sk-secret-1","code":401}}';
    upstream.script = (connection, _request, index) =>
      connection.write(answerText(index === 0 ? 401 : 200, json, body));
    const call = providerAt(config).prepare(requestOf(), "m");
    const open = await failureOf(call.send({ idempotencyKey: undefined }));
    expect(open).toMatchObject({ status: 401, message: "Incorrect API key [REDACTED]" });
    const hidden = await failureOf(relayed(await call.send({ idempotencyKey: undefined })));
    expect(hidden).toMatchObject({ status: 401, message: "Incorrect API key [REDACTED]" });
  });
});

describe("error bodies that do not end", () => {
  test("after 2 s the status decides and the socket is closed", async () => {
    upstream.script = (connection) => connection.write('HTTP/1.1 503 X\r\ncontent-length: 1000\r\n\r\n{"error"');
    const clock = new FakeClock();
    const pending = failureOf(providerAt({}, { clock }).prepare(requestOf(), "m").send({ idempotencyKey: undefined }));
    await until(() => clock.pending === 1);
    clock.tick(1999);
    expect(upstream.open).toBe(1);
    clock.tick(1);
    expect(await pending).toMatchObject({ origin: "status", status: 503 });
    await until(() => upstream.open === 0);
    expect(clock.pending).toBe(0);
  });

  test("over 64 kB the status decides at once and the socket is closed", async () => {
    const piece = "x".repeat(16 * 1024);
    upstream.script = (connection) => {
      connection.write("HTTP/1.1 500 X\r\n\r\n");
      for (let sent = 0; sent < 8; sent++) connection.write(piece);
    };
    const clock = new FakeClock();
    const call = providerAt({}, { clock }).prepare(requestOf(), "m");
    expect(await failureOf(call.send({ idempotencyKey: undefined }))).toMatchObject({ origin: "status", status: 500 });
    await until(() => upstream.open === 0);
    expect(clock.pending).toBe(0);
  });

  test("one that breaks off leaves the status", async () => {
    upstream.script = (connection) => {
      connection.write("HTTP/1.1 429 X\r\nretry-after: 3\r\ncontent-length: 1000\r\n\r\nslow");
      connection.end();
    };
    expect(await failureOf(send())).toMatchObject({ origin: "status", status: 429, retryAfterMs: 3000 });
  });

  test("a caller who leaves meanwhile is a 499, not the provider's 503", async () => {
    upstream.script = (connection) => connection.write("HTTP/1.1 503 X\r\ncontent-length: 1000\r\n\r\nsl");
    const clock = new FakeClock();
    const request = requestOf();
    const pending = failureOf(providerAt({}, { clock }).prepare(request, "m").send({ idempotencyKey: undefined }));
    await until(() => clock.pending === 1);
    request.cancellation.cancel("client-left");
    expect(await pending).toMatchObject({ origin: "cancelled", status: 499, code: "request_canceled" });
    await until(() => upstream.open === 0);
  });
});

/** Waits for something that happens on a real socket. */
async function until(condition: () => boolean): Promise<void> {
  const end = performance.now() + 2000;
  while (!condition()) {
    if (performance.now() > end) throw new Error("it did not happen within 2 s");
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("content types", () => {
  const event = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

  test("JSON where a stream was asked for is the error that it is", async () => {
    upstream.script = (connection) =>
      connection.write(answerText(200, json, '{"error":{"message":"quota","code":429},"user_id":"u"}'));
    expect(await failureOf(send(requestOf(stream)))).toMatchObject({ origin: "status", status: 429, message: "quota" });
  });

  test("JSON that is no error where a stream was asked for is a 502 that names it", async () => {
    upstream.script = (connection) => connection.write(answerText(200, json, answerBody));
    expect(await failureOf(send(requestOf(stream)))).toMatchObject({
      origin: "answer",
      status: 502,
      message: "provider openai-eu answered with application/json instead of text/event-stream",
    });
  });

  test.each([
    [false, "text/event-stream; charset=utf-8", "text/event-stream instead of application/json"],
    [false, "text/html", "text/html instead of application/json"],
    [true, "text/html", "text/html instead of text/event-stream"],
  ])("stream %p, answered as %p: a 502 that says %p, and the socket is closed", async (asked, type, words) => {
    upstream.script = (connection) => connection.write(`HTTP/1.1 200 X\r\ncontent-type: ${type}\r\n\r\n<html>`);
    expect(await failureOf(send(requestOf({ stream: asked })))).toMatchObject({
      origin: "answer",
      status: 502,
      message: `provider openai-eu answered with ${words}`,
    });
    await until(() => upstream.open === 0);
  });

  test.each<Record<string, string>>([{}, { "content-type": "text/plain" }])(
    "a stream with the headers %j passes",
    async (headers) => {
      upstream.script = (connection) => connection.write(answerText(200, headers, event));
      expect(await relayed(await send(requestOf(stream)))).toBe(event);
    },
  );

  test("a buffered answer without a type passes, an answer's rate-limit headers beside it", async () => {
    upstream.script = (connection) =>
      connection.write(answerText(200, { "X-RateLimit-Remaining": "9", Server: "s" }, answerBody));
    const answer = await send();
    expect(answer.headers).toEqual([["x-ratelimit-remaining", "9"]]);
    expect(await relayed(answer)).toBe(answerBody);
  });
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
    const models = await providerAt({ apiKeys: ["key-1"] }).listModels(new Cancellation());
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
    expect(await failureOf(providerAt().listModels(new Cancellation()))).toMatchObject({ origin, status, message });
  });

  test("one that hangs ends with its cancellation", async () => {
    upstream.script = () => {};
    const cancellation = new Cancellation();
    const pending = failureOf(providerAt().listModels(cancellation));
    await until(() => upstream.requests.length === 1);
    cancellation.cancel("drain");
    expect(await pending).toMatchObject({ origin: "drain", status: 503 });
    await until(() => upstream.open === 0);
  });
});

test("a base URL with credentials is refused when the provider is made", () => {
  expect(() => providerAt({ baseUrl: "http://user:secret@127.0.0.1:1" })).toThrow(
    "the base URL must not hold credentials",
  );
});
