// What a chat request that one provider had first becomes for a provider of another kind.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { maxJsonDepth, scanObject } from "../dialects/json/scan-object.ts";

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
  const answer = { id: "c", object: "chat.completion", choices: [{ index: 0, message: { content: "hi" } }] };
  upstream.script = (connection) =>
    connection.write(answerText(200, { "content-type": "application/json" }, JSON.stringify(answer)));
});
afterEach(() => upstream.stop());

async function sent(
  type: string,
  fields: Readonly<Record<string, unknown>>,
  firstIssuer: string | undefined,
  model = "m",
): Promise<Readonly<Record<string, unknown>>> {
  const provider = providerAt(upstream.port, { name: "p", type, apiKeys: ["k"] });
  const call = provider.prepare(requestOf({ messages: [], ...fields }), model, firstIssuer);
  await relayed(await call.send({ idempotencyKey: undefined }));
  const body: unknown = JSON.parse(upstream.requests.at(-1)?.body ?? "");
  if (typeof body !== "object" || body === null) throw new Error("no object arrived");
  return Object.fromEntries(Object.entries(body).filter(([key]) => key !== "model"));
}

const ofOpenAi = {
  store: true,
  metadata: { a: "b" },
  safety_identifier: "s",
  prompt_cache_key: "k",
  prompt_cache_retention: "24h",
  verbosity: "low",
  prediction: { type: "content", content: "x" },
  service_tier: "flex",
};
const sampling = { temperature: 0.5, top_p: 0.9, seed: 7, user: "u", x_new: [1] };

describe("fields that only the first provider knows", () => {
  test.each([
    ["hetzner", {}],
    ["together", { metadata: { a: "b" } }],
    ["groq", { service_tier: "flex" }],
    ["deepseek", {}],
    ["kimi", { prompt_cache_key: "k" }],
    [
      "openrouter",
      { store: true, metadata: { a: "b" }, prompt_cache_key: "k", verbosity: "low", service_tier: "flex" },
    ],
    ["azure", ofOpenAi],
  ])("of OpenAI reach %s only as %p", async (type, kept) => {
    expect(await sent(type, { ...ofOpenAi, ...sampling }, "openai")).toEqual({ messages: [], ...kept, ...sampling });
  });

  test("go up as they are when the request comes to its first target", async () => {
    expect(await sent("hetzner", { ...ofOpenAi, ...sampling }, undefined)).toEqual({
      messages: [],
      ...ofOpenAi,
      ...sampling,
    });
  });

  test("go up as they are when the next target is of the same kind", async () => {
    expect(await sent("azure", ofOpenAi, "openai")).toEqual({ messages: [], ...ofOpenAi });
  });

  test("of open models do not reach OpenAI, and unknown ones do", async () => {
    const fields = {
      thinking: { type: "enabled" },
      enable_thinking: true,
      top_k: 5,
      min_p: 0.1,
      repetition_penalty: 1.1,
      chat_template_kwargs: {},
      transforms: ["middle-out"],
      models: ["a/b"],
      x_new: 1,
    };
    expect(await sent("openai", fields, "openrouter")).toEqual({ messages: [], x_new: 1 });
    expect(await sent("vllm", { thinking: {}, top_k: 5, min_p: 0.1, chat_template_kwargs: {} }, "zai")).toEqual({
      messages: [],
      top_k: 5,
      min_p: 0.1,
      chat_template_kwargs: {},
    });
  });

  test("of cache hints are taken out of messages, parts and tools, and nowhere else", async () => {
    const hint = { cache_control: { type: "ephemeral" } };
    const schema = { type: "object", properties: { cache_control: { type: "string" } } };
    const fields = (extra: object) => ({
      messages: [
        { role: "system", content: "s", ...extra },
        { role: "user", content: [{ type: "text", text: "t", ...extra }] },
      ],
      tools: [{ type: "function", function: { name: "f", parameters: schema }, ...extra }],
    });
    expect(await sent("groq", fields(hint), "openrouter")).toEqual(fields({}));
    expect(await sent("bailian", fields(hint), "openrouter")).toEqual(fields(hint));
    expect(await sent("groq", fields(hint), undefined)).toEqual(fields(hint));
  });

  test("numbers that no double holds survive the cleaning", async () => {
    const tools = [{ type: "function", function: { name: "f", parameters: { const: 1 } }, cache_control: {} }];
    const request = requestOf({ messages: [], tools });
    const text = new TextDecoder().decode(request.body).replace('"const":1', '"const":12345678901234567890');
    const provider = providerAt(upstream.port, { name: "p", type: "groq", apiKeys: ["k"] });
    const exact = { ...request, body: new TextEncoder().encode(text) };
    await relayed(await provider.prepare(scanned(exact), "m", "openrouter").send({ idempotencyKey: undefined }));
    expect(upstream.requests[0]?.body).toContain('"const":12345678901234567890');
    expect(upstream.requests[0]?.body).not.toContain("cache_control");
  });
});

/** The members of a body that was put together by hand. */
function scanned<Request extends { readonly body: Uint8Array }>(request: Request): Request {
  const members = scanObject(request.body, maxJsonDepth);
  if ("message" in members) throw new Error(members.message);
  return { ...request, members };
}

describe("thoughts of earlier answers", () => {
  const call = { id: "c1", type: "function", function: { name: "f", arguments: "{}" } };
  const turn = { role: "assistant", content: null, tool_calls: [call] };
  const result = { role: "tool", tool_call_id: "c1", content: "42" };
  const messages = (thoughts: object) => [{ role: "user", content: "q" }, { ...turn, ...thoughts }, result];

  test.each([
    ["deepseek", "deepseek-chat", { reasoning_content: "hm" }],
    ["kimi", "kimi-k2.6", { reasoning_content: "hm" }],
    ["kimicode", "kimi-for-coding", { reasoning_content: "hm" }],
    ["zai", "glm-5", { reasoning_content: "hm" }],
    ["xiaomi", "mimo-v2-pro", { reasoning_content: "hm" }],
    ["bailian", "qwen-plus", { reasoning_content: "hm" }],
    ["fireworks", "m", { reasoning_content: "hm" }],
    ["sglang", "m", { reasoning_content: "hm", reasoning: "hm" }],
    ["llamacpp", "m", { reasoning_content: "hm", reasoning: "hm" }],
    ["llmd", "m", { reasoning_content: "hm", reasoning: "hm" }],
    ["vllm", "m", { reasoning_content: "hm", reasoning: "hm" }],
    ["openrouter", "m", { reasoning_content: "hm", reasoning: "hm", reasoning_details: [] }],
    ["cerebras", "m", { reasoning: "hm" }],
    ["minimax", "m", { reasoning_details: [] }],
    ["mistral", "m", {}],
    ["groq", "m", {}],
    ["together", "m", {}],
    ["openai", "gpt-4o", {}],
    ["azure", "gpt-4o", {}],
  ])("%s gets after a failover of %s as %p", async (type, model, kept) => {
    const thoughts = { reasoning_content: "hm", reasoning: "hm", reasoning_details: [] };
    const body = await sent(type, { messages: messages(thoughts) }, "chutes", model);
    expect(body["messages"]).toEqual(messages(kept));
  });

  test.each([
    ["deepseek", "deepseek-v4-pro"],
    ["kimi", "kimi-k2.6"],
    ["kimicode", "kimi-for-coding"],
  ])("that another model never had are blank for %s, which refuses a call without", async (type, model) => {
    const body = await sent(type, { messages: messages({}) }, "openai", model);
    expect(body["messages"]).toEqual(messages({ reasoning_content: " " }));
    expect((await sent(type, { messages: messages({}) }, undefined, model))["messages"]).toEqual(messages({}));
  });

  test("blank ones go together with a schema that becomes an instruction", async () => {
    const format = { type: "json_schema", json_schema: { name: "s", schema: { type: "object" } } };
    const body = await sent("deepseek", { messages: messages({}), response_format: format }, "openai");
    expect(body["messages"]).toEqual([
      expect.objectContaining({ role: "system" }),
      ...messages({ reasoning_content: " " }),
    ]);
  });

  test("Groq refuses them even from a caller who means it, so they never go there", async () => {
    expect((await sent("groq", { messages: messages({ reasoning_content: "hm" }) }, undefined))["messages"]).toEqual(
      messages({}),
    );
  });
});

test("state of another provider and a member that Mistral refuses are both taken out of the same messages", async () => {
  const messages = [{ role: "assistant", content: "a", refusal: null, extra_content: { google: { x: 1 } } }];
  expect((await sent("mistral", { messages }, undefined))["messages"]).toEqual([{ role: "assistant", content: "a" }]);
});
