// What a translated history is for providers of chat completions that take more than others.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failureOf, providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
  const choice = { index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" };
  const answer = { id: "c", object: "chat.completion", choices: [choice] };
  upstream.script = (connection) =>
    connection.write(answerText(200, { "content-type": "application/json" }, JSON.stringify(answer)));
});
afterEach(() => upstream.stop());

/** The messages that a Messages request arrives with. */
async function received(type: string, model: string, messages: readonly unknown[]): Promise<readonly unknown[]> {
  const provider = providerAt(upstream.port, { name: "p", type, apiKeys: ["k"] });
  const request = requestOf({ max_tokens: 50, messages }, { operation: "messages" });
  await relayed(await provider.prepare(request, model).send({ idempotencyKey: undefined }));
  return JSON.parse(upstream.requests.at(-1)?.body ?? "").messages;
}

const history = [
  { role: "user", content: "q" },
  {
    role: "assistant",
    content: [
      { type: "thinking", thinking: "look it up", signature: "sig" },
      { type: "tool_use", id: "t1", name: "f", input: { a: 1 } },
    ],
  },
  { role: "user", content: [{ type: "tool_result", tool_use_id: "t1", content: "42" }] },
];

describe("thinking before a tool call", () => {
  test.each([
    ["deepseek", "deepseek-v4-pro"],
    ["kimi", "kimi-k2.6"],
    ["kimicode", "kimi-for-coding"],
    ["zai", "glm-5"],
    ["xiaomi", "mimo-v2-pro"],
    ["bailian", "qwen-plus"],
    ["opencode_go", "glm-5"],
    ["openrouter", "deepseek/deepseek-v4-pro"],
    ["fireworks", "m"],
    ["vllm", "m"],
    ["sglang", "m"],
    ["llamacpp", "m"],
    ["llmd", "m"],
  ])("goes back to %s as reasoning_content", async (type, model) => {
    const [, assistant] = await received(type, model, history);
    expect(assistant).toMatchObject({ role: "assistant", reasoning_content: "look it up", tool_calls: [{ id: "t1" }] });
    expect(JSON.stringify(assistant)).not.toContain("sig");
  });

  test("goes back to Cerebras as reasoning", async () => {
    const [, assistant] = await received("cerebras", "m", history);
    expect(assistant).toMatchObject({ reasoning: "look it up" });
    expect(assistant).not.toHaveProperty("reasoning_content");
  });

  test.each(["openai", "azure", "groq", "mistral", "together", "minimax", "meta", "xai"])(
    "is left out for %s",
    async (type) => {
      expect(JSON.stringify((await received(type, "m", history))[1])).not.toContain("look it up");
    },
  );
});

describe("a PDF without a name", () => {
  const source = { type: "base64", media_type: "application/pdf", data: "JVBERi0=" };
  const messages = [
    {
      role: "user",
      content: [
        { type: "document", source },
        { type: "text", text: "sum up" },
      ],
    },
  ];

  test.each(["openai", "azure", "openrouter"])("is document.pdf for %s", async (type) => {
    expect(await received(type, "gpt-4o", messages)).toEqual([
      {
        role: "user",
        content: [
          { type: "file", file: { filename: "document.pdf", file_data: "data:application/pdf;base64,JVBERi0=" } },
          { type: "text", text: "sum up" },
        ],
      },
    ]);
  });

  test("is a 400 for a provider that takes no files", async () => {
    const failure = await failureOf(Promise.resolve().then(() => received("groq", "m", messages)));
    expect(failure).toMatchObject({ status: 400, origin: "request" });
    expect(failure.message).toContain("provider p");
    expect(upstream.requests).toEqual([]);
  });
});

test.each(["openai", "groq", "deepseek"])("a document of plain text is text for %s", async (type) => {
  const document = {
    type: "document",
    title: "Notes",
    source: { type: "text", media_type: "text/plain", data: "one" },
  };
  const [message] = await received(type, "m", [{ role: "user", content: [document] }]);
  expect(JSON.stringify(message)).toContain("one");
  expect(JSON.stringify(message)).not.toContain('"file"');
});
