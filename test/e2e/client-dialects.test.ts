// Each client in its own dialect: paths, keys, error bodies and listings of those who speak Messages and Responses, over real sockets.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import Anthropic from "@anthropic-ai/sdk";
import OpenAI from "openai";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { eventually } from "../support/eventually.ts";
import { openRawConnection } from "../support/raw-exchange.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

const key = "the-master-key";
const numbered = Array.from({ length: 25 }, (_, index) => `m-${String(index + 1).padStart(2, "0")}`);
let simulator: Simulator;
let gateway: RunningGateway;
let anthropic: Anthropic;

beforeAll(async () => {
  simulator = startSimulator();
  gateway = await startGateway(
    `
server: { body_size_limit: 64K, shutdown_grace: 5s }
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [${numbered.join(", ")}, org/deep] }
models: { configured_provider_models_mode: allowlist }
`,
    { GOMODEL_MASTER_KEY: key },
  );
  anthropic = new Anthropic({ baseURL: gateway.url, apiKey: key, maxRetries: 0 });
});
afterAll(async () => {
  expect(gateway.logLines.filter((line) => line["level"] === "error")).toEqual([]);
  await gateway.stop();
  expect(simulator.calls.filter(({ method }) => method === "POST")).toEqual([]);
  await simulator.stop();
});

const version = { "anthropic-version": "2023-06-01" };

function ask(
  path: string,
  init: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> } = {},
): Promise<Response> {
  return fetch(gateway.url + path, { ...init, headers: { authorization: `Bearer ${key}`, ...init.headers } });
}

function post(path: string, body: string, headers: Record<string, string> = {}): Promise<Response> {
  return ask(path, { method: "POST", body, headers });
}

/** Fails unless the answer is exactly an error of a Messages client, with the id of the request in body and header. */
async function anthropicError(
  answer: Promise<Response>,
): Promise<readonly [status: number, type: string, message: string]> {
  const response = await answer;
  const body = (await response.json()) as { error: { type: string; message: string } };
  const requestId = response.headers.get("x-request-id");
  expect(body).toEqual({
    type: "error",
    error: { type: body.error.type, message: body.error.message },
    request_id: requestId,
  } as typeof body);
  expect(requestId).toBeTruthy();
  expect(response.headers.get("request-id")).toBe(requestId);
  expect(response.headers.get("content-type")).toBe("application/json");
  return [response.status, body.error.type, body.error.message];
}

/** Fails unless the answer is exactly an error of an OpenAI client. */
async function openaiError(
  answer: Promise<Response>,
): Promise<readonly [status: number, type: string, message: string]> {
  const response = await answer;
  const { error, ...rest } = (await response.json()) as { error: Record<string, unknown> };
  expect(rest).toEqual({});
  expect(Object.keys(error).toSorted()).toEqual(["code", "message", "param", "type"]);
  expect(response.headers.get("request-id")).toBeNull();
  return [response.status, String(error["type"]), String(error["message"])];
}

describe("what is refused before a model is called", () => {
  const messagesPaths = ["/v1/messages", "/v1/messages?beta=true", "/v1/messages/count_tokens?beta=true"];

  test.each(messagesPaths)("at %s is told as Anthropic does", async (path) => {
    const bare = path.replace(/\?.*/, "");
    expect(await anthropicError(fetch(gateway.url + path, { method: "POST", body: "{}" }))).toEqual([
      401,
      "authentication_error",
      "missing authorization header",
    ]);
    expect(await anthropicError(post(path, "{"))).toEqual([
      400,
      "invalid_request_error",
      "the request body is not valid JSON: unexpected end at byte 1",
    ]);
    expect(await anthropicError(post(path, '{"messages":[]}'))).toEqual([
      400,
      "invalid_request_error",
      "`model` is missing: add the name of the model to use, as a string",
    ]);
    expect(await anthropicError(post(path, '{"model":"m","stream":"yes"}'))).toEqual([
      400,
      "invalid_request_error",
      "`stream` must be true or false, without quotes",
    ]);
    expect(await anthropicError(post(path, JSON.stringify({ model: "m", x: "x".repeat(70_000) })))).toEqual([
      413,
      "request_too_large",
      expect.stringMatching(/^request body is larger than \d+ bytes/),
    ] as never);
    expect(await anthropicError(ask(path))).toEqual([
      405,
      "invalid_request_error",
      `method GET is not allowed for ${bare}: use POST`,
    ]);
    expect((await anthropicError(post(path, '{"model":"nobody-has-it"}')))[1]).toMatch(/_error$/);
  });

  test.each(["/v1/messages/", "/v1/messages/nope", "/v1/messages/batches/x"])(
    "at %s, which does not exist, is told as Anthropic does",
    async (path) => {
      expect(await anthropicError(ask(path))).toEqual([404, "not_found_error", `unknown path: GET ${path}`]);
    },
  );

  test.each(["/v1/responses", "/v1/chat/completions", "/v1/embeddings"])(
    "at %s is told as OpenAI does",
    async (path) => {
      expect(await openaiError(fetch(gateway.url + path, { method: "POST", body: "{}" }))).toEqual([
        401,
        "authentication_error",
        "missing authorization header",
      ]);
      expect(await openaiError(post(path, "[]", version))).toEqual([
        400,
        "invalid_request_error",
        "the request body must be a JSON object: { ... }",
      ]);
    },
  );

  test.each(["/v1/responses/resp_1", "/v1/messagesx", "/v1/nope", "/nope"])(
    "at %s, which does not exist, is told as OpenAI does",
    async (path) => {
      expect(await openaiError(ask(path, { headers: version }))).toEqual([
        404,
        "not_found_error",
        `unknown path: GET ${path}`,
      ]);
    },
  );

  test("is the SDK's own error class, with the id of the request", async () => {
    const stranger = new Anthropic({ baseURL: gateway.url, apiKey: "wrong", maxRetries: 0 });
    const call = { model: "m", max_tokens: 1, messages: [{ role: "user" as const, content: "Hello" }] };
    const refused = await stranger.messages.create(call).catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Anthropic.AuthenticationError);
    expect(refused).toMatchObject({ status: 401, requestID: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    const counted = await stranger.messages.countTokens(call).catch((error: unknown) => error);
    expect(counted).toBeInstanceOf(Anthropic.AuthenticationError);
    const openai = new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: "wrong", maxRetries: 0 });
    const response = await openai.responses.create({ model: "m", input: "Hello" }).catch((error: unknown) => error);
    expect(response).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(response).toMatchObject({ status: 401, type: "authentication_error" });
  });
});

describe("the key", () => {
  test.each<[string, Record<string, string>]>([
    ["as bearer token", { authorization: `Bearer ${key}` }],
    ["as x-api-key", { "x-api-key": key }],
    ["as x-goog-api-key", { "x-goog-api-key": key }],
  ])("%s opens the routes of every dialect", async (_, headers) => {
    for (const path of ["/v1/responses", "/v1/messages", "/v1/messages/count_tokens", "/v1/chat/completions"]) {
      const answer = await fetch(gateway.url + path, { method: "POST", headers, body: "{}" });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("`model` is missing");
    }
  });
});

describe("the log of requests", () => {
  test.each([
    ["/v1/responses?x=1", "/v1/responses"],
    ["/v1/messages?beta=true", "/v1/messages"],
    ["/v1/messages/count_tokens", "/v1/messages/count_tokens"],
  ])("%s is a row with its path, model and mode, also when no model has the name", async (path, logged) => {
    const answer = await post(path, '{"model":"nobody-has-it","stream":true}');
    const row = await gateway.row(answer.headers.get("x-request-id") ?? "");
    expect(row).toMatchObject({
      path: logged,
      requested_model: "nobody-has-it",
      stream: logged !== "/v1/messages/count_tokens",
      status_code: answer.status,
    });
  });

  test("shows a list of betas that came in several lines as one", async () => {
    const client = openRawConnection(gateway.port);
    const betas = ["anthropic-beta: a-2025-01-01,b-2025-02-02", "anthropic-beta: c-2026-03-03", "x-request-id: betas"];
    client.send(
      `POST /v1/messages?beta=true HTTP/1.1\r\nHost: gateway\r\nx-api-key: ${key}\r\n${betas.join("\r\n")}\r\nContent-Length: 2\r\n\r\n{}`,
    );
    await client.receive(({ text }) => text.endsWith("}"));
    client.close();
    const row = await gateway.row("betas");
    expect(row.data.request_headers).toMatchObject({
      "anthropic-beta": "a-2025-01-01,b-2025-02-02, c-2026-03-03",
    });
  });

  test("shows none of the three keys", async () => {
    const headers = { authorization: "Bearer secret-one", "x-api-key": "secret-two", "x-goog-api-key": "secret-three" };
    const answer = await fetch(`${gateway.url}/v1/messages`, { method: "POST", headers, body: "{}" });
    const row = await gateway.row(answer.headers.get("x-request-id") ?? "");
    expect(row.data.request_headers).toMatchObject({
      authorization: "[REDACTED]",
      "x-api-key": "[REDACTED]",
      "x-goog-api-key": "[REDACTED]",
    });
    expect(JSON.stringify([row, gateway.logLines])).not.toMatch(/secret-(?:one|two|three)/);
  });
});

describe("what a client asks first", () => {
  test("GET / and HEAD / need no key", async () => {
    const answer = await fetch(`${gateway.url}/`);
    expect(answer.status).toBe(200);
    expect(await answer.json()).toEqual({
      name: "GoModel",
      endpoints: [
        "POST /v1/chat/completions",
        "POST /v1/responses",
        "POST /v1/messages",
        "POST /v1/messages/count_tokens",
        "POST /v1/embeddings",
        "GET /v1/models",
        "GET /health",
      ],
    });
    const head = await fetch(`${gateway.url}/`, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
  });

  test.each(["/v1/responses?client=x", "/v1/responses", "/v1/messages", "/", "/nope", "/v1/realtime?model=m"])(
    "a websocket at %s is 426 without a key",
    async (path) => {
      const client = openRawConnection(gateway.port);
      client.send(
        `GET ${path} HTTP/1.1\r\nHost: gateway\r\nConnection: Upgrade\r\nUpgrade: WebSocket\r\nSec-WebSocket-Version: 13\r\n` +
          "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
      const { text, end } = await client.receive(() => false);
      expect(text).toStartWith("HTTP/1.1 426 ");
      expect(text).toContain("websockets are not supported: send the request over HTTP");
      expect(end).toBe("fin");
    },
  );
});

describe("models for those who name a version of Anthropic's interface", () => {
  test("the SDK lists all of them, page by page", async () => {
    const ids: string[] = [];
    for await (const model of anthropic.models.list()) {
      expect(model).toMatchObject({ type: "model", display_name: model.id });
      expect(model.created_at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
      ids.push(model.id);
    }
    expect(ids).toEqual([...numbered.map((id) => `sim/${id}`), "sim/org/deep"]);
  });

  test("a page has 20 of them and tells that there are more", async () => {
    const page = await anthropic.models.list();
    expect([page.data.length, page.has_more, page.first_id, page.last_id]).toEqual([20, true, "sim/m-01", "sim/m-20"]);
    const next = await page.getNextPage();
    expect([next.data.length, next.has_more, next.first_id]).toEqual([6, false, "sim/m-21"]);
  });

  test("as many as are asked for, as Claude Code does", async () => {
    const answer = await ask("/v1/models?limit=1000", { headers: version });
    expect(answer.headers.get("content-type")).toBe("application/json");
    expect(answer.headers.get("request-id")).toBe(answer.headers.get("x-request-id"));
    const page = (await answer.json()) as { data: unknown[]; has_more: boolean };
    expect([page.data.length, page.has_more]).toEqual([26, false]);
  });

  test.each([
    ["limit=0", '`limit` must be a whole number from 1 to 1000, not "0"'],
    ["limit=1001", '`limit` must be a whole number from 1 to 1000, not "1001"'],
    ["after_id=nope", "`after_id` names no model of the list: nope; begin again without it"],
  ])("%s is a 400 that says what to change", async (query, message) => {
    expect(await anthropicError(ask(`/v1/models?${query}`, { headers: version }))).toEqual([
      400,
      "invalid_request_error",
      message,
    ]);
  });

  test.each(["sim/m-01", "sim%2Fm-01"])("one of them at /v1/models/%s", async (id) => {
    const model = await (await ask(`/v1/models/${id}`, { headers: version })).json();
    expect(model).toMatchObject({ type: "model", id: "sim/m-01", display_name: "sim/m-01" });
  });

  test("the SDK retrieves one whose id has slashes, and its own error for one that is not there", async () => {
    expect((await anthropic.models.retrieve("sim/org/deep")).id).toBe("sim/org/deep");
    const missing = await anthropic.models.retrieve("sim/nope").catch((error: unknown) => error);
    expect(missing).toBeInstanceOf(Anthropic.NotFoundError);
    expect(await anthropicError(ask("/v1/models/nope", { headers: version }))).toEqual([
      404,
      "not_found_error",
      "model not found: nope",
    ]);
    expect((await anthropicError(ask("/v1/models/%E0", { headers: version })))[0]).toBe(400);
    expect(await anthropicError(fetch(`${gateway.url}/v1/models`, { headers: version }))).toEqual([
      401,
      "authentication_error",
      "missing authorization header",
    ]);
  });
});

test("everybody else's models are OpenAI's", async () => {
  const list = (await (await ask("/v1/models?limit=3")).json()) as { object: string; data: { object: string }[] };
  expect([list.object, list.data.length, list.data[0]?.object]).toEqual(["list", 26, "model"]);
  const one = await (await ask("/v1/models/sim%2Forg%2Fdeep")).json();
  expect(one).toMatchObject({ id: "sim/org/deep", object: "model" });
  expect(await openaiError(ask("/v1/models/nope"))).toEqual([404, "not_found_error", "model not found: nope"]);
});

test("a gateway that is shutting down says so in the dialect of the caller", async () => {
  const slow = await startGateway(`
server: { shutdown_grace: 5s }
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: k, models: [slow-first-1000] }
models: { configured_provider_models_mode: allowlist }
`);
  const body = '{"model":"m","max_tokens":1,"messages":[]}';
  const underWay = slow.chat("sim/slow-first-1000");
  await eventually("the call is under way", () => slow.application.inFlight === 1);
  const stopping = slow.stop();
  const refusal = await anthropicError(fetch(`${slow.url}/v1/messages`, { method: "POST", body }));
  expect([refusal[0], refusal[2]]).toEqual([503, "the gateway is shutting down"]);
  await (await underWay).text();
  await stopping;
  simulator.reset();
});
