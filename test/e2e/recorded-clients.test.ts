// Everything that real clients were recorded sending is accepted, and a provider of their own dialect gets it as it was sent.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type Simulator, startSimulator } from "../../src/upstream-simulator/simulator.ts";
import type { SimulatorCall } from "../../src/upstream-simulator/simulator-call.ts";
import {
  pathOf,
  recordedCalls,
  recordedKey,
  type RecordedRequest,
  recordedRequests,
  replay,
  wholeAnswer,
} from "../support/client-recordings.ts";
import { type RunningGateway, startGateway } from "../support/start-gateway.ts";

/** Every model name that a recording asks for; `org/mock-model` is the one with a slash in it. */
const models = [
  "mock-model",
  "mock-small",
  "embed-mock",
  "gpt-5-codex",
  "gpt-6.2-sol",
  "claude-opus-4-8",
  "claude-sonnet-4-5",
  "org/mock-model",
];
const providerKeys = { openai: "key-of-openai", anthropic: "key-of-anthropic" };

let simulators: Readonly<Record<"openai" | "anthropic", Simulator>>;
let gateway: RunningGateway;

beforeAll(async () => {
  simulators = { openai: startSimulator(), anthropic: startSimulator() };
  for (const simulator of Object.values(simulators)) for (const model of models) simulator.setFault(model, "ok");
  const provider = (type: "openai" | "anthropic"): object => ({
    type,
    base_url: simulators[type].baseUrl,
    api_key: providerKeys[type],
    models,
  });
  gateway = await startGateway(
    JSON.stringify({
      providers: { openai: provider("openai"), anthropic: provider("anthropic") },
      models: { configured_provider_models_mode: "allowlist" },
      logging: { enabled: false },
    }),
    { GOMODEL_MASTER_KEY: recordedKey },
  );
});
afterAll(async () => {
  expect(gateway.logLines.filter(({ level }) => level === "error" || level === "warn")).toEqual([]);
  await gateway.stop();
  await Promise.all(Object.values(simulators).map((simulator) => simulator.stop()));
});

/** What says how the body is meant and which session it belongs to goes up; see `src/providers/dialect-headers.ts`. */
const goesUp = new Set([
  "anthropic-beta",
  "anthropic-version",
  "openai-beta",
  "originator",
  "session-id",
  "session_id",
  "thread-id",
  "version",
  "x-app",
  "x-claude-code-session-id",
  "x-codex-beta-features",
  "x-codex-turn-metadata",
  "x-codex-window-id",
  "x-initiator",
  "x-interaction-type",
  "x-openai-internal-codex-responses-lite",
  "x-session-affinity",
  "x-session-id",
]);

/** The rest says something about the client's connection, its library or its key, which are not the gateway's. `x-stainless-*` is one family. */
const staysHere = new Set([
  "accept",
  "accept-encoding",
  "accept-language",
  "anthropic-dangerous-direct-browser-access",
  "authorization",
  "content-type",
  "sec-fetch-mode",
  "user-agent",
  "x-api-key",
  // OpenAI gets the gateway's own in its place, by which its support finds what our log has.
  "x-client-request-id",
]);

/** Fails for a call that shows anything of the caller's key. */
function expectNoCallerKey(call: SimulatorCall, provider: "openai" | "anthropic"): void {
  const { "x-api-key": apiKey, authorization } = call.headers;
  expect([authorization, apiKey]).toEqual(
    provider === "openai" ? [`Bearer ${providerKeys.openai}`, undefined] : [undefined, providerKeys.anthropic],
  );
  for (const [name, value] of call.rawHeaders) expect(`${name}: ${value}`).not.toContain(recordedKey);
}

/** Fails unless each header is where the two sets above say. */
function expectHeaders(call: SimulatorCall, request: RecordedRequest): void {
  for (const [sent, value] of request.headers) {
    const name = sent.toLowerCase();
    if (goesUp.has(name)) expect([name, call.headers[name]]).toEqual([name, value]);
    else if (name.startsWith("x-stainless-")) expect([name, call.headers[name]]).toEqual([name, undefined]);
    else expect([name, staysHere.has(name)]).toEqual([name, true]);
  }
  expect(call.headers["user-agent"]).not.toBe(request.headers.find(([name]) => /^user-agent$/i.test(name))?.[1]);
  expect(call.headers["anthropic-dangerous-direct-browser-access"]).toBeUndefined();
}

const sameDialect = recordedCalls.map((call) => ({
  ...call,
  provider: call.dialect === "messages" ? ("anthropic" as const) : ("openai" as const),
}));

describe("at a provider that speaks the client's dialect", () => {
  test.each(sameDialect)("$title is unchanged but for the model", async (call) => {
    const simulator = simulators[call.provider];
    simulator.reset();
    const answer = await replay(gateway.url, call, {
      ...call.body,
      model: `${call.provider}/${String(call.body["model"])}`,
    });
    const text = await answer.text();
    expect([answer.status, text]).toEqual([200, expect.stringMatching(wholeAnswer(call))] as never);
    const [upstream, ...more] = simulator.calls;
    if (upstream === undefined || more.length > 0) throw new Error(`${simulator.calls.length} calls instead of one`);
    expect(new TextDecoder().decode(upstream.body)).toBe(JSON.stringify(asTaken(call)));
    expect(upstream.path).toBe(call.path);
    expectHeaders(upstream, call);
    const requestId = call.provider === "openai" ? answer.headers.get("x-request-id") : undefined;
    expect(upstream.headers["x-client-request-id"]).toBe(requestId ?? undefined);
    expectNoCallerKey(upstream, call.provider);
  });
});

/** The body as the client wrote it, and for a chat stream that did not ask for its usage: with the question, which the gateway counts by. */
function asTaken({ dialect, body }: (typeof sameDialect)[number]): object {
  return dialect === "chat-completions" && body["stream"] === true && body["stream_options"] === undefined
    ? { ...body, stream_options: { include_usage: true } }
    : body;
}

const others = recordedRequests.filter((request) => !recordedCalls.some(({ title }) => title === request.title));
const ofPath = (pattern: RegExp): readonly RecordedRequest[] => others.filter(({ path }) => pattern.test(path));

describe("what clients ask besides", () => {
  test.each(ofPath(/count_tokens/))("$title counts tokens where the model is", async (request) => {
    const { anthropic } = simulators;
    anthropic.reset();
    const answer = await replay(gateway.url, request, {
      ...request.body,
      model: `anthropic/${String(request.body?.["model"])}`,
    });
    expect([answer.status, await answer.json()]).toEqual([200, { input_tokens: expect.any(Number) }] as never);
    const [upstream] = anthropic.calls;
    if (upstream === undefined) throw new Error("nothing was counted");
    expect(new TextDecoder().decode(upstream.body)).toBe(JSON.stringify(request.body));
    expect(upstream.path).toBe(request.path);
    expectHeaders(upstream, request);
    expectNoCallerKey(upstream, "anthropic");
  });

  test.each(ofPath(/embeddings/))("$title gets its embeddings", async (request) => {
    const { openai } = simulators;
    openai.reset();
    const answer = await replay(gateway.url, request, {
      ...request.body,
      model: `openai/${String(request.body?.["model"])}`,
    });
    expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ object: "list" })] as never);
    const [upstream] = openai.calls;
    if (upstream === undefined) throw new Error("nothing was embedded");
    expect(new TextDecoder().decode(upstream.body)).toBe(JSON.stringify(request.body));
    expectNoCallerKey(upstream, "openai");
  });

  test.each(others.filter(({ method }) => method === "HEAD"))("$title, without a key, is answered", async (request) => {
    expect(request.headers.some(([name]) => /^(authorization|x-api-key)$/i.test(name))).toBe(false);
    expect((await replay(gateway.url, request)).status).toBe(200);
  });

  test.each(ofPath(/^\/v1\/models(\?|$)/))("$title lists the models in the client's shape", async (request) => {
    const answer = await replay(gateway.url, { ...request, body: undefined });
    const isAnthropic = request.headers.some(([name]) => name.toLowerCase() === "anthropic-version");
    const list = (await answer.json()) as { readonly data: readonly JsonModel[]; readonly has_more?: boolean };
    expect([answer.status, typeof list.has_more]).toEqual([200, isAnthropic ? "boolean" : "undefined"]);
    expect(list.data.map(({ id }) => id)).toContain("openai/gpt-5-codex");
    for (const model of list.data) {
      expect(isAnthropic ? model.type : model.object).toBe("model");
    }
  });

  test.each(ofPath(/^\/v1\/models\/./))("$title gets one model, its slash encoded or not", async (request) => {
    const answer = await replay(gateway.url, { ...request, body: undefined });
    const model = (await answer.json()) as JsonModel;
    expect([answer.status, decodeURIComponent(pathOf(request))]).toEqual([200, `/v1/models/${model.id}`]);
  });

  test.each(others.filter(({ method, path }) => method === "GET" && path === "/v1/responses"))(
    "$title, a websocket, is told to use HTTP",
    async (request) => {
      const answer = await replay(gateway.url, request);
      expect([answer.status, answer.headers.get("upgrade")]).toEqual([426, null]);
    },
  );

  test("nothing that was recorded is left over", () => {
    const taken = [/count_tokens/, /embeddings/, /^\/$/, /^\/v1\/models/, /^\/v1\/responses$/];
    expect(others.filter(({ path }) => !taken.some((pattern) => pattern.test(path))).map(({ title }) => title)).toEqual(
      [],
    );
    expect(recordedCalls.length).toBeGreaterThan(150);
  });
});

interface JsonModel {
  readonly id: string;
  readonly type?: string;
  readonly object?: string;
}
