import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failureOf, providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { ReadStep } from "../core/provider.ts";
import type { ProviderConfig } from "../core/provider-config.ts";

const json = { "content-type": "application/json" };
const sse = { "content-type": "text/event-stream" };
const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude-x",
  content: [{ type: "text", text: "hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 3, output_tokens: 1 },
};

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

function ask(
  type: string,
  fields: Readonly<Record<string, unknown>>,
  more: Partial<ModelRequest> = {},
  config: Partial<ProviderConfig> = {},
): Promise<string> {
  const provider = providerAt(upstream.port, { name: `my-${type}`, type, apiKeys: ["k"], ...config });
  return provider.prepare(requestOf(fields, more), "real-model").send({ idempotencyKey: undefined }).then(relayed);
}

function answers(status: number, body: unknown, headers: Record<string, string> = json): void {
  upstream.script = (connection) =>
    connection.write(answerText(status, headers, typeof body === "string" ? body : JSON.stringify(body)));
}

function received() {
  const [request] = upstream.requests;
  if (request === undefined) throw new Error("nothing arrived");
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { line: request.requestLine, headers, body: JSON.parse(request.body) };
}

const hello = { messages: [{ role: "user", content: "hello" }] };

describe("a chat request to Anthropic", () => {
  test("goes to /messages with the version, the key and a limit of 4096 tokens, and comes back as chat", async () => {
    answers(200, message);
    const answer = JSON.parse(await ask("anthropic", hello));
    const { line, headers, body } = received();
    expect(line).toBe("POST /v1/messages HTTP/1.1");
    expect(headers).toMatchObject({ "anthropic-version": "2023-06-01", "x-api-key": "k" });
    expect(headers).not.toHaveProperty("authorization");
    expect(body).toMatchObject({ model: "real-model", max_tokens: 4096 });
    expect(answer).toMatchObject({
      object: "chat.completion",
      provider: "anthropic",
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
      usage: { prompt_tokens: 3, completion_tokens: 1, total_tokens: 4 },
    });
  });

  test.each([
    ["800", 800],
    ["many", 4096],
    ["-1", 4096],
  ])("ANTHROPIC_DEFAULT_MAX_TOKENS=%s gives %p", async (value, tokens) => {
    answers(200, message);
    await ask("anthropic", hello, {}, { options: { ANTHROPIC_DEFAULT_MAX_TOKENS: value } });
    expect(received().body.max_tokens).toBe(tokens);
  });

  test("that asks for two choices is a 400 naming the field and the provider, and nothing is sent", async () => {
    const failure = await failureOf(Promise.resolve().then(() => ask("anthropic", { ...hello, n: 2 })));
    expect(failure).toMatchObject({ status: 400, origin: "request", param: "n" });
    expect(failure.message).toContain("my-anthropic");
    expect(upstream.requests).toEqual([]);
  });

  test("gets the error of Anthropic as one of chat, with its status", async () => {
    answers(529, { type: "error", error: { type: "overloaded_error", message: "Overloaded" } });
    const failure = await failureOf(ask("anthropic", hello));
    expect(failure).toMatchObject({ status: 529, type: "provider_error", message: "Overloaded" });
  });
});

describe("a Messages request to Anthropic", () => {
  const fields = {
    max_tokens: 5,
    messages: [{ role: "user", content: [{ type: "text", text: "hi", cache_control: { type: "ephemeral" } }] }],
    context_management: { edits: [] },
    tools: [],
    unheard_of: [1, { a: 2 }],
  };

  test("passes byte for byte but for the model, with its query, version and betas", async () => {
    answers(200, message);
    const callerHeaders = new Headers({ "anthropic-version": "2026-10-21", "anthropic-beta": "a-1, b-2" });
    const answer = await ask("anthropic", fields, { operation: "messages", query: "?beta=true", callerHeaders });
    const [request] = upstream.requests;
    expect(request?.requestLine).toBe("POST /v1/messages?beta=true HTTP/1.1");
    expect(request?.body).toBe(JSON.stringify({ model: "real-model", ...fields }));
    expect(received().headers).toMatchObject({ "anthropic-version": "2026-10-21", "anthropic-beta": "a-1,b-2" });
    expect(answer).toBe(JSON.stringify(message));
  });

  test("of a subscription carries its token as a bearer and says so among the betas", async () => {
    answers(200, message);
    const callerHeaders = new Headers({ "anthropic-beta": "a-1" });
    await ask("anthropic", fields, { operation: "messages", callerHeaders }, { apiKeys: ["sk-ant-oat01-x"] });
    const { headers } = received();
    expect(headers).toMatchObject({
      authorization: "Bearer sk-ant-oat01-x",
      "anthropic-beta": "a-1,oauth-2025-04-20",
    });
    expect(headers).not.toHaveProperty("x-api-key");
  });
});

describe("a count of tokens", () => {
  test("is asked of Anthropic with what counts and nothing else", async () => {
    answers(200, { input_tokens: 42 });
    const fields = { system: "s", messages: [{ role: "user", content: "hi" }], max_tokens: 9, temperature: 1 };
    expect(await ask("anthropic", fields, { operation: "count-tokens" })).toBe('{"input_tokens":42}');
    const { line, body } = received();
    expect(line).toBe("POST /v1/messages/count_tokens HTTP/1.1");
    expect(body).toEqual({ model: "real-model", system: "s", messages: fields.messages });
  });

  test("is estimated where the provider does not count, and nothing is sent", async () => {
    const fields = { messages: [{ role: "user", content: "word ".repeat(400) }] };
    const { input_tokens: tokens } = JSON.parse(await ask("openai", fields, { operation: "count-tokens" }));
    expect(tokens).toBeWithin(350, 450);
    expect(upstream.requests).toEqual([]);
  });
});

describe("a Messages request to a provider of chat completions", () => {
  test("goes there as chat, with the quirks of the type, and comes back as a message", async () => {
    answers(200, {
      id: "c",
      object: "chat.completion",
      choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "length" }],
      usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6, prompt_tokens_details: { cached_tokens: 2 } },
    });
    const fields = { max_tokens: 5, system: "be brief", ...hello };
    const answer = JSON.parse(await ask("bailian", fields, { operation: "messages" }));
    expect(received().body).toMatchObject({
      model: "real-model",
      max_completion_tokens: 5,
      messages: [
        { role: "system", content: "be brief" },
        { role: "user", content: "hello" },
      ],
    });
    expect(answer).toMatchObject({
      type: "message",
      content: [{ type: "text", text: "hi" }],
      stop_reason: "max_tokens",
      usage: { input_tokens: 3, cache_read_input_tokens: 2, output_tokens: 1 },
    });
  });

  test("whose type sends usage always is not asked for it", async () => {
    answers(
      200,
      'data: {"choices":[{"index":0,"delta":{"content":"hi"},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      sse,
    );
    await ask("perplexity", { max_tokens: 5, stream: true, ...hello }, { operation: "messages" });
    expect(received().body).not.toHaveProperty("stream_options");
  });

  test("with an image in a tool result goes to OpenAI's Responses", async () => {
    answers(200, { id: "resp_1", object: "response", status: "completed", model: "m", output: [] });
    const messages = [
      { role: "user", content: "look" },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "shot", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "iVBORw0KGgo=" } }],
          },
        ],
      },
    ];
    await ask("openai", { max_tokens: 50, messages }, { operation: "messages" });
    expect(received().line).toBe("POST /v1/responses HTTP/1.1");
  });

  test("that breaks in the middle ends as a broken message, once", async () => {
    const broken = 'data: {"choices":[{"index":0,"delta":{"role":"assistant","content":"hi"}}]}\n\n';
    answers(200, broken, sse);
    const provider = providerAt(upstream.port, { name: "a", type: "groq", apiKeys: ["k"] });
    const request = requestOf({ max_tokens: 5, stream: true, ...hello }, { operation: "messages" });
    const answer = await provider.prepare(request, "m").send({ idempotencyKey: undefined });
    const pieces: string[] = [];
    for (let bytes = await answer.body.read(); bytes !== undefined; bytes = await answer.body.read()) {
      pieces.push(new TextDecoder().decode(answer.reader.push(bytes).relay));
    }
    const last = answer.reader.end();
    expect(last).toMatchObject({ complete: false, inBand: false, failure: { code: "stream_incomplete" } });
    pieces.push(new TextDecoder().decode(last.relay));
    const end = new TextDecoder().decode(answer.reader.breakOff?.("it broke", "stream_incomplete"));
    expect(end).toStartWith("event: error\n");
    expect(end).toContain('"code":"stream_incomplete"');
    expect(pieces.join("")).toContain('"text":"hi"');
    // The block stays open: whoever goes on with it has to be able to.
    expect(pieces.join("")).not.toMatch(/content_block_stop|message_delta|message_stop/);
  });
});

describe("a translated stream", () => {
  async function stepsOf(body: string, operation: "messages" | "responses") {
    answers(200, body, sse);
    const provider = providerAt(upstream.port, { name: "a", type: "groq", apiKeys: ["k"] });
    const fields = operation === "messages" ? { max_tokens: 5, ...hello } : { input: "hello" };
    const request = requestOf({ stream: true, ...fields }, { operation });
    const answer = await provider.prepare(request, "m").send({ idempotencyKey: undefined });
    const steps: ReadStep[] = [];
    for (let bytes = await answer.body.read(); bytes !== undefined; bytes = await answer.body.read()) {
      steps.push(answer.reader.push(bytes));
    }
    steps.push(answer.reader.end());
    return steps;
  }

  const error = 'data: {"error":{"message":"busy","code":429}}\n\n';
  const broken = [
    ["messages", "", 502],
    ["messages", error, 429],
    ["responses", "", 502],
    ["responses", `: hello\n\n${error}`, 429],
    ["responses", "data: hello\n\n", 502],
  ] as const;

  test.each(broken)(
    "that has failed before its first event gives a %s caller nothing, so that another target can be asked: %j",
    async (operation, body, status) => {
      const steps = await stepsOf(body, operation);
      expect(steps.map(({ relay }) => relay)).toEqual(steps.map(() => undefined));
      expect(steps.at(-1)?.failure ?? steps[0]?.failure).toMatchObject({ status });
    },
  );

  test("that breaks tells of nothing it began that it is whole", async () => {
    const steps = await stepsOf('data: {"choices":[{"index":0,"delta":{"content":"half"}}]}\n\n', "responses");
    const told = steps.map(({ relay }) => new TextDecoder().decode(relay)).join("");
    expect(told).toContain('"delta":"half"');
    expect(told).not.toContain(".done");
    expect(told).not.toContain('"status":"completed"');
  });

  test("that turns unreadable delivers what came before, also when it came together", async () => {
    const event = (content: unknown) => `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content } }] })}\n\n`;
    const [step] = await stepsOf(event("good") + event(5), "messages");
    expect(step?.failure).toMatchObject({ status: 502 });
    expect(new TextDecoder().decode(step?.relay)).toContain('"text":"good"');
  });
});

test("a model's stop sequences are cut by the gateway where Responses has none, and told to a Messages caller", async () => {
  const text = (id: string, value: string) => ({
    id,
    type: "message",
    role: "assistant",
    status: "completed",
    content: [{ type: "output_text", text: value, annotations: [] }],
  });
  answers(200, {
    id: "resp_1",
    object: "response",
    status: "completed",
    model: "m",
    output: [text("msg_1", "one two END three")],
  });
  const image = { type: "document", source: { type: "url", url: "https://example.com/a.pdf" } };
  const messages = [{ role: "user", content: [image, { type: "text", text: "hi" }] }];
  const answer = JSON.parse(
    await ask("openai", { max_tokens: 50, stop_sequences: ["END"], messages }, { operation: "messages" }),
  );
  expect(answer).toMatchObject({
    content: [{ type: "text", text: "one two " }],
    stop_reason: "stop_sequence",
    stop_sequence: "END",
  });
});

describe("a Responses request to OpenAI", () => {
  const fields = {
    input: "hi",
    temperature: 0.2,
    reasoning: { effort: "low" },
    include: ["reasoning.encrypted_content"],
  };
  const done = { id: "resp_1", object: "response", status: "completed", model: "m", output: [] };

  test.each([
    ["gpt-5", { reasoning: { effort: "low" }, include: ["reasoning.encrypted_content"] }],
    ["gpt-4o", { temperature: 0.2, include: [] }],
  ])("that another target had before loses what %s does not take", async (model, left) => {
    answers(200, done);
    const provider = providerAt(upstream.port, { name: "a", type: "openai", apiKeys: ["k"] });
    const request = requestOf(fields, { operation: "responses" });
    await relayed(await provider.prepare(request, model, "anthropic").send({ idempotencyKey: undefined }));
    expect(received().body).toEqual({ model, input: "hi", ...left });
  });

  test("passes as it is when it was meant for this target", async () => {
    answers(200, done);
    await ask("openai", fields, { operation: "responses" });
    expect(upstream.requests[0]?.body).toBe(JSON.stringify({ model: "real-model", ...fields }));
  });

  test("at Azure names the deployment of the address, at the version-less API", async () => {
    answers(200, done);
    const baseUrl = `http://127.0.0.1:${upstream.port}/openai/deployments/my%20gpt`;
    await ask("azure", { input: "hi" }, { operation: "responses" }, { baseUrl });
    expect(received()).toMatchObject({ line: "POST /openai/v1/responses HTTP/1.1", body: { model: "my gpt" } });
  });

  test("at Kimi Code is stateless", async () => {
    answers(200, done);
    await ask("kimicode", { input: "hi", store: true, previous_response_id: "resp_0" }, { operation: "responses" });
    expect(received().body).toEqual({ model: "real-model", input: "hi", store: false });
  });
});

describe("a request to xAI", () => {
  const done = { id: "resp_1", object: "response", status: "completed", model: "m", output: [] };

  test.each([
    ["grok-4.6", { effort: "max", summary: "auto" }, { summary: "auto", effort: "xhigh" }],
    ["grok-4-1-fast", { effort: "xhigh" }, { effort: "high" }],
    ["grok-4.6", { effort: "low" }, { effort: "low" }],
    ["grok-4-1-fast-non-reasoning", { effort: "low" }, undefined],
    ["grok-3", { effort: "low", summary: "auto" }, { summary: "auto" }],
  ])("by Responses to %s has the effort of %p as %p", async (model, reasoning, sent) => {
    answers(200, done);
    const provider = providerAt(upstream.port, { name: "a", type: "xai", apiKeys: ["k"] });
    const request = requestOf({ input: "hi", reasoning }, { operation: "responses" });
    await relayed(await provider.prepare(request, model).send({ idempotencyKey: undefined }));
    expect(received().body.reasoning).toEqual(sent);
  });

  test("by Messages has the same conversation id in every turn", async () => {
    answers(200, { id: "c", object: "chat.completion", choices: [{ index: 0, message: { content: "a" } }] });
    const first = [{ role: "user", content: "u" }];
    const second = [...first, { role: "assistant", content: "a" }, { role: "user", content: "u2" }];
    for (const messages of [first, second]) {
      await ask("xai", { max_tokens: 5, system: "s", messages }, { operation: "messages" });
    }
    const ids = upstream.requests.map(({ headers }) => new Map(headers).get("x-grok-conv-id"));
    expect(ids[0]).toMatch(/^[0-9a-f-]{36}$/);
    expect(ids).toEqual([ids[0], ids[0]]);
  });
});

test("a Messages request that another Claude had before fits the one it comes to", async () => {
  answers(200, message);
  const provider = providerAt(upstream.port, { name: "a", type: "anthropic", apiKeys: ["k"] });
  const fields = { max_tokens: 100, thinking: { type: "adaptive" }, output_config: { effort: "high" }, ...hello };
  const request = requestOf(fields, { operation: "messages" });
  await relayed(await provider.prepare(request, "claude-sonnet-4-5", "anthropic").send({ idempotencyKey: undefined }));
  expect(received().body.thinking).toEqual({ type: "enabled", budget_tokens: 20_000 });
});

test("the version that a chat caller names is not that of a body which was written for 2023-06-01", async () => {
  answers(200, message);
  const callerHeaders = new Headers({ "anthropic-version": "2026-10-21", "anthropic-beta": "a-1" });
  await ask("anthropic", hello, { callerHeaders });
  expect(received().headers).toMatchObject({ "anthropic-version": "2023-06-01", "anthropic-beta": "a-1" });
});

test("a translated stream of more than 32 MB breaks: what is kept of it is bounded", async () => {
  const event = `data: ${JSON.stringify({ choices: [{ index: 0, delta: { content: "x".repeat(1 << 20) } }] })}\n\n`;
  answers(200, event, sse);
  const provider = providerAt(upstream.port, { name: "a", type: "groq", apiKeys: ["k"] });
  const request = requestOf({ stream: true, input: "hi" }, { operation: "responses" });
  const { reader } = await provider.prepare(request, "m").send({ idempotencyKey: undefined });
  const bytes = new TextEncoder().encode(event);
  for (let megabytes = 1; megabytes < 32; megabytes++) expect(reader.push(bytes).failure).toBeUndefined();
  expect(reader.push(bytes).failure).toMatchObject({
    status: 502,
    message: "provider a sent an answer of more than 32 MB",
  });
});
