import { expect, test } from "bun:test";
import { Cancellation } from "../../core/cancellation.ts";
import type { ModelRequest } from "../../core/model-request.ts";
import { markState } from "../foreign-state.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import { stripForeignState } from "./strip-foreign-state.ts";

function request(text: string): ModelRequest {
  const body = new TextEncoder().encode(text);
  const members = scanObject(body, maxJsonDepth);
  if ("message" in members) throw new Error(members.message);
  return {
    id: "r",
    operation: "responses",
    model: "m",
    providerHint: undefined,
    stream: false,
    body,
    members,
    wantsStreamUsage: false,
    idempotencyKey: undefined,
    cancellation: new Cancellation(),
    deadline: undefined,
  };
}

const stripped = (input: unknown): unknown => {
  const [edit] = stripForeignState(request(JSON.stringify({ model: "m", input })), "openai");
  return edit?.kind === "set" ? JSON.parse(edit.json) : undefined;
};

const user = { role: "user", content: "hi" };
const reasoning = (more: object) => ({ type: "reasoning", id: "rs_1", summary: [], ...more });

test("a history without marks is not touched", () => {
  expect(stripped([user, reasoning({ encrypted_content: "ENC" })])).toBeUndefined();
  expect(stripped("hi")).toBeUndefined();
  expect(stripForeignState(request('{"model":"m"}'), "openai")).toEqual([]);
});

test("a text that only speaks of the mark is not touched", () => {
  expect(stripped([{ role: "user", content: 'what is gomodel.state. and "extra_content"' }])).toBeUndefined();
});

test("reasoning of others goes, with its item", () => {
  const anthropic = markState({ issuer: "anthropic", kind: "signature", value: "S" }, "hm");
  const nobody = markState({ issuer: "", kind: "encrypted", value: "" });
  const items = [user, reasoning({ encrypted_content: anthropic }), reasoning({ encrypted_content: nobody }), user];
  expect(stripped(items)).toEqual([user, user]);
});

test("marked reasoning of the issuer is given back as it was", () => {
  const marked = markState({ issuer: "openai", kind: "encrypted", value: "ENC", id: "rs_9" });
  expect(stripped([reasoning({ encrypted_content: marked })])).toEqual([
    { type: "reasoning", id: "rs_9", summary: [], encrypted_content: "ENC" },
  ]);
});

test("objects of other vendors go, the issuer's own stays", () => {
  const call = { type: "function_call", call_id: "c", name: "f", arguments: '{"n":1}' };
  expect(stripped([{ ...call, extra_content: { google: { thought_signature: "G" } } }])).toEqual([call]);
  expect(stripped([{ ...call, extra_content: { google: {}, openai: { a: 1 } } }])).toEqual([
    { ...call, extra_content: { openai: { a: 1 } } },
  ]);
  expect(stripped([{ ...call, extra_content: { openai: { a: 1 } } }])).toBeUndefined();
});
