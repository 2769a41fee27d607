// The bytes that go to a provider: what has to change changes, and nothing else.

import { describe, expect, test } from "bun:test";
import { Cancellation } from "../../core/cancellation.ts";
import { wholeBytes } from "../../core/edited-bytes.ts";
import { Failure } from "../../core/failure.ts";
import type { ModelRequest } from "../../core/model-request.ts";
import type { JsonEdit } from "../json/edit-object.ts";
import { encodeRequest } from "./encode-request.ts";
import { readModelRequest } from "../read-request.ts";

function requestOf(text: string): ModelRequest {
  const body = new TextEncoder().encode(text);
  const facts = readModelRequest(body, "chat-completions");
  if (facts instanceof Failure) throw facts;
  return {
    id: "r",
    operation: "chat-completions",
    body,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
    ...facts,
  };
}

function encoded(text: string, model: string, askUsage = false, edits: readonly JsonEdit[] = []): string {
  return new TextDecoder().decode(wholeBytes(encodeRequest(requestOf(text), model, { askUsage, edits })));
}

describe("encoding", () => {
  test("replaces the model and keeps every other byte", () => {
    const before =
      '{ "messages" : [{"role":"user","content":"\\"model\\": \\u00e9 1.0e5"}],\n\t"model": "smart" ,"x":1.0, "x":2}\n';
    expect(encoded(before, 'a/"b"')).toBe(before.replace('"smart"', '"a/\\"b\\""'));
  });

  test("gives the original bytes when nothing has to change", () => {
    const request = requestOf('{"model":"gpt-4o","stream":true,"stream_options":{"include_usage":true}}');
    expect(encodeRequest(request, "gpt-4o", { askUsage: true, edits: [] })).toBe(request.body);
  });

  test("never forwards `provider`, not even null", () => {
    expect(encoded('{"provider":"openai","model":"m"}', "m")).toBe('{"model":"m"}');
    expect(encoded('{"model":"m","provider":null}', "n")).toBe('{"model":"n"}');
  });

  test.each([
    [
      "nothing there",
      '{"model":"m","stream":true}',
      '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    ],
    [
      "null there",
      '{"model":"m","stream_options":null,"stream":true}',
      '{"model":"m","stream_options":{"include_usage":true},"stream":true}',
    ],
    [
      "false there",
      '{"model":"m","stream":true,"stream_options":{"include_usage":false}}',
      '{"model":"m","stream":true,"stream_options":{"include_usage":true}}',
    ],
    [
      "other options there",
      '{"model":"m","stream":true,"stream_options":{ "include_obfuscation":false }}',
      '{"model":"m","stream":true,"stream_options":{ "include_obfuscation":false,"include_usage":true }}',
    ],
    ["no stream", '{"model":"m"}', '{"model":"m"}'],
    ["a stream that is off", '{"model":"m","stream":false}', '{"model":"m","stream":false}'],
  ])("asks for usage with %s", (_name, before, after) => {
    expect(encoded(before, "m", true)).toBe(after);
    expect(encoded(before, "m", false)).toBe(before);
  });

  test("makes the provider's own changes in the same copy", () => {
    const before = '{"model":"smart","max_tokens":5,"temperature":0.5,"stream":true,"provider":"p","user":"u"}';
    const edits: JsonEdit[] = [
      { kind: "rename", key: "max_tokens", to: "max_completion_tokens" },
      { kind: "remove", key: "temperature" },
    ];
    expect(encoded(before, "o3", true, edits)).toBe(
      '{"model":"o3","max_completion_tokens":5,"stream":true,"user":"u","stream_options":{"include_usage":true}}',
    );
  });
});
