// ChatGPT behind a provider: one kind of call, always streamed, whatever the caller speaks and asks for.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failureOf, providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import { Cancellation } from "../core/cancellation.ts";
import type { ModelRequest } from "../core/model-request.ts";

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url");
const token = `${part({ alg: "none" })}.${part({ "https://api.openai.com/auth": { chatgpt_account_id: "acc-7" } })}.x`;

function provider(apiKeys: readonly string[] = [token]) {
  const baseUrl = `http://127.0.0.1:${upstream.port}/backend-api/codex`;
  return providerAt(upstream.port, { name: "gpt", type: "chatgpt", baseUrl, apiKeys });
}

function ask(fields: Readonly<Record<string, unknown>>, more: Partial<ModelRequest> = {}, apiKeys?: readonly string[]) {
  return provider(apiKeys)
    .prepare(requestOf(fields, { operation: "responses", ...more }), "gpt-5.6-sol")
    .send({ idempotencyKey: undefined })
    .then(relayed);
}

const item = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  status: "completed",
  content: [{ type: "output_text", text: "Hi 🌍", annotations: [] }],
};
const usage = { input_tokens: 3, output_tokens: 2, total_tokens: 5 };
const created = { id: "resp_1", object: "response", status: "in_progress", model: "gpt-5.6-sol", output: [] };
const events: readonly Readonly<Record<string, unknown>>[] = [
  { type: "response.created", sequence_number: 0, response: created },
  { type: "response.output_item.added", sequence_number: 1, output_index: 0, item: { ...item, content: [] } },
  { type: "response.output_text.delta", sequence_number: 2, item_id: "msg_1", output_index: 0, delta: "Hi 🌍" },
  { type: "response.output_item.done", sequence_number: 3, output_index: 0, item },
  // As this provider ends its streams: the items are not told again.
  { type: "response.completed", sequence_number: 4, response: { ...created, status: "completed", usage } },
];
const streamOf = (list: readonly Readonly<Record<string, unknown>>[]) =>
  list.map((event) => `event: ${String(event["type"])}\ndata: ${JSON.stringify(event)}\n\n`).join("");

function answers(body = streamOf(events)): void {
  upstream.script = (connection) => connection.write(answerText(200, { "content-type": "text/event-stream" }, body));
}

function received() {
  const [request] = upstream.requests;
  if (request === undefined) throw new Error("nothing arrived");
  const headers = Object.fromEntries(request.headers.map(([name, value]) => [name.toLowerCase(), value]));
  return { line: request.requestLine, headers, body: JSON.parse(request.body) };
}

describe("a request", () => {
  test("in one piece is asked for as a stream that is not stored, and put together from it", async () => {
    answers();
    expect(JSON.parse(await ask({ input: "Hello" }))).toEqual({
      ...created,
      status: "completed",
      output: [item],
      usage,
    });
    const { line, headers, body } = received();
    expect(line).toBe("POST /backend-api/codex/responses HTTP/1.1");
    expect(headers["accept"]).toBe("text/event-stream");
    expect(body).toEqual({
      model: "gpt-5.6-sol",
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hello" }] }],
      stream: true,
      store: false,
      instructions: "",
    });
  });

  test("keeps what is understood and loses what is refused", async () => {
    answers();
    const kept = {
      instructions: "be brief",
      tools: [{ type: "function", name: "f", parameters: {} }],
      tool_choice: "auto",
      parallel_tool_calls: true,
      reasoning: { effort: "high" },
      text: { verbosity: "low" },
      include: ["reasoning.encrypted_content"],
      prompt_cache_key: "k1",
    };
    const dropped = {
      temperature: 1,
      top_p: 1,
      max_output_tokens: 100,
      previous_response_id: "resp_0",
      truncation: "auto",
      metadata: { a: "b" },
      user: "u",
      service_tier: "auto",
      top_logprobs: 1,
      prompt_cache_retention: "24h",
      prompt_cache_options: {},
    };
    const input = [
      { role: "system", content: "one" },
      { role: "user", content: "two" },
    ];
    await ask({ input, ...kept, ...dropped, store: true, stream: true });
    expect(received().body).toEqual({
      model: "gpt-5.6-sol",
      input: [
        { role: "developer", content: "one" },
        { role: "user", content: "two" },
      ],
      ...kept,
      store: false,
      stream: true,
    });
  });

  test("that streams has its bytes passed", async () => {
    answers();
    expect(await ask({ input: "Hello", stream: true })).toBe(streamOf(events));
  });

  test("carries the token, and the account that the token names", async () => {
    answers();
    await ask({ input: "Hello" });
    expect(received().headers).toMatchObject({ authorization: `Bearer ${token}`, "chatgpt-account-id": "acc-7" });
  });

  test.each(["opaque", `a.${Buffer.from("no json").toString("base64url")}.c`, `a.${part({ sub: "me" })}.c`])(
    "with the token %s names no account",
    async (key) => {
      answers();
      await ask({ input: "Hello" }, {}, [key]);
      expect(received().headers).not.toHaveProperty("chatgpt-account-id");
      expect(received().headers["authorization"]).toBe(`Bearer ${key}`);
    },
  );

  test.each([
    ["s".repeat(64), "s".repeat(64)],
    ["s".repeat(65), undefined],
  ])("of the session %s has it as session-id, and as its cache key when it is short enough", async (session, key) => {
    answers();
    await ask({ input: "Hello" }, { callerHeaders: new Headers({ session_id: session }) });
    expect(received().headers["session-id"]).toBe(session);
    expect(received().body.prompt_cache_key).toBe(key);
  });
});

describe("a Messages request", () => {
  const fields = { max_tokens: 50, system: "be brief", messages: [{ role: "user", content: "Hello" }] };

  test("in one piece comes back as a message", async () => {
    answers();
    const answer = JSON.parse(await ask(fields, { operation: "messages" }));
    expect(answer).toMatchObject({
      type: "message",
      content: [{ type: "text", text: "Hi 🌍" }],
      stop_reason: "end_turn",
      usage: { input_tokens: 3, output_tokens: 2 },
    });
    const { body } = received();
    expect(body).toMatchObject({ instructions: "be brief", stream: true, store: false });
    expect(body).not.toHaveProperty("max_output_tokens");
  });

  test("that streams comes back as a stream of Messages", async () => {
    answers();
    const text = await ask({ ...fields, stream: true }, { operation: "messages" });
    expect(text).toContain('"type":"text_delta","text":"Hi 🌍"');
    expect(text.match(/^event: message_stop$/gm)).toHaveLength(1);
  });
});

describe("an answer in one piece", () => {
  test("whose stream is cut is a failure", async () => {
    answers(streamOf(events.slice(0, 3)));
    expect(await failureOf(ask({ input: "Hello" }))).toMatchObject({ status: 502, origin: "answer" });
  });

  test("whose stream ends in a failure is that failure, whatever came before", async () => {
    const error = { code: "rate_limit_exceeded", message: "Slow down" };
    const failed = { type: "response.failed", response: { ...created, status: "failed", error } };
    answers(streamOf([...events.slice(0, 3), failed]));
    expect(await failureOf(ask({ input: "Hello" }))).toMatchObject({ status: 429, message: "Slow down" });
  });

  test("that was not finished says so", async () => {
    const incomplete = { ...created, status: "incomplete", incomplete_details: { reason: "max_output_tokens" } };
    answers(streamOf([...events.slice(0, 4), { type: "response.incomplete", response: incomplete }]));
    expect(JSON.parse(await ask({ input: "Hello" }))).toEqual({ ...incomplete, output: [item] });
  });
});

test.each([
  ["chat-completions", { messages: [{ role: "user", content: "Hello" }] }, "chat completions are not supported"],
  ["embeddings", { input: "Hello" }, "embeddings are not supported"],
] as const)("%s is a 501 that says what to do, and nothing is sent", async (operation, fields, words) => {
  const failure = await failureOf(Promise.resolve().then(() => ask(fields, { operation })));
  expect(failure).toMatchObject({ status: 501, origin: "request", code: "unsupported_operation" });
  expect(failure.message).toStartWith(`${words} by this provider: gpt: `);
  expect(upstream.requests).toEqual([]);
});

test("the models are known by name", async () => {
  const models = await provider().listModels(new Cancellation());
  expect(models.map(({ id }) => id)).toEqual(["gpt-5.6-sol", "gpt-5.6-terra", "gpt-5.6-luna", "gpt-5.5"]);
  expect(upstream.requests).toEqual([]);
});
