// Who may ask: the master key, its three ways of being sent, what is open without it, and what is said without it.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

let simulator: Simulator;
let closed: RunningGateway;
let open: RunningGateway;
let disabled: RunningGateway;

beforeAll(async () => {
  simulator = startSimulator();
  const yaml = `
providers:
  sim: { type: openai, base_url: "${simulator.baseUrl}", api_key: upstream-key, models: [ok] }
models: { configured_provider_models_mode: allowlist }
metrics: { enabled: true }
`;
  [closed, open, disabled] = await Promise.all([
    startGateway(yaml, { GOMODEL_MASTER_KEY: "the-master-key" }),
    startGateway(yaml),
    startGateway(yaml, { GOMODEL_MASTER_KEY: "the-master-key", MASTER_KEY_DISABLED: "true" }),
  ]);
});
afterAll(async () => {
  await Promise.all([closed.stop(), open.stop(), disabled.stop()]);
  await simulator.stop();
});

const chatPath = "/v1/chat/completions";

function ask(gateway: RunningGateway, path: string, headers: Record<string, string> = {}): Promise<Response> {
  if (path !== chatPath) return fetch(gateway.url + path, { headers });
  return fetch(gateway.url + path, { method: "POST", headers, body: '{"model":"sim/ok","messages":[]}' });
}

async function refusal(response: Promise<Response>): Promise<string> {
  const answer = await response;
  expect(answer.status).toBe(401);
  const { error } = (await answer.json()) as { error: Record<string, unknown> };
  expect(error).toEqual({ type: "authentication_error", message: error["message"], param: null, code: null });
  return String(error["message"]);
}

const badFormat = "invalid authorization header format, expected 'Bearer <token>'";

describe("with a master key", () => {
  test.each<[string, Record<string, string>]>([
    ["as bearer token", { authorization: "Bearer the-master-key" }],
    ["with the scheme in small letters", { authorization: "bearer the-master-key" }],
    ["as x-api-key", { "x-api-key": "the-master-key" }],
    ["as x-goog-api-key", { "x-goog-api-key": "the-master-key" }],
    ["as x-goog-api-key beside an empty x-api-key", { "x-api-key": "", "x-goog-api-key": "the-master-key" }],
    ["as x-api-key, which comes before x-goog-api-key", { "x-api-key": "the-master-key", "x-goog-api-key": "x" }],
  ])("it opens every route, %s", async (_, headers) => {
    for (const path of [chatPath, "/v1/models", "/admin/audit/log", "/admin/providers/status"]) {
      expect((await ask(closed, path, headers)).status).toBe(200);
    }
  });

  test.each<[string, Record<string, string>, string]>([
    ["no key", {}, "missing authorization header"],
    ["an empty x-api-key", { "x-api-key": "" }, "missing authorization header"],
    ["another scheme", { authorization: "Basic dGhlOmtleQ==" }, badFormat],
    ["the bare key", { authorization: "the-master-key" }, badFormat],
    ["the scheme alone", { authorization: "Bearer" }, badFormat],
    ["two words after the scheme", { authorization: "Bearer the-master-key x" }, badFormat],
    ["a wrong key", { authorization: "Bearer the-master-kez" }, "invalid master key"],
    ["a part of the key", { authorization: "Bearer the-master-ke" }, "invalid master key"],
    ["a wrong x-api-key", { "x-api-key": "x" }, "invalid master key"],
    ["a wrong x-goog-api-key", { "x-goog-api-key": "x" }, "invalid master key"],
    ["an empty x-goog-api-key", { "x-goog-api-key": "" }, "missing authorization header"],
    [
      "a whole Authorization value as x-api-key, however often it was right as what it is",
      { "x-api-key": "Bearer the-master-key" },
      "invalid master key",
    ],
    [
      "a wrong x-api-key beside the right x-goog-api-key",
      { "x-api-key": "x", "x-goog-api-key": "the-master-key" },
      "invalid master key",
    ],
    [
      "a wrong bearer token beside the right x-api-key",
      { authorization: "Bearer x", "x-api-key": "the-master-key" },
      "invalid master key",
    ],
  ])("%s is refused on every route that needs it", async (_, headers, message) => {
    for (const path of [
      chatPath,
      "/v1/models",
      "/v1/models/sim/ok",
      "/admin/audit/log",
      "/admin/audit/detail?log_id=1",
      "/admin/providers/status",
    ]) {
      expect(await refusal(ask(closed, path, headers))).toBe(message);
    }
  });

  test("health, readiness and metrics are open without it, also to a wrong one", async () => {
    for (const path of ["/health", "/health/ready", "/metrics"]) {
      expect((await ask(closed, path)).status).toBe(200);
      expect((await ask(closed, path, { authorization: "Bearer x" })).status).toBe(200);
    }
  });

  test("two Authorization headers are refused", async () => {
    const headers = new Headers([
      ["authorization", "Bearer the-master-key"],
      ["authorization", "Bearer x"],
    ]);
    expect((await fetch(`${closed.url}/v1/models`, { headers })).status).toBe(401);
  });

  test("an unknown path and a wrong method are told without it", async () => {
    expect((await ask(closed, "/v1/nope")).status).toBe(404);
    expect((await fetch(closed.url + chatPath)).status).toBe(405);
  });

  test("the key is never sent upstream and never logged", async () => {
    simulator.reset();
    const answer = await ask(closed, chatPath, { authorization: "Bearer the-master-key" });
    expect(answer.status).toBe(200);
    expect(simulator.calls[0]?.headers["authorization"]).toBe("Bearer upstream-key");
    const row = await closed.row(answer.headers.get("x-request-id") ?? "");
    expect(row.auth_method).toBe("master_key");
    expect(row.data.api_key_hash).toMatch(/^[0-9a-f]{16}$/);
    expect(JSON.stringify([await closed.rows(1), closed.logLines])).not.toContain("the-master-key");
  });
});

test("without one everything is open, whatever is sent", async () => {
  for (const path of [chatPath, "/v1/models", "/admin/audit/log", "/health"]) {
    expect((await ask(open, path)).status).toBe(200);
    for (const name of ["authorization", "x-api-key", "x-goog-api-key"]) {
      expect((await ask(open, path, { [name]: "anything" })).status).toBe(200);
    }
  }
});

test("MASTER_KEY_DISABLED forgets the key and still asks for one, for the admin API too", async () => {
  for (const path of [chatPath, "/v1/models", "/admin/audit/log"]) {
    expect(await refusal(ask(disabled, path))).toBe("missing authorization header");
    expect(await refusal(ask(disabled, path, { authorization: "Bearer the-master-key" }))).toBe(
      "authentication failed",
    );
  }
  expect((await ask(disabled, "/health")).status).toBe(200);
});
