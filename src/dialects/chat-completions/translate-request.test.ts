// Chat requests to and from the hub: golden values, errors, and what survives both ways.

import { describe, expect, test } from "bun:test";
import { Cancellation } from "../../core/cancellation.ts";
import { Failure } from "../../core/failure.ts";
import type { ChatRequest } from "../../core/chat-request.ts";
import type { ModelRequest } from "../../core/model-request.ts";
import type { TranslationTarget } from "../../core/translation.ts";
import { refusedRequests, requestCases } from "../../../test/golden/chat-completions/requests.ts";
import { chatCompletionsTranslator } from "./translator.ts";

const { decodeRequest, encodeRequest } = chatCompletionsTranslator;

function modelRequest(text: string): ModelRequest {
  const body = new TextEncoder().encode(text);
  const parsed: { stream?: boolean; stream_options?: { include_usage?: boolean } } = JSON.parse(text);
  return {
    id: "r",
    operation: "chat-completions",
    model: "m",
    providerHint: undefined,
    stream: parsed.stream === true,
    body,
    members: [],
    wantsStreamUsage: parsed.stream_options?.include_usage === true,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
  };
}

function hubOf(members: Partial<ChatRequest>): ChatRequest {
  return {
    dialect: "chat-completions",
    model: "m",
    stream: false,
    wantsStreamUsage: false,
    messages: [{ role: "user", parts: [{ kind: "text", text: "Hi" }] }],
    tools: [],
    own: [],
    unknown: {},
    ...members,
  };
}

function targetOf(members: Partial<TranslationTarget> | undefined, dropped: string[]): TranslationTarget {
  return {
    providerName: "openai",
    providerType: "openai",
    model: "m",
    issuer: "openai",
    accepts: { files: true, customTools: true, mediaInToolResults: true, reasoningContent: true },
    defaultMaxTokens: 4096,
    ...members,
    dropped: (field) => void dropped.push(field),
  };
}

const decoded = (chat: object): ChatRequest => decodeRequest(modelRequest(JSON.stringify(chat)));
const encoded = (hub: Partial<ChatRequest>): unknown => JSON.parse(encodeRequest(hubOf(hub), targetOf({}, [])));
const plain = { model: "m", messages: [{ role: "user", content: "Hi" }] };

describe("a request is read as the hub has it", () => {
  test.each(requestCases.filter(({ way }) => way !== "encode"))("$name", ({ chat, hub }) => {
    expect(decoded({ ...plain, ...chat })).toEqual(hubOf(hub));
  });
});

describe("a request of the hub is written for a provider", () => {
  test.each(requestCases.filter(({ way }) => way !== "decode"))("$name", ({ chat, hub, target, dropped = [] }) => {
    const told: string[] = [];
    expect(JSON.parse(encodeRequest(hubOf(hub), targetOf(target, told)))).toEqual({ ...plain, ...chat });
    expect(told).toEqual([...dropped]);
  });
});

describe("what a provider cannot honour is a 400 that names field and provider", () => {
  test.each(refusedRequests)("$name", ({ hub, target, message, param }) => {
    expect(failureOf(() => encodeRequest(hubOf(hub), targetOf(target, [])))).toMatchObject({
      status: 400,
      message,
      param,
    });
  });
});

describe("what is no chat request is a 400 that names the member", () => {
  test.each([
    ["no messages", {}, "`messages` is missing or empty: add at least one message", "messages"],
    ["no message", { messages: [] }, "`messages` is missing or empty: add at least one message", "messages"],
    ["a message that is none", { messages: [7] }, "`messages[0]` must be an object", "messages[0]"],
    [
      "an unknown role",
      { messages: [{ role: "robot" }] },
      "`messages[0].role` must be `system`, `developer`, `user`, `assistant` or `tool`",
      "messages[0].role",
    ],
    [
      "content of a wrong type",
      { messages: [{ role: "user", content: 7 }] },
      "`messages[0].content` must be a string or a list of parts",
      "messages[0].content",
    ],
    [
      "an image without address",
      { messages: [{ role: "user", content: [{ type: "image_url", image_url: {} }] }] },
      "`messages[0].content[0].image_url` must be an object with the `url` of the image",
      "messages[0].content[0].image_url",
    ],
    [
      "a result without its call",
      { messages: [{ role: "tool", content: "x" }] },
      "`messages[0].tool_call_id` must be the id of the tool call that this is the result of",
      "messages[0].tool_call_id",
    ],
    [
      "a tool without name",
      { ...plain, tools: [{ type: "function", function: {} }] },
      "`tools[0].function.name` must be the name of the function",
      "tools[0].function.name",
    ],
    ["a bad stop", { ...plain, stop: 7 }, "`stop` must be a string or a list of strings", "stop"],
    ["a bad temperature", { ...plain, temperature: "hot" }, "`temperature` must be a number", "temperature"],
    [
      "a bad format",
      { ...plain, response_format: { type: "xml" } },
      "`response_format.type` must be `text`, `json_object` or `json_schema`",
      "response_format.type",
    ],
    [
      "a bad choice",
      { ...plain, tool_choice: "maybe" },
      "`tool_choice` must be `none`, `auto`, `required` or an object",
      "tool_choice",
    ],
  ])("%s", (_name, chat, message, param) => {
    expect(failureOf(() => decoded(chat))).toMatchObject({ status: 400, message, param });
  });
});

test("numbers in schemas and unknown members keep their digits both ways", () => {
  const tools = `[{"type":"function","function":{"name":"f","parameters":{"maximum":12345678901234567890}}}]`;
  const text = `{"x":0.12345678901234567891,"model":"m","messages":[{"role":"user","content":"Hi"}],"tools":${tools}}`;
  expect(encodeRequest(decodeRequest(modelRequest(text)), targetOf({}, []))).toBe(text);
});

test("state of OpenAI's Responses is not sent to its chat completions, which refuse members of messages that they do not know", () => {
  const state = { issuer: "openai", kind: "encrypted", value: "gAAA", id: "rs_1" } as const;
  const parts = [
    { kind: "reasoning", text: "", state },
    { kind: "text", text: "Hello" },
  ] as const;
  const messages = [
    { role: "user", parts: [{ kind: "text", text: "Hi" }] },
    { role: "assistant", parts },
  ] as const;
  expect(encoded({ dialect: "messages", messages })).toEqual({
    model: "m",
    messages: [
      { role: "user", content: "Hi" },
      { role: "assistant", content: "Hello" },
    ],
  });
});

test("a member named __proto__ survives and changes nothing", () => {
  const text =
    '{"__proto__":{"stop":"x"},"model":"m","messages":[{"__proto__":{"role":"tool"},"role":"user","content":"Hi"}]}';
  const request = decodeRequest(modelRequest(text));
  expect(request.stop).toBeUndefined();
  expect(encodeRequest(request, targetOf({}, []))).toBe(
    '{"__proto__":{"stop":"x"},"model":"m","messages":[{"__proto__":{"role":"tool"},"role":"user","content":"Hi"}]}',
  );
});

test("file data without a head is a PDF, and data without base64 becomes base64", () => {
  const file = decoded({ messages: [{ role: "user", content: [{ type: "file", file: { file_data: "JVBERg==" } }] }] });
  expect(file.messages[0]?.parts).toEqual([
    { kind: "file", source: { from: "data", mediaType: "application/pdf", data: "JVBERg==" } },
  ]);
  const url = "data:text/plain,h%C3%A9";
  const image = decoded({ messages: [{ role: "user", content: [{ type: "image_url", image_url: url }] }] });
  expect(image.messages[0]?.parts).toEqual([
    { kind: "image", source: { from: "data", mediaType: "text/plain", data: "aMOp" } },
  ]);
});

test("data without base64 may be megabytes long", () => {
  const url = `data:text/plain,${"a%20".repeat(1_000_000)}`;
  const file = decoded({ messages: [{ role: "user", content: [{ type: "file", file: { file_data: url } }] }] });
  const data = Buffer.from("a ".repeat(1_000_000)).toString("base64");
  expect(file.messages[0]?.parts).toEqual([{ kind: "file", source: { from: "data", mediaType: "text/plain", data } }]);
});

test("a tool message without content and a user without text are empty", () => {
  expect(encoded({ messages: [{ role: "user", parts: [] }] })).toMatchObject({
    messages: [{ role: "user", content: "" }],
  });
});

function failureOf(run: () => unknown): Failure {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error;
    throw error;
  }
  throw new Error("nothing was thrown");
}
