// Which headers go up to a provider and which of its headers come down to the caller.

import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { modelRequest, openRawConnection } from "../support/raw-exchange.ts";
import { answerText, type ScriptedUpstream, startScriptedUpstream } from "../support/scripted-upstream.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

let upstream: ScriptedUpstream;
let gateway: RunningGateway;

beforeAll(async () => {
  upstream = startScriptedUpstream();
  gateway = await startGateway(`
resilience: { retry: { max_retries: 0 }, circuit_breaker: { enabled: false } }
providers:
  up: { type: openai, base_url: "http://127.0.0.1:${upstream.port}/v1", api_key: upstream-key, models: [m] }
models: { configured_provider_models_mode: allowlist }
`);
});
afterAll(async () => {
  await gateway.stop();
  upstream.stop();
});
beforeEach(() => {
  upstream.script = (connection) => connection.write(answerText(200, { "content-type": "application/json" }, answer));
});

const answer = JSON.stringify({
  id: "1",
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
});

async function ask(headers: readonly string[], stream = false): Promise<string> {
  const client = openRawConnection(gateway.port);
  client.send(modelRequest("chat/completions", "up/m", { stream }, headers));
  const { text } = await client.receive((soFar) => soFar.text.endsWith("}") || soFar.text.endsWith("0\r\n\r\n"));
  client.close();
  return text;
}

function lastRequest(): Record<string, string> {
  return Object.fromEntries(
    (upstream.requests.at(-1)?.headers ?? []).map(([name, value]) => [name.toLowerCase(), value]),
  );
}

test("up go our key, our id and our framing; of the caller's headers only the request id and a valid idempotency key", async () => {
  await ask([
    "authorization: Bearer callers-key",
    "x-api-key: callers-key",
    "x-request-id: id-1",
    "idempotency-key: idem-1",
    "cookie: session=1",
    "connection: keep-alive, x-nominated",
    "x-nominated: 1",
    "keep-alive: timeout=5",
    "te: trailers",
    "upgrade: h2c",
    "proxy-authorization: Basic x",
    "x-forwarded-for: 10.0.0.1",
    "forwarded: for=10.0.0.1",
    "user-agent: caller/1",
    "accept-encoding: gzip, br",
    "openai-organization: callers",
    "x-anything: else",
  ]);
  const sent = lastRequest();
  expect(sent).toMatchObject({
    authorization: "Bearer upstream-key",
    "x-request-id": "id-1",
    "idempotency-key": "idem-1",
    host: `127.0.0.1:${upstream.port}`,
    "content-type": "application/json",
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "GoModel",
  });
  const known = [
    "authorization",
    "x-request-id",
    "idempotency-key",
    "host",
    "content-type",
    "content-length",
    "accept",
    "accept-encoding",
    "user-agent",
    "x-client-request-id",
  ];
  expect(Object.keys(sent).filter((name) => !known.includes(name))).toEqual([]);
  expect(JSON.stringify(upstream.requests.at(-1))).not.toContain("callers");
});

test("a request id that is replaced is the same for the provider and for the caller", async () => {
  const text = await ask(["x-request-id: not/valid"]);
  const id = /x-request-id: ([0-9a-f-]{36})\r\n/i.exec(text)?.[1];
  expect(id).toBeDefined();
  expect(lastRequest()["x-request-id"]).toBe(id);
});

test.each([
  ["with a space", "a b"],
  ["of 256 characters", "k".repeat(256)],
  ["beyond ASCII", "schlüssel"],
])("an idempotency key %s is as if it had not been sent", async (_, key) => {
  await ask([`idempotency-key: ${key}`]);
  expect(lastRequest()).not.toHaveProperty("idempotency-key");
});

const theirs = {
  "x-ratelimit-remaining-requests": "7",
  "x-ratelimit-reset-tokens": "6m0s",
  "anthropic-ratelimit-requests-remaining": "9",
  "x-codex-primary-used-percent": "12",
  "retry-after": "3",
  "retry-after-ms": "2500",
  "request-id": "theirs",
  "anthropic-organization-id": "theirs",
  "set-cookie": "session=theirs",
  server: "theirs",
  "strict-transport-security": "max-age=1",
  "access-control-allow-origin": "*",
  "alt-svc": "h3",
  "openai-organization": "theirs",
  "x-request-id": "theirs",
  "x-gomodel-provider": "theirs",
  "cache-control": "public",
  "keep-alive": "timeout=5",
  location: "http://theirs.example/",
  authorization: "theirs",
};

function headersOf(text: string): Record<string, string> {
  const lines = text.slice(0, text.indexOf("\r\n\r\n")).split("\r\n").slice(1);
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 2)]),
  );
}

/** What every answer to a model call has. */
const ours = {
  "x-request-id": "id-2",
  "x-gomodel-provider": "up",
  "x-gomodel-model": "m",
  "x-gomodel-attempts": "1",
  "x-ratelimit-remaining-requests": "7",
  "x-ratelimit-reset-tokens": "6m0s",
  "anthropic-ratelimit-requests-remaining": "9",
  "x-codex-primary-used-percent": "12",
  "retry-after": "3",
  "retry-after-ms": "2500",
};

test.each([
  ["an answer", 200, answer],
  ["an error", 429, '{"error":{"message":"slow down","type":"x","param":null,"code":null}}'],
])("down with %s come its content type, its rate limits, its wishes to wait, and ours", async (_, status, body) => {
  upstream.script = (connection) =>
    connection.write(answerText(status, { "content-type": "application/json", ...theirs }, body));
  const text = await ask(["x-request-id: id-2"]);
  expect(text).toStartWith(`HTTP/1.1 ${status} `);
  const { date, ...headers } = headersOf(text);
  expect(date).toBeDefined();
  expect(headers).toEqual({
    ...ours,
    "content-type": "application/json",
    "content-length": String(headers["content-length"]),
  });
  expect(text.slice(text.indexOf("\r\n"))).not.toContain("theirs");
});

test("down with a stream come the same, and what keeps proxies from holding it back", async () => {
  upstream.script = (connection) => {
    const head = { "content-type": "text/event-stream", "transfer-encoding": "chunked", ...theirs };
    const lines = Object.entries(head).map(([name, value]) => `${name}: ${value}\r\n`);
    const event = (data: string): string => `${(data.length + 8).toString(16)}\r\ndata: ${data}\n\n\r\n`;
    connection.write(
      `HTTP/1.1 200 OK\r\n${lines.join("")}\r\n${event('{"id":"1","choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":null}]}')}`,
    );
    setTimeout(
      () =>
        connection.write(
          `${event('{"id":"1","choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}')}${event("[DONE]")}0\r\n\r\n`,
        ),
      50,
    );
  };
  const text = await ask(["x-request-id: id-2"], true);
  const { date, ...headers } = headersOf(text);
  expect(date).toBeDefined();
  expect(headers).toEqual({
    ...ours,
    "content-type": "text/event-stream",
    "cache-control": "no-cache",
    "x-accel-buffering": "no",
    "transfer-encoding": "chunked",
  });
  expect(lastRequest()).toMatchObject({ accept: "text/event-stream" });
});

test.each([301, 302, 303, 307, 308])(
  "a redirect of status %d is not followed and its address not told: 502",
  async (status) => {
    const before = upstream.requests.length;
    upstream.script = (connection) =>
      connection.write(answerText(status, { location: `http://127.0.0.1:${upstream.port}/v1/elsewhere` }, ""));
    const text = await ask([]);
    expect(text).toStartWith("HTTP/1.1 502 ");
    expect(text).not.toContain("elsewhere");
    expect(text).toContain('"type":"provider_error"');
    expect(upstream.requests).toHaveLength(before + 1);
  },
);
