// Vertex behind a provider: what enables it, its paths, and the token that its calls carry.

import { afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync } from "node:crypto";
import { loaded } from "../../test/support/load-config.ts";
import { providerAt, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { Cancellation } from "../core/cancellation.ts";
import { providerTypes } from "./registry.ts";

const types = providerTypes.map(({ info }) => info);
const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => {
  upstream.stop();
});

function vertex(more: Readonly<Record<string, string>> = {}) {
  const account = {
    type: "service_account",
    client_email: "bot@p.iam.gserviceaccount.com",
    private_key: pem,
    token_uri: `http://127.0.0.1:${upstream.port}/token`,
  };
  const options = {
    VERTEX_PROJECT: "p1",
    VERTEX_LOCATION: "europe-west4",
    VERTEX_AUTH_TYPE: "gcp_service_account",
    VERTEX_SERVICE_ACCOUNT_JSON: JSON.stringify(account),
    ...more,
  };
  return providerAt(upstream.port, {
    name: "vertex",
    type: "vertex",
    baseUrl: `http://127.0.0.1:${upstream.port}`,
    options,
  });
}

const answer = { candidates: [{ content: { parts: [{ text: "Hi" }] }, finishReason: "STOP" }] };

/** A token server, and the models behind it. */
function serve(body: unknown, token: unknown = { access_token: "t1", expires_in: 3600 }, status = 200): void {
  upstream.script = (connection, { requestLine }) => {
    const isToken = requestLine.startsWith("POST /token ");
    const json = { "content-type": "application/json" };
    connection.write(answerText(isToken ? status : 200, json, JSON.stringify(isToken ? token : body)));
  };
}

const request = () => requestOf({ messages: [{ role: "user", content: "Hi" }] });
const lines = () => upstream.requests.map(({ requestLine }) => requestLine);

test("calls carry a token that is bought once", async () => {
  serve(answer);
  const provider = vertex();
  await provider.prepare(request(), "gemini-2.5-pro").send({ idempotencyKey: undefined });
  await provider.prepare(request(), "gemini-2.5-pro").send({ idempotencyKey: undefined });
  const path = "/v1/projects/p1/locations/europe-west4/publishers/google/models/gemini-2.5-pro:generateContent";
  expect(lines()).toEqual(["POST /token HTTP/1.1", `POST ${path} HTTP/1.1`, `POST ${path} HTTP/1.1`]);
  const [, first] = upstream.requests;
  expect(first?.headers.map((header) => header.join(": "))).toContain("Authorization: Bearer t1");
});

test("a service account that Google does not know is an authentication error that names the provider", async () => {
  serve(answer, { error: "invalid_grant" }, 400);
  const sent = vertex().prepare(request(), "gemini-2.5-pro").send({ idempotencyKey: undefined });
  const failure = await sent.catch((error: unknown) => error);
  expect(failure).toMatchObject({
    status: 401,
    type: "authentication_error",
    message: "provider vertex got no access token from Google: invalid_grant",
  });
});

test("its compatible paths take models by their maker", async () => {
  serve({ id: "c", choices: [{ index: 0, message: { role: "assistant", content: "x" }, finish_reason: "stop" }] });
  const provider = vertex({ VERTEX_API_MODE: "openai_compatible" });
  await provider.prepare(request(), "gemini-2.5-pro").send({ idempotencyKey: undefined });
  const [, call] = upstream.requests;
  expect(call?.requestLine).toBe(
    "POST /v1/projects/p1/locations/europe-west4/endpoints/openapi/chat/completions HTTP/1.1",
  );
  expect(JSON.parse(call?.body ?? "")).toMatchObject({ model: "google/gemini-2.5-pro" });
});

test("lists Google's models", async () => {
  serve({ publisherModels: [{ name: "publishers/google/models/gemini-2.5-pro" }] });
  expect(await vertex().listModels(new Cancellation())).toEqual([
    { id: "gemini-2.5-pro", created: undefined, ownedBy: "google" },
  ]);
  expect(lines()[1]).toBe("GET /v1beta1/publishers/google/models?pageSize=200 HTTP/1.1");
});

test("project and location enable it, and the location says where it is", () => {
  const env = { VERTEX_PROJECT: "p1", VERTEX_LOCATION: "europe-west4" };
  expect(loaded({ env, types }).config.providers).toMatchObject([
    { name: "vertex", type: "vertex", baseUrl: "https://europe-west4-aiplatform.googleapis.com", options: env },
  ]);
  expect(loaded({ env: { VERTEX_PROJECT: "p1" }, types }).config.providers).toEqual([]);
});

test("a block of its type takes the variables, and without them says which are missing", () => {
  const env = { VERTEX_PROJECT: "p1", VERTEX_LOCATION: "global" };
  const yaml = "providers:\n  google:\n    type: vertex\n";
  expect(loaded({ yaml, env, types }).config.providers).toMatchObject([
    { name: "google", type: "vertex", baseUrl: "https://aiplatform.googleapis.com" },
  ]);
  const { problems, config } = loaded({ yaml, types });
  expect(config.providers).toEqual([]);
  expect(problems.map(({ message }) => message)).toContain(
    'provider "google" is left out: set vertex_project (or VERTEX_PROJECT) and vertex_location (or VERTEX_LOCATION)',
  );
});

test("two blocks can have projects and credentials of their own", () => {
  const env = { VERTEX_PROJECT: "p1", VERTEX_LOCATION: "global" };
  const yaml = `providers:
  vertex:
    vertex_project: overridden
  second:
    type: vertex
    vertex_project: p2
    vertex_location: us-east5
    auth_type: gcp_service_account
    service_account_json: |
      { "type": "service_account" }
`;
  expect(loaded({ yaml, env, types }).config.providers).toMatchObject([
    { name: "vertex", baseUrl: "https://aiplatform.googleapis.com", options: env },
    {
      name: "second",
      baseUrl: "https://us-east5-aiplatform.googleapis.com",
      options: {
        VERTEX_PROJECT: "p2",
        VERTEX_LOCATION: "us-east5",
        VERTEX_AUTH_TYPE: "gcp_service_account",
        VERTEX_SERVICE_ACCOUNT_JSON: '{ "type": "service_account" }',
      },
    },
  ]);
});

test("with variables of its own address and models, too", () => {
  const env = { VERTEX_PROJECT: "p1", VERTEX_LOCATION: "global", VERTEX_MODELS: "gemini-2.5-pro" };
  expect(loaded({ env, types }).config.providers).toMatchObject([
    { name: "vertex", baseUrl: "https://aiplatform.googleapis.com", models: [{ id: "gemini-2.5-pro" }] },
  ]);
});

test("a key is a token, and Google is asked for none", async () => {
  serve(answer);
  const options = { VERTEX_PROJECT: "p1", VERTEX_LOCATION: "global" };
  const baseUrl = `http://127.0.0.1:${upstream.port}`;
  const provider = providerAt(upstream.port, { name: "vertex", type: "vertex", baseUrl, options, apiKeys: ["ready"] });
  await provider.prepare(request(), "gemini-2.5-pro").send({ idempotencyKey: undefined });
  expect(lines()).toEqual([
    "POST /v1/projects/p1/locations/global/publishers/google/models/gemini-2.5-pro:generateContent HTTP/1.1",
  ]);
  expect(upstream.requests[0]?.headers.map((header) => header.join(": "))).toContain("Authorization: Bearer ready");
});
