// What is accepted as a request, what its facts are, and what a caller is told otherwise.

import { describe, expect, test } from "bun:test";
import { Failure } from "../core/failure.ts";
import type { Operation } from "../core/model-request.ts";
import { readModelRequest } from "./read-request.ts";
import type { RequestFacts } from "./read-request.ts";

function read(text: string, operation: Operation = "chat-completions"): RequestFacts | Failure {
  return readModelRequest(new TextEncoder().encode(text), operation);
}

describe("facts", () => {
  test.each([
    ['{"model":"gpt-4o"}', { model: "gpt-4o", providerHint: undefined, stream: false, wantsStreamUsage: false }],
    ['{"stream":true,"model":"a/b"}', { model: "a/b", stream: true }],
    ['{"model":"m","stream":false}', { stream: false }],
    ['{"model":"m","stream":null,"provider":null,"stream_options":null}', { stream: false, providerHint: undefined }],
    ['{"model":"m","provider":"openai-eu"}', { providerHint: "openai-eu" }],
    ['{"model":"m","provider":""}', { providerHint: undefined }],
    ['{"model":"m\\u006f\\"x é"}', { model: 'mo"x é' }],
    ['{"model":"m","stream":true,"stream_options":{"include_usage":true}}', { wantsStreamUsage: true }],
    ['{"model":"m","stream":true,"stream_options":{"include_usage":false}}', { wantsStreamUsage: false }],
    ['{"model":"m","stream":true,"stream_options":{"include_obfuscation":false}}', { wantsStreamUsage: false }],
    ['{"model":"m","messages":[],"messages":[]}', { model: "m" }],
  ])("%s", (text, facts) => {
    expect(read(text)).toMatchObject(facts);
  });

  test("members are those of the body", () => {
    const facts = read('{"model":"m","x":[1]}');
    expect(facts instanceof Failure ? [] : facts.members.map(({ key, valueStart }) => [key, valueStart])).toEqual([
      ["model", 9],
      ["x", 17],
    ]);
  });

  test("a member of a million objects costs no parse", () => {
    const begun = performance.now();
    const list = `[${"{},".repeat(1_000_000)}{}]`;
    expect(read(`{"model":"m","stream_options":{"x":${list}},"y":${list}}`)).toMatchObject({ model: "m" });
    expect(read(`{"model":"m","stream":${list}}`)).toMatchObject({ param: "stream" });
    expect(performance.now() - begun).toBeLessThan(1000);
  });
});

describe("refusals are 400 and name what to change", () => {
  test.each([
    ["", null, "invalid_json", "the request body is empty: send a JSON object"],
    ['{"model":"m",}', null, "invalid_json", "the request body is not valid JSON: unexpected } at byte 13"],
    ['{"model":"m"', null, "invalid_json", "the request body is not valid JSON: unexpected end at byte 12"],
    ["[]", null, "invalid_json", "the request body must be a JSON object: { ... }"],
    ['{"messages":[]}', "model", null, "`model` is missing: add the name of the model to use, as a string"],
    ['{"model":""}', "model", null, "`model` must be a string that is not empty: give the name of the model to use"],
    ['{"model":" "}', "model", null, "`model` must be a string that is not empty: give the name of the model to use"],
    ['{"model":null}', "model", null, "`model` must be a string that is not empty: give the name of the model to use"],
    ['{"model":["m"]}', "model", null, "`model` must be a string that is not empty: give the name of the model to use"],
    ['{"model":"m","stream":"true"}', "stream", null, "`stream` must be true or false, without quotes"],
    ['{"model":"m","stream":1}', "stream", null, "`stream` must be true or false, without quotes"],
    [
      '{"model":"m","provider":5}',
      "provider",
      null,
      "`provider` must be a string: give the name of a configured provider or leave it out",
    ],
    [
      '{"model":"m","stream_options":[]}',
      "stream_options",
      null,
      '`stream_options` must be an object such as {"include_usage":true}, or be left out',
    ],
    ['{"model":"m","model":"m"}', "model", null, "`model` is given twice: keep one of the two"],
    ['{"model":"m","mode\\u006c":"n"}', "model", null, "`model` is given twice: keep one of the two"],
    ['{"model":"m","stream":true,"stream":true}', "stream", null, "`stream` is given twice: keep one of the two"],
    ['{"provider":"a","model":"m","provider":"a"}', "provider", null, "`provider` is given twice: keep one of the two"],
    [
      '{"stream_options":{},"model":"m","stream_options":{}}',
      "stream_options",
      null,
      "`stream_options` is given twice: keep one of the two",
    ],
    [
      `{"model":${"[".repeat(300)}`,
      null,
      "too_deep",
      "the request body is nested deeper than 256 levels at byte 264: send flatter JSON",
    ],
  ] as const)("%s", (text, param, code, message) => {
    const failure = read(text);
    expect(failure).toBeInstanceOf(Failure);
    expect(failure).toMatchObject({
      origin: "request",
      status: 400,
      type: "invalid_request_error",
      param,
      code,
      message,
    });
  });

  test.each<Operation>(["responses", "messages", "count-tokens"])(
    "%s: the same, whatever `stream_options` are",
    (operation) => {
      expect(read('{"model":"m","stream":1}', operation)).toMatchObject({ status: 400, param: "stream" });
      expect(read('{"model":"m","provider":1}', operation)).toMatchObject({ status: 400, param: "provider" });
      expect(read('{"stream":false}', operation)).toMatchObject({ status: 400, param: "model" });
      expect(
        read('{"model":"m","provider":"p","stream_options":{"include_usage":true},"stream_options":1}', operation),
      ).toMatchObject({ model: "m", providerHint: "p", wantsStreamUsage: false });
    },
  );

  test("messages and responses stream, counted tokens never do", () => {
    const text = '{"model":"m","stream":true}';
    expect([read(text, "messages"), read(text, "responses"), read(text, "count-tokens")]).toMatchObject([
      { stream: true },
      { stream: true },
      { stream: false },
    ]);
  });

  test("embeddings have no stream", () => {
    expect(read('{"model":"m","stream":true}', "embeddings")).toMatchObject({ status: 400, param: "stream" });
    expect(read('{"model":"m","stream":false,"input":"x"}', "embeddings")).toMatchObject({ model: "m", stream: false });
  });
});
