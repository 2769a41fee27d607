// A translated stream that is cut inside a tool call or a text: clients run a call as soon as it is told to be whole, so nothing is closed that was not.

import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { providerAt, requestOf } from "../../test/support/provider-bench.ts";
import { answerText, type ScriptedUpstream, startScriptedUpstream } from "../../test/support/scripted-upstream.ts";
import type { Operation } from "../core/model-request.ts";

let upstream: ScriptedUpstream;
beforeEach(() => {
  upstream = startScriptedUpstream();
});
afterEach(() => upstream.stop());

const decoder = new TextDecoder();

/** What the caller gets until the break, and the failure that it is. */
async function brokenStream(type: string, operation: Operation, fields: object, events: readonly object[]) {
  const body = events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join("");
  upstream.script = (connection) => connection.write(answerText(200, { "content-type": "text/event-stream" }, body));
  const provider = providerAt(upstream.port, { name: "a", type, apiKeys: ["k"] });
  const call = provider.prepare(requestOf({ stream: true, ...fields }, { operation }), "m");
  const { body: read, reader } = await call.send({ idempotencyKey: undefined });
  let text = "";
  let code: string | number | undefined;
  for (let ended = false; !ended && code === undefined;) {
    const bytes = await read.read();
    ended = bytes === undefined;
    const step = bytes === undefined ? reader.end() : reader.push(bytes.slice());
    text += decoder.decode(step.relay);
    code = step.failure?.code ?? undefined;
  }
  return { text, code };
}

function chunk(delta: object): object {
  return { id: "c", object: "chat.completion.chunk", created: 1, model: "m", choices: [{ index: 0, delta }] };
}

const chatCall = [
  chunk({ tool_calls: [{ index: 0, id: "call_1", function: { name: "rm", arguments: '{"path":"/tmp' } }] }),
];
const claudeCall = [
  { type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1, output_tokens: 1 } } },
  { type: "content_block_start", index: 0, content_block: { type: "tool_use", id: "call_1", name: "rm", input: {} } },
  { type: "content_block_delta", index: 0, delta: { type: "input_json_delta", partial_json: '{"path":"/tmp' } },
];
const openaiCall = [
  { type: "response.created", sequence_number: 0, response: { id: "resp_1", model: "m", status: "in_progress" } },
  {
    type: "response.output_item.added",
    sequence_number: 1,
    output_index: 0,
    item: { type: "function_call", id: "fc_1", call_id: "call_1", name: "rm", arguments: "", status: "in_progress" },
  },
  {
    type: "response.function_call_arguments.delta",
    sequence_number: 2,
    output_index: 0,
    item_id: "fc_1",
    delta: '{"path":"/tmp',
  },
];
const withImageResult = {
  max_tokens: 9,
  messages: [
    { role: "user", content: "hi" },
    { role: "assistant", content: [{ type: "tool_use", id: "t", name: "rm", input: {} }] },
    {
      role: "user",
      content: [
        {
          type: "tool_result",
          tool_use_id: "t",
          content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } }],
        },
      ],
    },
  ],
};

describe("a stream that is cut inside a tool call", () => {
  test.each([
    ["groq", "responses", { input: "hi" }, chatCall],
    ["groq", "messages", { max_tokens: 9, messages: [{ role: "user", content: "hi" }] }, chatCall],
    ["anthropic", "responses", { input: "hi" }, claudeCall],
    ["anthropic", "chat-completions", { messages: [{ role: "user", content: "hi" }] }, claudeCall],
    ["openai", "messages", withImageResult, openaiCall],
  ] as const)("%s for a caller of %s: the call stays open", async (type, operation, fields, events) => {
    const { text, code } = await brokenStream(type, operation, fields, events);
    expect(code).toBe("stream_incomplete");
    expect(text).toContain("/tmp");
    expect(text).not.toMatch(/\.done"|"completed"|content_block_stop|message_delta|"(?:finish|stop)_reason":"/);
  });

  test("a custom tool of a caller of Responses: what came of its input stays a piece", async () => {
    const fields = { input: "hi", tools: [{ type: "custom", name: "rm" }] };
    const events = [
      chunk({ tool_calls: [{ index: 0, id: "call_1", function: { name: "rm", arguments: '{"input":"/tmp' } }] }),
    ];
    const { text, code } = await brokenStream("groq", "responses", fields, events);
    expect(code).toBe("stream_incomplete");
    expect(text).toContain('"delta":"/tmp"');
    expect(text).not.toMatch(/\.done"|"completed"/);
  });
});
