// What a caller of another dialect gets when a provider sends too much, too little or the wrong thing.

import { describe, expect, test } from "bun:test";
import { targets } from "../../test/golden/pairs/pair.ts";
import { answerReader, callerRequest, translated, type Exchange } from "../../test/support/translated-exchange.ts";
import type { Dialect } from "../core/chat-request.ts";
import type { AnswerReader } from "../core/provider.ts";

const messagesRequest = callerRequest("messages", {
  model: "smart",
  stream: true,
  max_tokens: 5,
  messages: [{ role: "user", content: "Hi" }],
});

function chatReader(provider: Dialect): AnswerReader {
  return answerReader(chatExchange(provider));
}

function chatExchange(provider: Dialect): Exchange {
  return {
    caller: "chat-completions",
    provider,
    target: targets[provider],
    request: callerRequest("chat-completions", {
      model: "smart",
      stream: true,
      messages: [{ role: "user", content: "Hi" }],
    }),
    madeUp: { newId: () => "new", now: 1, inputTokens: 0 },
  };
}

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
const textOf = (bytes: Uint8Array | undefined): string => new TextDecoder().decode(bytes);
const named = (type: string, json: string): Uint8Array => bytesOf(`event: ${type}\ndata: ${json}\n\n`);
const event = (data: { readonly type: string; readonly [member: string]: unknown }): Uint8Array =>
  named(data.type, JSON.stringify(data));
const plain = (data: object): Uint8Array => bytesOf(`data: ${JSON.stringify(data)}\n\n`);

const started = event({ type: "message_start", message: { id: "msg_1", usage: { input_tokens: 1 } } });
const textBlock = event({ type: "content_block_start", index: 0, content_block: { type: "text", text: "" } });
const said = event({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text: "a" } });
const ended = event({ type: "message_delta", delta: { stop_reason: "end_turn" } });
const stopped = event({ type: "message_stop" });

describe("a translated stream", () => {
  test("that is complete gives nothing more, whatever still comes", () => {
    const reader = chatReader("messages");
    for (const bytes of [started, textBlock, said, ended]) reader.push(bytes);
    expect(textOf(reader.push(stopped).relay)).toEndWith("data: [DONE]\n\n");
    expect(reader.push(said)).toMatchObject({ relay: undefined, complete: true, events: 0 });
    expect(reader.end()).toMatchObject({ relay: undefined, complete: true, events: 0 });
  });

  test("that has failed keeps its failure and gives nothing more", () => {
    const reader = chatReader("messages");
    for (const bytes of [started, textBlock, said]) reader.push(bytes);
    const { failure } = reader.push(event({ type: "error", error: { type: "overloaded_error", message: "busy" } }));
    expect(failure?.message).toBe("busy");
    const later = reader.push(stopped);
    expect(later.failure).toBe(failure);
    expect(later.relay).toBeUndefined();
  });

  test.each(["content_block_delta", "content_block_stop"])(
    "breaks at a malformed %s of a Messages provider, with what was said before",
    (type) => {
      const reader = chatReader("messages");
      for (const bytes of [started, textBlock]) reader.push(bytes);
      const { relay, failure } = reader.push(Buffer.concat([said, named(type, `{"type":"${type}",index}`)]));
      expect(textOf(relay)).toContain('"content":"a"');
      expect(failure).toMatchObject({ origin: "answer", status: 502, code: "stream_incomplete" });
    },
  );

  test("breaks at a malformed event of a Responses provider", () => {
    const reader = chatReader("responses");
    reader.push(event({ type: "response.created", response: { id: "resp_1" } }));
    const type = "response.output_text.delta";
    reader.push(event({ type, item_id: "m", output_index: 0, content_index: 0, delta: "a" }));
    const { failure } = reader.push(named(type, `{"type":"${type}","delta":"b}`));
    expect(failure).toMatchObject({ origin: "answer", status: 502, code: "stream_incomplete" });
  });

  test("breaks at a malformed chunk of a chat provider", () => {
    const reader = answerReader({ ...chatExchange("chat-completions"), caller: "messages", request: messagesRequest });
    reader.push(plain({ id: "c", choices: [{ index: 0, delta: { content: "a" } }] }));
    const { failure } = reader.push(bytesOf('data: {"id":"c","choices":[{"index":0,"delta":{"content":"b}}]}\n\n'));
    expect(failure).toMatchObject({ origin: "answer", status: 502, code: "stream_incomplete" });
  });

  test("has an id and a model also when the provider's are empty", () => {
    const reader = chatReader("messages");
    const { relay } = reader.push(event({ type: "message_start", message: { id: "", model: "" } }));
    expect(textOf(relay)).toStartWith(
      'data: {"id":"chatcmpl-new","object":"chat.completion.chunk","created":1,"model":"smart"',
    );
  });

  test("gives a call that comes with the id of an earlier one an id of its own", () => {
    const reader = chatReader("gemini");
    const call = { functionCall: { id: "a", name: "f", args: {} } };
    const { relay } = reader.push(plain({ candidates: [{ content: { parts: [call, call] } }] }));
    const ids = [...textOf(relay).matchAll(/"tool_calls":\[\{"index":\d,"id":"([^"]+)"/g)].map(([, id]) => id);
    expect(ids).toEqual(["a", expect.stringMatching(/^call_.{24}$/)]);
  });

  test("gives a Messages caller no two calls with one id", () => {
    const reader = answerReader({ ...chatExchange("responses"), caller: "messages", request: messagesRequest });
    const item = (id: string) => ({ type: "function_call", id, call_id: "c", name: "f", arguments: "{}" });
    const added = (id: string, index: number) =>
      event({ type: "response.output_item.done", output_index: index, item: item(id) });
    reader.push(event({ type: "response.created", response: { id: "resp_1" } }));
    const { relay } = reader.push(Buffer.concat([added("fc_1", 0), added("fc_2", 1)]));
    const end = reader.push(event({ type: "response.completed", response: {} }));
    const ids = [...(textOf(relay) + textOf(end.relay)).matchAll(/"type":"tool_use","id":"([^"]+)"/g)];
    expect(ids.map(([, id]) => id)).toEqual(["c", "toolu_new"]);
  });

  test("ends with the reason `unknown` when the provider's stop reason is empty", () => {
    const reader = chatReader("messages");
    for (const bytes of [started, textBlock, said]) reader.push(bytes);
    const { relay } = reader.push(
      Buffer.concat([event({ type: "message_delta", delta: { stop_reason: "" } }), stopped]),
    );
    expect(textOf(relay)).toContain('"finish_reason":"unknown"');
  });

  test("ends with the reason `unknown` when the provider's status is empty", () => {
    const reader = chatReader("responses");
    reader.push(event({ type: "response.created", response: { id: "resp_1" } }));
    const terminal = event({
      type: "response.incomplete",
      response: { status: "", output: [{ type: "message", content: [{ type: "output_text", text: "a" }] }] },
    });
    expect(textOf(reader.push(terminal).relay)).toContain('"finish_reason":"unknown"');
  });
});

describe("a member that nobody knows", () => {
  const hi = { role: "user", content: "Hi" };

  test("does not take the place of one that the target has, in a request", () => {
    const members = { model: "smart", messages: [{ ...hi, type: "x", extra: 1 }], input: "other", of_next_year: 1 };
    const exchange = { ...chatExchange("responses"), request: callerRequest("chat-completions", members) };
    expect(JSON.parse(translated(exchange).body)).toMatchObject({
      input: [{ type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }], extra: 1 }],
      of_next_year: 1,
    });
  });

  test("does not take the place of one that the caller's dialect has, in an answer", () => {
    const request = callerRequest("responses", { model: "smart", input: "Hi" });
    const reader = answerReader({ ...chatExchange("chat-completions"), caller: "responses", request });
    const call = {
      id: "a",
      type: "function",
      function: { name: "f", arguments: "{}", type: 5, status: "x", extra: 1 },
    };
    const message = { role: "assistant", content: null, tool_calls: [call] };
    const body = { id: "c", choices: [{ index: 0, message, finish_reason: "tool_calls" }] };
    const given = textOf(reader.push(bytesOf(JSON.stringify(body))).relay) || textOf(reader.end().relay);
    expect(JSON.parse(given).output).toEqual([
      { id: "fc_new", type: "function_call", status: "completed", call_id: "a", name: "f", arguments: "{}", extra: 1 },
    ]);
  });
});
