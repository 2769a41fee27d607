// What each provider type is without being told: what enables it, where its calls go, and whose key goes where.

import { wireTools } from "../../test/support/wire-tools.ts";
import { describe, expect, test } from "bun:test";
import { loaded } from "../../test/support/load-config.ts";
import { providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { providerConfig } from "../../test/support/provider-config.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { providerTypes } from "./registry.ts";

interface Row {
  /** Variables that are just enough. */
  readonly enabledBy: Readonly<Record<string, string>>;
  readonly baseUrl: string;
  readonly key: string;
  /** Absent: it is asked in another dialect, at `messages`. */
  readonly chat?: string;
  readonly messages?: string;
  readonly embeddings?: string;
  readonly models: string;
}

/** A hosted type with OpenAI's paths right below its base URL. */
function hosted(prefix: string, baseUrl: string, embeddings: boolean): Row {
  return {
    enabledBy: { [`${prefix}_API_KEY`]: "k" },
    baseUrl,
    key: "Authorization: Bearer k",
    chat: `${new URL(baseUrl).pathname.replace(/^\/$/, "")}/chat/completions`,
    ...(embeddings ? { embeddings: `${new URL(baseUrl).pathname}/embeddings` } : {}),
    models: `${new URL(baseUrl).pathname.replace(/^\/$/, "")}/models`,
  };
}

/** A server of one's own with OpenAI's paths below /v1. */
function own(prefix: string): Row {
  return {
    enabledBy: { [`${prefix}_BASE_URL`]: "http://10.0.0.1:9" },
    baseUrl: "http://10.0.0.1:9",
    key: "Authorization: Bearer k",
    chat: "/v1/chat/completions",
    embeddings: "/v1/embeddings",
    models: "/v1/models",
  };
}

const rows: Readonly<Record<string, Row>> = {
  openai: hosted("OPENAI", "https://api.openai.com/v1", true),
  anthropic: {
    enabledBy: { ANTHROPIC_API_KEY: "k" },
    baseUrl: "https://api.anthropic.com/v1",
    key: "x-api-key: k",
    messages: "/v1/messages",
    models: "/v1/models?limit=1000",
  },
  azure: {
    enabledBy: { AZURE_API_KEY: "k", AZURE_BASE_URL: "https://r.openai.azure.com" },
    baseUrl: "https://r.openai.azure.com",
    key: "api-key: k",
    chat: "/openai/deployments/m/chat/completions?api-version=2024-10-21",
    embeddings: "/openai/deployments/m/embeddings?api-version=2024-10-21",
    models: "/openai/models?api-version=2024-10-21",
  },
  deepseek: hosted("DEEPSEEK", "https://api.deepseek.com", false),
  mistral: hosted("MISTRAL", "https://api.mistral.ai/v1", true),
  xai: hosted("XAI", "https://api.x.ai/v1", true),
  zai: hosted("ZAI", "https://api.z.ai/api/paas/v4", true),
  kimi: hosted("KIMI", "https://api.kimi.com/coding/v1", true),
  kimicode: hosted("KIMICODE", "https://api.kimi.com/coding/v1", true),
  minimax: hosted("MINIMAX", "https://api.minimax.io/v1", true),
  bailian: hosted("BAILIAN", "https://dashscope.aliyuncs.com/compatible-mode/v1", true),
  xiaomi: hosted("XIAOMI", "https://api.xiaomimimo.com/v1", false),
  meta: hosted("META", "https://api.meta.ai/v1", false),
  perplexity: hosted("PERPLEXITY", "https://api.perplexity.ai", false),
  groq: hosted("GROQ", "https://api.groq.com/openai/v1", true),
  cerebras: hosted("CEREBRAS", "https://api.cerebras.ai/v1", false),
  together: hosted("TOGETHER", "https://api.together.ai/v1", true),
  fireworks: hosted("FIREWORKS", "https://api.fireworks.ai/inference/v1", true),
  chutes: hosted("CHUTES", "https://llm.chutes.ai/v1", false),
  hetzner: hosted("HETZNER", "https://inference.hetzner.com/api/v1", false),
  oracle: {
    ...hosted("ORACLE", "https://inference.generativeai.eu-1.oci.oraclecloud.com/openai/v1", false),
    enabledBy: {
      ORACLE_API_KEY: "k",
      ORACLE_BASE_URL: "https://inference.generativeai.eu-1.oci.oraclecloud.com/openai/v1",
    },
  },
  openrouter: hosted("OPENROUTER", "https://openrouter.ai/api/v1", true),
  kilo: hosted("KILO", "https://api.kilo.ai/api/gateway", false),
  edenai: hosted("EDENAI", "https://api.edenai.run/v3", true),
  opencode_go: {
    ...hosted("OPENCODE_GO", "https://opencode.ai/zen/go/v1", false),
    messages: "/zen/go/v1/messages",
  },
  ollama: own("OLLAMA"),
  vllm: {
    ...own("VLLM"),
    enabledBy: { VLLM_BASE_URL: "http://10.0.0.1:9/v1" },
    baseUrl: "http://10.0.0.1:9/v1",
  },
  sglang: own("SGLANG"),
  llamacpp: own("LLAMACPP"),
  llmd: own("LLMD"),
};

const types = providerTypes.map(({ info }) => info);

/** Dialects and credentials of their own: each has its own test beside it. */
const elsewhere = ["chatgpt", "gemini", "vertex", "bedrock-mantle"];

test("every type has its row", () => {
  expect(Object.keys(rows)).toEqual(types.map(({ type }) => type).filter((type) => !elsewhere.includes(type)));
});

describe.each(Object.entries(rows))("%s", (type, row) => {
  const providerType = providerTypes.find(({ info }) => info.type === type);

  test(`is enabled by ${Object.keys(row.enabledBy).join(" and ")} and by no part of that`, () => {
    const { providers } = loaded({ env: row.enabledBy, types }).config;
    const apiKeys = Object.keys(row.enabledBy).some((name) => name.endsWith("_API_KEY")) ? ["k"] : [];
    expect(providers).toMatchObject([{ name: type, type, baseUrl: row.baseUrl, apiKeys }]);
    for (const missing of Object.keys(row.enabledBy)) {
      const env = Object.fromEntries(Object.entries(row.enabledBy).filter(([name]) => name !== missing));
      expect(loaded({ env, types }).config.providers).toEqual([]);
    }
  });

  test("has its paths", () => {
    const wire = providerType?.createWire(providerConfig({ type, baseUrl: row.baseUrl }), wireTools);
    expect({
      chat: wire?.paths.chatCompletions?.("m"),
      messages: wire?.paths.messages?.("m"),
      embeddings: wire?.paths.embeddings?.("m"),
      models: wire?.paths.models,
    }).toEqual({ chat: row.chat, messages: row.messages, embeddings: row.embeddings, models: row.models });
    expect(providerType?.info.embeddings).toBe(row.embeddings !== undefined);
  });

  test(`sends the key as ${row.key} and the answer comes back as it was`, async () => {
    const upstream = startScriptedUpstream();
    try {
      const isChat = row.chat !== undefined;
      const answer = isChat
        ? '{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}],"usage":{"prompt_tokens":3,"completion_tokens":1,"total_tokens":4}}'
        : '{"id":"c","type":"message","role":"assistant","model":"m","content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn","stop_sequence":null,"usage":{"input_tokens":3,"output_tokens":1}}';
      upstream.script = (connection) =>
        connection.write(answerText(200, { "content-type": "application/json" }, answer));
      const { pathname } = new URL(row.baseUrl);
      const baseUrl = `http://127.0.0.1:${upstream.port}${pathname === "/" ? "" : pathname}`;
      const provider = providerAt(upstream.port, { name: type, type, baseUrl, apiKeys: ["k"] });
      const request = requestOf(
        { messages: [{ role: "user", content: "hi" }], max_tokens: 5, top_p: 1 },
        { operation: isChat ? "chat-completions" : "messages" },
      );
      expect(await relayed(await provider.prepare(request, "m").send({ idempotencyKey: undefined }))).toBe(answer);
      const [received] = upstream.requests;
      expect(received?.requestLine).toBe(`POST ${row.chat ?? row.messages} HTTP/1.1`);
      expect(received?.headers.map((header) => header.join(": "))).toContain(row.key);
    } finally {
      upstream.stop();
    }
  });
});

test.each([
  ["ollama", "http://localhost:11434/v1"],
  ["vllm", "http://localhost:8000/v1"],
  ["sglang", "http://localhost:30000/v1"],
])("%s has the usual address %s and needs no key", (type, baseUrl) => {
  expect(loaded({ yaml: `providers: {${type}: }`, types }).config.providers).toMatchObject([
    { name: type, baseUrl, apiKeys: [] },
  ]);
});

test.each(["llamacpp", "llmd"])("%s has no usual address", (type) => {
  expect(types.find((info) => info.type === type)).toMatchObject({ defaultBaseUrl: undefined, apiKey: "optional" });
});

test("llm-d is told the objective under both names, and nothing without one", () => {
  const wireOf = (options: Readonly<Record<string, string>>) =>
    providerTypes
      .find(({ info }) => info.type === "llmd")
      ?.createWire(providerConfig({ type: "llmd", options }), wireTools).defaultHeaders;
  expect(wireOf({ LLMD_INFERENCE_OBJECTIVE: "urgent" })).toEqual([
    ["x-llm-d-inference-objective", "urgent"],
    ["x-gateway-inference-objective", "urgent"],
  ]);
  expect(wireOf({})).toEqual([]);
  expect(wireOf({ LLMD_INFERENCE_OBJECTIVE: "" })).toEqual([]);
});
