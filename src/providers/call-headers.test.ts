import { wireTools } from "../../test/support/wire-tools.ts";
import { describe, expect, test } from "bun:test";
import { providerConfig } from "../../test/support/provider-config.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import { scanObject } from "../dialects/json/scan-object.ts";
import { providerTypes } from "./registry.ts";
import { requestFields } from "./request-fields.ts";

interface Caller {
  readonly requestId?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

function wireOf(type: string, overrides: Partial<ProviderConfig> = {}) {
  const providerType = providerTypes.find(({ info }) => info.type === type);
  if (providerType === undefined) throw new Error(`no type ${type}`);
  return providerType.createWire(providerConfig({ type, ...overrides }), wireTools);
}

function headersOf(type: string, caller: Caller, overrides: Partial<ProviderConfig> = {}) {
  const body = new TextEncoder().encode(caller.body ?? "{}");
  const members = scanObject(body, 100);
  if ("kind" in members) throw new Error(members.message);
  return wireOf(type, overrides).callHeaders?.({
    fields: requestFields({ body, members }),
    requestId: caller.requestId,
    isTranslated: false,
    callerHeader: (name) => caller.headers?.[name],
  });
}

describe.each(["openai", "azure"])("%s", (type) => {
  test("gets the request id as X-Client-Request-Id and the caller's OpenAI-Beta", () => {
    expect(headersOf(type, { requestId: "r1", headers: { "openai-beta": "x=v1" } })).toEqual([
      ["X-Client-Request-Id", "r1"],
      ["OpenAI-Beta", "x=v1"],
    ]);
  });

  test("gets neither when there is none", () => {
    expect(headersOf(type, {})).toEqual([]);
  });
});

describe("openrouter", () => {
  test("is told the default site and application", () => {
    expect(wireOf("openrouter").defaultHeaders).toEqual([["HTTP-Referer", "https://gomodel.enterpilot.io"]]);
    expect(headersOf("openrouter", {})).toEqual([["X-OpenRouter-Title", "GoModel"]]);
  });

  test("is told the configured site and application", () => {
    const options = { OPENROUTER_SITE_URL: "https://mine", OPENROUTER_APP_NAME: "Mine" };
    expect(wireOf("openrouter", { options }).defaultHeaders).toEqual([["HTTP-Referer", "https://mine"]]);
    expect(headersOf("openrouter", {}, { options })).toEqual([["X-OpenRouter-Title", "Mine"]]);
  });

  test("gets the caller's X-Title instead of ours", () => {
    expect(headersOf("openrouter", { headers: { "x-title": "Theirs" } })).toEqual([["X-Title", "Theirs"]]);
  });

  test("gets no title of ours beside a configured X-Title", () => {
    expect(headersOf("openrouter", {}, { customUpstreamHeaders: [["x-title", "Mine"]] })).toEqual([]);
  });
});

describe("xai", () => {
  const opening = '{"role":"system","content":"s"},{"role":"user","content":"u"}';

  test("gets the caller's x-grok-conv-id", () => {
    const caller = { headers: { "x-grok-conv-id": "c1" }, body: `{"messages":[${opening}]}` };
    expect(headersOf("xai", caller)).toEqual([["x-grok-conv-id", "c1"]]);
  });

  test("gets the same id, in the form of a UUID, for every turn of one conversation", () => {
    const first = headersOf("xai", { body: `{"messages":[${opening}]}` });
    const second = headersOf("xai", {
      body: `{"messages":[ ${opening}, {"role":"assistant","content":"a"},{"role":"user","content":"u2"}]}`,
    });
    expect(first).toEqual(second);
    expect(first?.[0]?.[1]).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  });

  test("gets another id for another opening", () => {
    const other = '{"messages":[{"role":"user","content":"v"}]}';
    expect(headersOf("xai", { body: other })).not.toEqual(headersOf("xai", { body: `{"messages":[${opening}]}` }));
  });

  test("gets one id for a conversation by Responses, whose first turn comes back as an item", () => {
    const [first] = headersOf("xai", { body: '{"instructions":"s","input":"u"}' }) ?? [];
    const item = '{"type":"message","role":"user","content":[{"type":"input_text","text":"u"}]}';
    const answer = '{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a"}]}';
    const later = `{"instructions":"s","input":[${item},${answer},{"role":"user","content":"u2"}]}`;
    expect(first?.[1]).toMatch(/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    expect(headersOf("xai", { body: later })).toEqual([["x-grok-conv-id", first?.[1] ?? ""]]);
    expect(headersOf("xai", { body: '{"instructions":"t","input":"u"}' })).not.toEqual(
      headersOf("xai", { body: later }),
    );
  });

  test.each([
    '{"messages":[]}',
    '{"messages":"x"}',
    '{"messages":[null,{"role":"system"}]}',
    '{"input":[]}',
    '{"input":7}',
    '{"input":"x","previous_response_id":"resp_1"}',
    "{}",
  ])("gets none for %s", (body) => {
    expect(headersOf("xai", { body })).toEqual([]);
  });
});

const paths: readonly (readonly [
  type: string,
  baseUrl: string,
  chat: string,
  embeddings: string | undefined,
  models: string,
])[] = [
  ["openai", "https://api.openai.com/v1", "/v1/chat/completions", "/v1/embeddings", "/v1/models"],
  ["openai", "http://127.0.0.1:1", "/chat/completions", "/embeddings", "/models"],
  [
    "groq",
    "https://api.groq.com/openai/v1",
    "/openai/v1/chat/completions",
    "/openai/v1/embeddings",
    "/openai/v1/models",
  ],
  ["deepseek", "https://api.deepseek.com", "/chat/completions", undefined, "/models"],
  ["ollama", "http://localhost:11434/v1", "/v1/chat/completions", "/v1/embeddings", "/v1/models"],
  ["ollama", "http://localhost:11434", "/v1/chat/completions", "/v1/embeddings", "/v1/models"],
  ["vllm", "http://localhost:8000/v1", "/v1/chat/completions", "/v1/embeddings", "/v1/models"],
  [
    "azure",
    "https://r.openai.azure.com",
    "/openai/deployments/a%2Fb%20c/chat/completions?api-version=2024-10-21",
    "/openai/deployments/a%2Fb%20c/embeddings?api-version=2024-10-21",
    "/openai/models?api-version=2024-10-21",
  ],
  [
    "azure",
    "https://r.openai.azure.com/openai",
    "/openai/deployments/a%2Fb%20c/chat/completions?api-version=2024-10-21",
    "/openai/deployments/a%2Fb%20c/embeddings?api-version=2024-10-21",
    "/openai/models?api-version=2024-10-21",
  ],
  [
    "azure",
    "https://gw.example/x/openai/deployments/d1",
    "/x/openai/deployments/d1/chat/completions?api-version=2024-10-21",
    "/x/openai/deployments/d1/embeddings?api-version=2024-10-21",
    "/x/openai/models?api-version=2024-10-21",
  ],
  [
    "azure",
    "https://r.openai.azure.com/openai/v1",
    "/openai/v1/chat/completions",
    "/openai/v1/embeddings",
    "/openai/v1/models",
  ],
];

test.each(paths)("%s at %s: chat at %s, embeddings at %p, listing at %s", (type, baseUrl, chat, embeddings, models) => {
  const wire = wireOf(type, { baseUrl });
  expect({
    chat: wire.paths.chatCompletions?.("a/b c"),
    embeddings: wire.paths.embeddings?.("a/b c"),
    models: wire.paths.models,
  }).toEqual({ chat, embeddings, models });
});

test("a configured API version of Azure replaces 2024-10-21", () => {
  const wire = wireOf("azure", { baseUrl: "https://r.openai.azure.com", apiVersion: "2025-01-01-preview" });
  expect(wire.paths.models).toBe("/openai/models?api-version=2025-01-01-preview");
});

test.each([
  ["openai", "authorization"],
  ["azure", "api-key"],
  ["ollama", "authorization"],
])("the key of %s goes into %s", (type, header) => {
  expect<unknown>(wireOf(type).keyHeader).toBe(header);
});
