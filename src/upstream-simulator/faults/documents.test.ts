import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { answerText } from "../answer-text.ts";
import { startSimulator, type Simulator } from "../simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

async function ask(model: string, stream = false): Promise<{ type: string | null; text: string }> {
  const body = JSON.stringify({ model, stream });
  const response = await fetch(`${simulator.baseUrl}/chat/completions`, { method: "POST", body });
  expect(response.status).toBe(200);
  return { type: response.headers.get("content-type"), text: await response.text() };
}

describe("bodies", () => {
  test.each([
    ["json-cut", /^\{"id":.{54}$/],
    ["json-empty", /^$/],
    ["json-blank", /^ \n $/],
    ["json-null", /^null$/],
    ["json-array", /^\[\{"id":.*\}\]$/],
    ["json-string", /^"hello"$/],
    ["json-number", /^42$/],
    ["json-object", /^\{\}$/],
    ["json-junk", /^hello$/],
    ["json-twice", /\}\{"id"/],
    ["json-nan", /,"extra":NaN\}$/],
    ["json-bad-utf8", /"content":"\[\ufffdson-bad-utf8\]/],
    ["json-deep", /,"extra":(?:\{"a":){100000}1\}{100001}$/],
    ["json-deep-3", /,"extra":\{"a":\{"a":\{"a":1\}\}\}\}$/],
    ["fields-new", /,"extra":\{"__proto__":\{"polluted":true\},"big":12345678901234567890\}\}$/],
    ["html", /^<!doctype html>/],
    ["html-as-right-type", /^<!doctype html>/],
  ])("%s is %p", async (name, pattern) => {
    expect((await ask(name)).text).toMatch(pattern);
  });

  test("the two pages of HTML differ in their content-type", async () => {
    expect((await ask("html")).type).toBe("text/html; charset=utf-8");
    expect((await ask("html-as-right-type")).type).toBe("application/json");
    expect((await ask("html-as-right-type", true)).type).toBe("text/event-stream");
  });
});

describe("members", () => {
  const right = { model: expect.any(String), object: "chat.completion" };

  test.each([
    ["choices-empty", { ...right, choices: [] }],
    ["choices-null", { ...right, choices: null }],
    ["choices-object", { ...right, choices: {} }],
    ["choice-string", { ...right, choices: ["hello"] }],
    ["message-string", { ...right, choices: [{ message: "hello" }] }],
    ["content-number", { ...right, choices: [{ message: { content: 42 } }] }],
    ["usage-string", { ...right, usage: "11 tokens" }],
    ["usage-strings", { ...right, usage: { total_tokens: "23" } }],
    ["usage-zero", { ...right, usage: { total_tokens: 0 }, choices: [{ finish_reason: "stop" }] }],
    ["usage-negative", { ...right, usage: { total_tokens: -23 } }],
    ["large-2", { ...right, choices: [{ message: { content: `${answerText("large-2")} ${"x".repeat(2048)}` } }] }],
    ["hidden-429", { error: { message: "simulated error behind 200", code: 429 } }],
    ["hidden-quoted-429", { error: { code: "429" } }],
    ["hidden-named", { error: { code: "server_overloaded" } }],
    ["hidden-text~message=no", { error: "no" }],
    [
      "hidden-bookkept-429",
      { ...right, choices: [], usage: { total_tokens: 0 }, error: { code: 429 }, user_id: "user_1" },
    ],
    ["hidden-null", { ...right, error: null, choices: [{ message: { content: answerText("hidden-null") } }] }],
    ["finish-error", { ...right, choices: [{ finish_reason: "error" }] }],
    ["finish-length", { ...right, choices: [{ finish_reason: "length" }] }],
    ["reasoning", { choices: [{ message: { reasoning_content: "let me think", content: "done thinking" } }] }],
    ["refusal", { choices: [{ message: { content: null, refusal: "no" } }] }],
    ["no-content", { choices: [{ message: { content: "" }, finish_reason: "stop" }] }],
    ["two-choices", { choices: [{ index: 0 }, { index: 1, message: { content: "choice 1 of two-choices" } }] }],
    ["terminal-in-text", { choices: [{ message: { content: expect.stringContaining("data: [DONE]\n\n") } }] }],
    ["parallel-tools", { choices: [{ message: { tool_calls: [{ id: "call_1" }, { id: "call_2" }] } }] }],
  ])("%s is so", async (name, expected) => {
    expect(JSON.parse((await ask(name)).text)).toMatchObject(expected);
  });

  test.each([
    ["choices-missing", ["choices"]],
    ["usage-missing", ["usage"]],
  ])("%s lacks just that", async (name, missing) => {
    const members = Object.keys(JSON.parse((await ask("ok")).text));
    expect(Object.keys(JSON.parse((await ask(name)).text))).toEqual(
      members.filter((member) => !missing.includes(member)),
    );
  });

  test("message-missing has a choice without a message and hidden-uncoded an error without a code", async () => {
    expect(Object.keys(JSON.parse((await ask("message-missing")).text).choices[0])).not.toContain("message");
    expect(JSON.parse((await ask("hidden-uncoded")).text)).toEqual({
      error: { message: "simulated error behind 200" },
    });
  });

  test("a hidden error is JSON on a stream request too", async () => {
    expect(await ask("hidden-503", true)).toMatchObject({
      type: "application/json",
      text: expect.stringContaining('"code":503}'),
    });
  });

  test("a tool call's arguments are valid JSON, in one document and put together from the stream", async () => {
    const call = JSON.parse((await ask("tools")).text).choices[0].message.tool_calls[0];
    expect(JSON.parse(call.function.arguments)).toEqual({ city: "Köln" });
    const fragments = [...(await ask("tools", true)).text.matchAll(/"arguments":("(?:[^"\\]|\\.)*")/g)];
    expect(fragments.map(([, text]) => JSON.parse(text ?? "")).join("")).toBe('{"city":"Köln"}');
  });
});
