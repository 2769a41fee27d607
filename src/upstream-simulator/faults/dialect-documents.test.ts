// What the documents of faults hold in the dialects other than chat completions.

import { afterAll, beforeAll, expect, test } from "bun:test";
import { startSimulator, type Simulator } from "../simulator.ts";

let simulator: Simulator;
beforeAll(() => {
  simulator = startSimulator();
});
afterAll(() => simulator.stop());

type Named = "responses" | "messages" | "gemini";

function ask(dialect: Named, model: string): Promise<Response> {
  const base = simulator.origin;
  const path = dialect === "gemini" ? `v1beta/models/${encodeURIComponent(model)}:generateContent` : `v1/${dialect}`;
  return fetch(`${base}/${path}`, { method: "POST", body: JSON.stringify({ model }) });
}

async function documentOf(dialect: Named, model: string): Promise<Record<string, unknown>> {
  const response = await ask(dialect, model);
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

const message = "simulated error behind 200";

test.each<[Named, string, object]>([
  [
    "responses",
    "hidden-429",
    { error: { message, type: "rate_limit_error", code: "rate_limit_exceeded", param: null } },
  ],
  ["responses", "hidden-quoted-429", { error: { message, code: "429" } }],
  ["responses", "hidden-text", { error: message }],
  ["messages", "hidden-429", { type: "error", error: { type: "rate_limit_error", message } }],
  ["messages", "hidden-503", { type: "error", error: { type: "api_error", message } }],
  ["messages", "hidden-named", { type: "error", error: { type: "overloaded_error", message } }],
  ["messages", "hidden-uncoded", { type: "error", error: { message } }],
  ["gemini", "hidden-429", { error: { code: 429, message, status: "RESOURCE_EXHAUSTED" } }],
  ["gemini", "hidden-quoted-503", { error: { code: "503", message, status: "UNAVAILABLE" } }],
  ["gemini", "hidden-text", { error: message }],
])("%s: %s is the document %j", async (dialect, model, document) => {
  expect(await documentOf(dialect, model)).toEqual(document as Record<string, unknown>);
});

test("responses: hidden-bookkept is a response that failed", async () => {
  expect(await documentOf("responses", "hidden-bookkept-429")).toMatchObject({
    object: "response",
    status: "failed",
    error: { code: "rate_limit_exceeded", message },
    output: [],
  });
});

test.each<[Named, string, string, unknown]>([
  ["responses", "choices-missing", "output", undefined],
  ["responses", "choices-empty", "output", []],
  ["responses", "choices-null", "output", null],
  ["responses", "choice-string", "output", ["hello"]],
  ["responses", "usage-missing", "usage", undefined],
  ["responses", "usage-string", "usage", "11 tokens"],
  [
    "responses",
    "usage-negative",
    "usage",
    {
      input_tokens: -11,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens: -12,
      output_tokens_details: { reasoning_tokens: 0 },
      total_tokens: -23,
    },
  ],
  ["messages", "choices-missing", "content", undefined],
  ["messages", "choices-object", "content", {}],
  ["messages", "message-missing", "content", [{ type: "text" }]],
  ["messages", "content-number", "content", [{ type: "text", text: 42 }]],
  [
    "messages",
    "usage-strings",
    "usage",
    {
      input_tokens: "11",
      cache_creation_input_tokens: "0",
      cache_read_input_tokens: "0",
      output_tokens: "12",
    },
  ],
  ["gemini", "choices-missing", "candidates", undefined],
  ["gemini", "message-missing", "candidates", [{ finishReason: "STOP", index: 0 }]],
  ["gemini", "message-string", "candidates", [{ content: "hello", finishReason: "STOP", index: 0 }]],
  [
    "gemini",
    "content-number",
    "candidates",
    [{ content: { parts: [{ text: 42 }], role: "model" }, finishReason: "STOP", index: 0 }],
  ],
  ["gemini", "usage-zero", "usageMetadata", { promptTokenCount: 0, candidatesTokenCount: 0, totalTokenCount: 0 }],
])("%s: of %s the member %s is %j", async (dialect, model, member, value) => {
  expect((await documentOf(dialect, model))[member]).toEqual(value);
});

test.each<[Named, object]>([
  ["responses", { output: [{ type: "function_call", arguments: '{"city":"Kö' }] }],
  ["messages", { content: [{ type: "tool_use", input: '{"city":"Kö' }] }],
  ["gemini", { candidates: [{ content: { parts: [{ functionCall: { args: '{"city":"Kö' } }] } }] }],
])("%s: arguments that are no JSON stay as they are", async (dialect, document) => {
  expect(await documentOf(dialect, "tools-bad-json")).toMatchObject(document);
});

test("messages: redacted-reasoning has its block in front of the text", async () => {
  expect(await documentOf("messages", "redacted-reasoning")).toMatchObject({
    content: [
      { type: "redacted_thinking", data: "EmwKAnNpbXVsYXRlZCByZWRhY3Rpb24=" },
      { type: "text", text: "done thinking" },
    ],
    stop_reason: "end_turn",
  });
});

test("gemini: two-choices has two candidates", async () => {
  const parts = (text: string): object => ({ content: { parts: [{ text }] } });
  expect(await documentOf("gemini", "two-choices")).toMatchObject({
    candidates: [
      { index: 0, ...parts("choice 0 of two-choices") },
      { index: 1, ...parts("choice 1 of two-choices") },
    ],
  });
});

test("a document with bytes that are no UTF-8 has them in its text", async () => {
  for (const dialect of ["responses", "messages", "gemini"] as const) {
    const bytes = Buffer.from(await (await ask(dialect, "json-bad-utf8")).arrayBuffer());
    expect(bytes.toString("latin1")).toContain('"[\xbfson-bad-utf8]');
  }
});
