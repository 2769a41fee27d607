// What of a history reaches a Responses provider that did not write it.

import { describe, expect, test } from "bun:test";
import { responsesRequest } from "../../../test/support/responses-events.ts";
import { Failure } from "../../core/failure.ts";
import { markState } from "../foreign-state.ts";
import { editObject } from "../json/edit-object.ts";
import { cleanResponsesHistory } from "./history.ts";

function clean(value: unknown, failedOver: boolean, issuer = "openai"): string {
  const request = responsesRequest(value);
  const edits = cleanResponsesHistory(request, { issuer, failedOver, providerName: "backup" });
  return new TextDecoder().decode(editObject(request.body, request.members, edits));
}

function inputOf(items: readonly unknown[], failedOver: boolean, issuer?: string): unknown {
  const body = JSON.parse(clean({ model: "m", input: items }, failedOver, issuer)) as { readonly input: unknown };
  return body.input;
}

const user = { role: "user", content: "hi" };
const said = { type: "message", role: "assistant", content: [{ type: "output_text", text: "hello" }] };

describe("without a failover", () => {
  test("a body without marks gives no edits, whatever it refers to", () => {
    const items = [
      user,
      { type: "reasoning", id: "rs_1", encrypted_content: "x", summary: [] },
      { type: "item_reference", id: "msg_1" },
    ];
    const text = JSON.stringify({ model: "m", previous_response_id: "resp_1", input: items });
    expect(cleanResponsesHistory(responsesRequest(text), { issuer: "openai", failedOver: false })).toEqual([]);
    expect(clean(text, false)).toBe(text);
  });

  test("marked state of another issuer goes with its item", () => {
    const encrypted = markState({ issuer: "anthropic", kind: "signature", value: "sig" });
    expect(
      inputOf([user, { type: "reasoning", id: "rs_1", encrypted_content: encrypted, summary: [] }, said], false),
    ).toEqual([user, said]);
  });

  test("a mark with nothing readable behind it goes, too", () => {
    expect(inputOf([user, { type: "reasoning", encrypted_content: "gomodel.state.???" }], false)).toEqual([user]);
  });

  test("marked state of this issuer gets its own form and id back", () => {
    const encrypted = markState({ issuer: "xai", kind: "encrypted", value: "secret", id: "rs_xai" });
    const item = { type: "reasoning", id: "rs_ours", encrypted_content: encrypted, summary: [] };
    expect(inputOf([user, item], false, "xai")).toEqual([
      user,
      { id: "rs_xai", type: "reasoning", encrypted_content: "secret", summary: [] },
    ]);
    const withoutId = { ...item, encrypted_content: markState({ issuer: "xai", kind: "encrypted", value: "secret" }) };
    expect(inputOf([withoutId], false, "xai")).toEqual([
      { type: "reasoning", encrypted_content: "secret", summary: [] },
    ]);
  });

  test("extra_content goes from every item, and reasoning that had nothing else goes whole", () => {
    const extra = { extra_content: { google: { thought_signature: "t" } } };
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    expect(
      inputOf([user, { ...call, ...extra }, { type: "reasoning", id: "rs_1", summary: [], ...extra }], false),
    ).toEqual([user, call]);
    const own = { type: "reasoning", id: "rs_1", encrypted_content: "mine" };
    expect(inputOf([{ ...own, ...extra }], false)).toEqual([own]);
  });

  test("long numbers and members named __proto__ survive beside a change", () => {
    const kept = '{"role":"user","content":"x","__proto__":{"a":1},"n":12345678901234567890}';
    const text = `{"model":"m", "input":[${kept},{"role":"assistant","content":"y","extra_content":{}}]}`;
    expect(clean(text, false)).toBe(`{"model":"m", "input":[${kept},{"role":"assistant","content":"y"}]}`);
  });

  test("the mark inside a user's text changes nothing", () => {
    const text = JSON.stringify({
      model: "m",
      input: [{ role: "user", content: 'what is gomodel.state. and "extra_content"?' }],
    });
    expect(clean(text, false)).toBe(text);
  });
});

describe("after a failover", () => {
  test("encrypted and stored reasoning and all item ids go, readable reasoning stays", () => {
    const call = { type: "function_call", call_id: "c", name: "f", arguments: "{}" };
    const readable = { type: "reasoning", summary: [], content: [{ type: "reasoning_text", text: "hm" }] };
    const items = [
      user,
      { type: "reasoning", id: "rs_1", encrypted_content: "x", summary: [] },
      { type: "reasoning", id: "rs_2", summary: [{ type: "summary_text", text: "s" }] },
      { type: "item_reference", id: "rs_3" },
      { id: "rs_4" },
      { ...readable, id: "rs_5" },
      { ...said, id: "msg_1" },
      { ...call, id: "fc_1" },
      { type: "function_call_output", call_id: "c", output: "1" },
      // It has all of its content, and no provider takes it without an id.
      { type: "web_search_call", id: "ws_1", status: "completed" },
    ];
    expect(inputOf(items, true)).toEqual([user, readable, said, call, items[8], items[9]]);
  });

  test("a body without anything of that gives no edits", () => {
    const text = JSON.stringify({ model: "m", input: "hi", tools: [{ type: "function", name: "f" }] });
    expect(cleanResponsesHistory(responsesRequest(text), { issuer: "openai", failedOver: true })).toEqual([]);
  });

  test.each([
    said,
    { type: "function_call", call_id: "c", name: "f", arguments: "{}" },
    { type: "custom_tool_call", call_id: "c" },
  ])("previous_response_id goes when the input has the history: %j", (item) => {
    const body = { model: "m", previous_response_id: "resp_1", input: [user, item] };
    expect(clean(body, true)).toBe(JSON.stringify({ model: "m", input: [user, item] }));
  });

  test("previous_response_id null is nothing", () => {
    const text = '{"model":"m","previous_response_id":null,"input":"hi"}';
    expect(clean(text, true)).toBe(text);
  });

  test.each([
    ["previous_response_id", { previous_response_id: "resp_1", input: "go on" }],
    [
      "previous_response_id",
      { previous_response_id: "resp_1", input: [{ type: "function_call_output", call_id: "c", output: "" }] },
    ],
    ["conversation", { conversation: "conv_1", input: [said] }],
    ["prompt", { prompt: { id: "pmpt_1" }, input: "x" }],
    ["input[1].id", { input: [user, { type: "item_reference", id: "msg_1" }] }],
    ["input[0].id", { input: [{ id: "fc_1" }] }],
    ["input[0].encrypted_content", { input: [{ type: "compaction", encrypted_content: "x" }] }],
    [
      "input[0].content[1].file_id",
      { input: [{ role: "user", content: [{}, { type: "input_file", file_id: "file-1" }] }] },
    ],
    [
      "input[0].output[0].file_id",
      { input: [{ type: "function_call_output", output: [{ type: "input_image", file_id: "file-1" }] }] },
    ],
    [
      "input[0].output.file_id",
      { input: [{ type: "computer_call_output", output: { type: "computer_screenshot", file_id: "f" } }] },
    ],
    ["tools[0].vector_store_ids", { input: "x", tools: [{ type: "file_search", vector_store_ids: ["vs_1"] }] }],
    ["tools[0].container", { input: "x", tools: [{ type: "code_interpreter", container: "cntr_1" }] }],
    [
      "tools[0].container.file_ids",
      { input: "x", tools: [{ type: "code_interpreter", container: { type: "auto", file_ids: ["f"] } }] },
    ],
  ])("%s that would be lost is a 400 naming it and the provider", (param, body) => {
    try {
      clean({ model: "m", ...body }, true);
      expect.unreachable();
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      expect(error).toMatchObject({ origin: "request", status: 400, param });
      expect(error.message).toStartWith(`\`${param}\` is not supported by provider backup: `);
    }
  });
});
