// A provider that cannot verify the reasoning in a history is asked once more without it.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { failureOf, providerAt, relayed, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { ScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { PreparedCall } from "../core/provider.ts";
import type { Operation } from "../core/model-request.ts";

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text: "hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
};
const response = { id: "resp_1", object: "response", status: "completed", model: "m", output: [] };

/** Refuses whatever holds `mark`, with `error`. */
function refusing(mark: string, error: object, answer: object): void {
  upstream.script = (connection, { body }) => {
    const isRefused = body.includes(mark);
    connection.write(
      answerText(
        isRefused ? 400 : 200,
        { "content-type": "application/json" },
        JSON.stringify(isRefused ? error : answer),
      ),
    );
  };
}

function prepared(type: string, fields: Readonly<Record<string, unknown>>, operation: Operation): PreparedCall {
  const provider = providerAt(upstream.port, { name: "p", type, apiKeys: ["k"] });
  return provider.prepare(requestOf(fields, { operation }), "m");
}

/** What the second call was sent, after the first was refused. */
async function second(call: PreparedCall): Promise<Readonly<Record<string, unknown>>> {
  const failure = await failureOf(call.send({ idempotencyKey: undefined }));
  const instead = call.insteadAfter?.(failure);
  if (instead === undefined) throw new Error("nothing to send instead");
  await relayed(await instead.send({ idempotencyKey: undefined }));
  expect(instead.insteadAfter?.(failure)).toBeUndefined();
  return JSON.parse(upstream.requests.at(-1)?.body ?? "");
}

const signatureError = {
  type: "error",
  error: {
    type: "invalid_request_error",
    message: "messages.1.content.0: Invalid `signature` in `thinking` block",
  },
};
const thought = { type: "thinking", thinking: "hm", signature: "forged" };

describe("Anthropic", () => {
  const fields = {
    max_tokens: 5000,
    thinking: { type: "enabled", budget_tokens: 1024 },
    messages: [
      { role: "user", content: "q" },
      { role: "assistant", content: [thought, { type: "text", text: "a" }] },
      { role: "user", content: "q2" },
    ],
  };

  test("gets the history without thinking blocks, and everything else as it was", async () => {
    refusing("forged", signatureError, message);
    expect(await second(prepared("anthropic", fields, "messages"))).toEqual({
      ...fields,
      model: "m",
      messages: [
        { role: "user", content: "q" },
        { role: "assistant", content: [{ type: "text", text: "a" }] },
        { role: "user", content: "q2" },
      ],
    });
  });

  test("is asked for no thinking where a tool turn has lost its own", async () => {
    refusing("forged", signatureError, message);
    const call = { type: "tool_use", id: "t1", name: "f", input: {} };
    const result = { type: "tool_result", tool_use_id: "t1", content: "42" };
    const messages = [
      { role: "user", content: "q" },
      { role: "assistant", content: [thought, call] },
      { role: "user", content: [result] },
    ];
    const body = await second(prepared("anthropic", { ...fields, messages }, "messages"));
    expect(body).not.toHaveProperty("thinking");
    expect(body["messages"]).toEqual([messages[0], { role: "assistant", content: [call] }, messages[2]]);
  });

  test("is not asked again for another 400, nor where there is no thinking", async () => {
    refusing("forged", { type: "error", error: { type: "invalid_request_error", message: "max_tokens" } }, message);
    const call = prepared("anthropic", fields, "messages");
    expect(call.insteadAfter?.(await failureOf(call.send({ idempotencyKey: undefined })))).toBeUndefined();
    refusing("plain", signatureError, message);
    const plain = prepared("anthropic", { max_tokens: 5, messages: [{ role: "user", content: "plain" }] }, "messages");
    expect(plain.insteadAfter?.(await failureOf(plain.send({ idempotencyKey: undefined })))).toBeUndefined();
  });

  test("gets a translated history without it, too", async () => {
    refusing("forged", signatureError, message);
    const assistant = {
      role: "assistant",
      content: "a",
      reasoning_content: "hm",
      extra_content: { anthropic: { thinking_blocks: [thought] } },
    };
    const messages = [{ role: "user", content: "q" }, assistant, { role: "user", content: "q2" }];
    const body = await second(prepared("anthropic", { messages }, "chat-completions"));
    expect(JSON.stringify(body)).not.toContain("forged");
    expect(JSON.stringify(body)).toContain('"text":"a"');
  });
});

describe("OpenAI by Responses", () => {
  const error = {
    error: {
      message:
        "The encrypted content gAAA could not be verified. Reason: Encrypted content could not be decrypted or parsed.",
      type: "invalid_request_error",
      param: null,
      code: "invalid_encrypted_content",
    },
  };
  const input = [
    { role: "user", content: "q" },
    { type: "reasoning", id: "rs_1", summary: [], encrypted_content: "forged" },
    { type: "function_call", id: "fc_1", call_id: "c1", name: "f", arguments: "{}" },
    { type: "function_call_output", call_id: "c1", output: "42" },
  ];

  test("gets the history without encrypted reasoning", async () => {
    refusing("forged", error, response);
    const body = await second(prepared("openai", { input, store: false }, "responses"));
    expect(body).toEqual({
      model: "m",
      store: false,
      input: [input[0], { type: "function_call", call_id: "c1", name: "f", arguments: "{}" }, input[3]],
    });
  });

  test("is not asked again where a stored file would be lost with it", async () => {
    refusing("forged", error, response);
    const file = { role: "user", content: [{ type: "input_file", file_id: "file-1" }] };
    const call = prepared("openai", { input: [...input, file] }, "responses");
    expect(call.insteadAfter?.(await failureOf(call.send({ idempotencyKey: undefined })))).toBeUndefined();
  });
});
