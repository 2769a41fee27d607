import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { failureOf, providerAt, relayed, requestOf, until } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { UpstreamAnswer } from "../core/provider.ts";

const json = { "content-type": "application/json" };
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
    const call = providerAt(upstream.port, config).prepare(requestOf(), "m");
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
    const pending = failureOf(
      providerAt(upstream.port, {}, { clock }).prepare(requestOf(), "m").send({ idempotencyKey: undefined }),
    );
    await until(() => clock.pending === 1);
    clock.tick(1999);
    expect(clock.pending).toBe(1);
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
    const call = providerAt(upstream.port, {}, { clock }).prepare(requestOf(), "m");
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
    const pending = failureOf(
      providerAt(upstream.port, {}, { clock }).prepare(request, "m").send({ idempotencyKey: undefined }),
    );
    await until(() => clock.pending === 1);
    request.cancellation.cancel("client-left");
    expect(await pending).toMatchObject({ origin: "cancelled", status: 499, code: "request_canceled" });
    await until(() => upstream.open === 0);
  });
});

describe("content types", () => {
  const event = 'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';

  test.each([
    ["anthropic", '{"type":"error","error":{"type":"rate_limit_error","message":"slow down"}}', 429],
    ["gemini", '{"error":{"status":"UNAVAILABLE","message":"slow down"}}', 503],
    ["openai", '{"error":{"code":"rate_limit_exceeded","message":"slow down"}}', 429],
    ["openai", '{"object":"response","status":"failed","error":{"code":"server_error","message":"slow down"}}', 500],
  ])("JSON where a stream was asked for is the error that it is in the words of %s: %j", async (type, body, status) => {
    upstream.script = (connection) => connection.write(answerText(200, json, body));
    const request = requestOf({ stream: true, input: "hello" }, { operation: "responses" });
    const failure = await failureOf(send(request, { type, apiKeys: ["k"] }));
    expect(failure).toMatchObject({ origin: "status", status, message: "slow down" });
  });

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
