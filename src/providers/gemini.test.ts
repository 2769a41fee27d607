// Gemini behind a provider: where its calls go, whose key goes where, and what callers of other dialects get.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { providerAt, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { loaded, problemLines } from "../../test/support/load-config.ts";
import { Cancellation } from "../core/cancellation.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { UpstreamAnswer } from "../core/provider.ts";
import { providerTypes } from "./registry.ts";

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => {
  upstream.stop();
});

const types = providerTypes.map(({ info }) => info);

function gemini(config: Partial<ProviderConfig> = {}) {
  const baseUrl = `http://127.0.0.1:${upstream.port}/v1beta`;
  return providerAt(upstream.port, { name: "gemini", type: "gemini", baseUrl, apiKeys: ["k"], ...config });
}

async function readWhole({ body, reader }: UpstreamAnswer): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for (let bytes = await body.read(); bytes !== undefined; bytes = await body.read()) {
    text += decoder.decode(reader.push(bytes).relay);
  }
  const { relay, failure } = reader.end();
  if (failure !== undefined) throw failure;
  return text + decoder.decode(relay);
}

const answers = (headers: Record<string, string>, text: string): void => {
  upstream.script = (connection) => connection.write(answerText(200, headers, text));
};
const json = { "content-type": "application/json; charset=UTF-8" };
const messages = [
  { role: "system", content: "Be brief." },
  { role: "user", content: "Hi" },
];

describe("native", () => {
  test("a chat caller's request goes to generateContent with the key in Google's header, and the answer comes back as chat", async () => {
    const said = { content: { role: "model", parts: [{ text: "Hello" }] }, finishReason: "STOP", index: 0 };
    const usageMetadata = { promptTokenCount: 5, candidatesTokenCount: 1, totalTokenCount: 6 };
    answers(json, JSON.stringify({ candidates: [said], usageMetadata, modelVersion: "gemini-2.5-flash" }));
    const call = gemini().prepare(requestOf({ messages, max_tokens: 9 }), "gemini-2.5-flash");
    const answer = await call.send({ idempotencyKey: undefined });
    expect(JSON.parse(await readWhole(answer))).toMatchObject({
      object: "chat.completion",
      model: "gemini-2.5-flash",
      choices: [{ index: 0, message: { role: "assistant", content: "Hello" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
    });
    const [received] = upstream.requests;
    expect(received?.requestLine).toBe("POST /v1beta/models/gemini-2.5-flash:generateContent HTTP/1.1");
    expect(received?.headers.map((header) => header.join(": "))).toContain("x-goog-api-key: k");
    expect(JSON.parse(received?.body ?? "")).toEqual({
      systemInstruction: { parts: [{ text: "Be brief." }] },
      contents: [{ role: "user", parts: [{ text: "Hi" }] }],
      generationConfig: { maxOutputTokens: 9 },
    });
  });

  test("a stream ends with the caller's terminal", async () => {
    const pieces = [
      { candidates: [{ content: { parts: [{ text: "Hel" }] } }] },
      { candidates: [{ content: { parts: [{ text: "lo" }] }, finishReason: "STOP" }] },
    ];
    answers(
      { "content-type": "text/event-stream" },
      pieces.map((piece) => `data: ${JSON.stringify(piece)}\r\n\r\n`).join(""),
    );
    const request = requestOf({ messages, stream: true });
    const answer = await gemini().prepare(request, "gemini-2.5-flash").send({ idempotencyKey: undefined });
    const text = await readWhole(answer);
    expect(upstream.requests[0]?.requestLine).toBe(
      "POST /v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse HTTP/1.1",
    );
    expect(text.endsWith("data: [DONE]\n\n")).toBe(true);
    expect(text.match(/"finish_reason":"stop"/g)).toHaveLength(1);
  });

  test("a stream that is cut tells no finish", async () => {
    const piece = { candidates: [{ content: { parts: [{ text: "Hel" }] } }] };
    answers({ "content-type": "text/event-stream" }, `data: ${JSON.stringify(piece)}\r\n\r\n`);
    const request = requestOf({ messages, stream: true });
    const answer = await gemini().prepare(request, "gemini-2.5-flash").send({ idempotencyKey: undefined });
    let relayed = "";
    for (let bytes = await answer.body.read(); bytes !== undefined; bytes = await answer.body.read()) {
      relayed += new TextDecoder().decode(answer.reader.push(bytes).relay);
    }
    const last = answer.reader.end();
    relayed += new TextDecoder().decode(last.relay);
    expect(last.failure).toMatchObject({ code: "stream_incomplete" });
    expect(relayed).toContain("Hel");
    expect(relayed).not.toContain('"finish_reason":"');
  });

  test("lists what can generate content", async () => {
    answers(json, '{"models":[{"name":"models/gemini-2.5-pro","supportedGenerationMethods":["generateContent"]}]}');
    expect(await gemini().listModels(new Cancellation())).toEqual([
      { id: "gemini-2.5-pro", created: undefined, ownedBy: "google" },
    ]);
    expect(upstream.requests[0]?.requestLine).toBe("GET /v1beta/models?pageSize=1000 HTTP/1.1");
  });

  test("a base URL of the compatible paths leads to the native ones, too", async () => {
    answers(json, '{"models":[]}');
    await gemini({ baseUrl: `http://127.0.0.1:${upstream.port}/v1beta/openai` }).listModels(new Cancellation());
    expect(upstream.requests[0]?.requestLine).toBe("GET /v1beta/models?pageSize=1000 HTTP/1.1");
  });
});

describe.each([
  [{ GEMINI_API_MODE: "openai_compatible" }],
  [{ USE_GOOGLE_GEMINI_NATIVE_API: "false" }],
  [{ GEMINI_API_MODE: "openai_compatible", USE_GOOGLE_GEMINI_NATIVE_API: "true" }],
] as const)("compatible by %j", (options) => {
  test("chat passes with a bearer key and a flat effort", async () => {
    const body =
      '{"id":"c","object":"chat.completion","choices":[{"index":0,"message":{"role":"assistant","content":"x"},"finish_reason":"stop"}]}';
    answers(json, body);
    const request = requestOf({ messages, reasoning: { effort: "low" } });
    const answer = await gemini({ options: { ...options } })
      .prepare(request, "m")
      .send({ idempotencyKey: undefined });
    expect(await readWhole(answer)).toBe(body);
    const [received] = upstream.requests;
    expect(received?.requestLine).toBe("POST /v1beta/openai/chat/completions HTTP/1.1");
    expect(received?.headers.map((header) => header.join(": "))).toContain("Authorization: Bearer k");
    expect(JSON.parse(received?.body ?? "")).toEqual({ model: "m", messages, reasoning_effort: "low" });
  });
});

test("the newer switch wins over the legacy one", async () => {
  answers(json, '{"models":[]}');
  const options = { GEMINI_API_MODE: "native", USE_GOOGLE_GEMINI_NATIVE_API: "false" };
  await gemini({ options }).listModels(new Cancellation());
  expect(upstream.requests[0]?.requestLine).toBe("GET /v1beta/models?pageSize=1000 HTTP/1.1");
});

test("a key enables it", () => {
  expect(loaded({ env: { GEMINI_API_KEY: "k" }, types }).config.providers).toMatchObject([
    { name: "gemini", type: "gemini", baseUrl: "https://generativelanguage.googleapis.com/v1beta", apiKeys: ["k"] },
  ]);
});

test("api_mode in a block chooses the way, and is checked", () => {
  const block = (mode: string) => `providers: {gemini: {api_key: k, api_mode: ${mode}}}`;
  expect(loaded({ yaml: block("openai_compatible"), types }).config.providers).toMatchObject([
    { options: { GEMINI_API_MODE: "openai_compatible" } },
  ]);
  expect(problemLines({ yaml: block("nativ"), types })).toEqual([
    'error config.yaml:1 providers.gemini.api_mode: "nativ" is not allowed; allowed: native, openai_compatible; did you mean "native"?',
  ]);
  const other = "providers: {openai: {api_key: k, api_mode: native}}";
  expect(loaded({ yaml: other, types }).problems).toMatchObject([
    { severity: "warning", message: "has no effect: type openai has no such setting" },
  ]);
});
