// A call that fails before its first event goes to a provider of another dialect, encoded anew from what the caller sent.

import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "../../src/upstream-simulator/answer-text.ts";
import { dialectGateway, model, providerKinds } from "../support/dialect-gateway.ts";
import { type CallerDialect, callerDialects, callerPaths } from "../support/seen-by-caller.ts";
import type { SimulatedGateway } from "../support/simulated-gateway.ts";

const tool = { name: "weather", description: "of a place" };
const schema = { type: "object", properties: { place: { type: "string" } }, required: ["place"] };

/** A turn with a tool behind it, in each dialect. */
const bodies: Readonly<Record<CallerDialect, object>> = {
  "chat-completions": {
    temperature: 0.5,
    max_tokens: 100,
    messages: [
      { role: "system", content: "be brief" },
      { role: "user", content: [{ type: "text", text: "the weather?" }] },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "call_1", type: "function", function: { name: "weather", arguments: '{"place":"Köln"}' } }],
      },
      { role: "tool", tool_call_id: "call_1", content: "rain" },
    ],
    tools: [{ type: "function", function: { ...tool, parameters: schema } }],
    tool_choice: "auto",
  },
  responses: {
    temperature: 0.5,
    max_output_tokens: 100,
    instructions: "be brief",
    input: [
      { type: "message", role: "user", content: [{ type: "input_text", text: "the weather?" }] },
      { type: "function_call", call_id: "call_1", name: "weather", arguments: '{"place":"Köln"}' },
      { type: "function_call_output", call_id: "call_1", output: "rain" },
    ],
    tools: [{ type: "function", ...tool, parameters: schema, strict: false }],
    tool_choice: "auto",
  },
  messages: {
    temperature: 0.5,
    max_tokens: 100,
    system: [{ type: "text", text: "be brief", cache_control: { type: "ephemeral" } }],
    messages: [
      { role: "user", content: "the weather?" },
      { role: "assistant", content: [{ type: "tool_use", id: "call_1", name: "weather", input: { place: "Köln" } }] },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_1", content: "rain" }] },
    ],
    tools: [{ ...tool, input_schema: schema }],
    tool_choice: { type: "auto" },
  },
};

let gateway: SimulatedGateway;
beforeAll(async () => {
  gateway = await dialectGateway({
    recovery: "off",
    config: { logging: { enabled: true, flush_interval: "10ms" } },
  });
});
afterAll(() => gateway.stop());

async function ask(dialect: CallerDialect, name: string, stream: boolean) {
  const response = await fetch(gateway.url + callerPaths[dialect], {
    method: "POST",
    body: JSON.stringify({ model: name, stream, ...bodies[dialect] }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** What the provider was sent last. */
function sentTo(provider: string): { readonly path: string; readonly body: string } {
  const call = gateway.simulator(provider).calls.findLast(({ method }) => method === "POST");
  return { path: call?.path ?? "", body: Buffer.from(call?.body ?? []).toString() };
}

const firstWord: Readonly<Record<CallerDialect, RegExp>> = {
  "chat-completions": /"content":"\[m\]/,
  responses: /"(?:text|delta)":"\[m\]/,
  messages: /"text":"\[m\]/,
};

const pairs = providerKinds.flatMap((first) => providerKinds.map((second) => [first, second] as const));

describe.each(callerDialects.flatMap((dialect) => [false, true].map((stream) => [dialect, stream] as const)))(
  "a caller of %s, streaming %p",
  (dialect, stream) => {
    test.each(pairs)("is answered for %s, which is down, by %s, as if it had been the first", async (first, second) => {
      gateway.simulator(`first-${first}`).setFault(model, "status-503");
      gateway.simulator(`second-${second}`).setFault(model, "ok-5");
      const name = `${first}-to-${second}`;
      const answer = await ask(dialect, name, stream);
      expect(answer.status).toBe(200);
      expect(answer.text).toMatch(firstWord[dialect]);
      expect(answer.text).toContain(answerText(model, 5).split(" ").at(-1) ?? "");
      expect(Object.fromEntries(answer.headers)).toMatchObject({
        "x-gomodel-provider": `second-${second}`,
        "x-gomodel-model": model,
        "x-gomodel-attempts": "2",
      });
      const failedOver = sentTo(`second-${second}`);
      const direct = await ask(dialect, `second-${second}/${model}`, stream);
      expect(direct.status).toBe(200);
      expect(failedOver).toEqual(sentTo(`second-${second}`));

      const row = await gateway.row(answer.headers.get("x-request-id") ?? "");
      expect(row).toMatchObject({
        requested_model: name,
        resolved_model: model,
        provider: second,
        provider_name: `second-${second}`,
        path: callerPaths[dialect],
        status_code: 200,
        stream,
        usage: { input_tokens: 11, output_tokens: 5, total_tokens: 16, cost_source: "model_pricing" },
      });
      // 11 tokens at 100 and 5 at 1000 dollars for a million.
      expect(row.usage?.total_cost).toBeCloseTo((11 * 100 + 5 * 1000) / 1e6, 12);
      expect(row.data.failover).toEqual({ target_model: `second-${second}/${model}` });
      expect(row.data.attempts.map(({ target, kind, outcome }) => `${target} ${kind} ${outcome}`)).toEqual([
        `first-${first}/${model} first failed`,
        `second-${second}/${model} failover succeeded`,
      ]);
      const labels = (provider: string, end: string) =>
        `gomodel_requests_total{provider="${provider}",model="${model}",endpoint="${callerPaths[dialect]}",${end},stream="${stream}"}`;
      expect(await gateway.metric(labels(`first-${first}`, 'status_code="503",status_type="error"'))).toBeGreaterThan(
        0,
      );
      expect(
        await gateway.metric(labels(`second-${second}`, 'status_code="200",status_type="success"')),
      ).toBeGreaterThan(0);
    });
  },
);

describe("state of a provider", () => {
  const signed = {
    max_tokens: 5000,
    thinking: { type: "enabled", budget_tokens: 2000 },
    messages: [
      { role: "user", content: "hi" },
      {
        role: "assistant",
        content: [
          { type: "thinking", thinking: "hm", signature: "c2lnbmVk" },
          { type: "text", text: "hello" },
        ],
      },
      { role: "user", content: "again" },
    ],
  };
  const encrypted = {
    store: false,
    include: ["reasoning.encrypted_content"],
    input: [
      { type: "message", role: "user", content: "hi" },
      { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "c2VjcmV0" },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "hello", annotations: [] }] },
      { type: "message", role: "user", content: "again" },
    ],
  };

  async function askWith(path: string, name: string, body: object): Promise<Response> {
    return fetch(`${gateway.url}${path}`, { method: "POST", body: JSON.stringify({ model: name, ...body }) });
  }

  test.each([
    ["/v1/messages", "anthropic", signed, "c2lnbmVk"],
    ["/v1/responses", "openai", encrypted, "c2VjcmV0"],
  ] as const)("in a request to %s reaches %s, whose it is, and nobody else", async (path, issuer, body, state) => {
    for (const [first, second] of pairs) {
      gateway.simulator(`first-${first}`).setFault(model, "status-503");
      gateway.simulator(`second-${second}`).setFault(model, "ok-5");
      const answer = await askWith(path, `${first}-to-${second}`, body);
      expect(`${first} ${second} ${answer.status}`).toBe(`${first} ${second} 200`);
      const sent = [sentTo(`first-${first}`).body.includes(state), sentTo(`second-${second}`).body.includes(state)];
      expect([first, second, ...sent]).toEqual([first, second, first === issuer, second === issuer]);
      expect(sentTo(`second-${second}`).body).toContain("again");
    }
  });

  test("that carries content is a 400 where it cannot be read, and a target that cannot is passed over", async () => {
    const body = { input: "and now?", previous_response_id: "resp_1" };
    for (const second of ["groq", "anthropic", "gemini"] as const) {
      gateway.simulator("first-openai").setFault(model, "status-503");
      const calls = gateway.called(`second-${second}`).length;
      const passedOver = await askWith("/v1/responses", `openai-to-${second}`, body);
      expect([second, passedOver.status]).toEqual([second, 503]);
      expect(gateway.called(`second-${second}`).length).toBe(calls);
      const refused = await askWith("/v1/responses", `second-${second}/${model}`, body);
      expect([second, refused.status]).toEqual([second, 400]);
      expect(await refused.json()).toMatchObject({
        error: { param: "previous_response_id", message: expect.stringContaining(`second-${second}`) },
      });
    }
    gateway.simulator("second-openai").setFault(model, "ok-5");
    expect((await askWith("/v1/responses", "openai-to-openai", body)).status).toBe(200);
    expect(sentTo("second-openai").body).toContain("resp_1");
  });
});

test("a count of tokens fails over, to an estimate where the next provider does not count", async () => {
  const count = async (name: string) => {
    const body = JSON.stringify({ model: name, messages: [{ role: "user", content: "Hello" }] });
    const answer = await fetch(`${gateway.url}/v1/messages/count_tokens`, { method: "POST", body });
    const provider = answer.headers.get("x-gomodel-provider");
    return {
      status: answer.status,
      provider,
      tokens: ((await answer.json()) as { input_tokens: number }).input_tokens,
    };
  };
  gateway.simulator("first-anthropic").setFault(model, "status-503");
  gateway.simulator("second-anthropic").setFault(model, "ok-5");
  const counted = await count("anthropic-to-anthropic");
  expect(counted).toMatchObject({ status: 200, provider: "second-anthropic" });
  expect(sentTo("second-anthropic").path).toEndWith("/count_tokens");
  for (const second of ["groq", "openai", "gemini"] as const) {
    const estimated = await count(`anthropic-to-${second}`);
    expect(estimated).toMatchObject({ status: 200, provider: `second-${second}` });
    expect(estimated.tokens).toBeWithin(1, 30);
  }
});
