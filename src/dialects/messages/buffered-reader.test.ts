// Which buffered answers are answers, and what the others come to.

import { describe, expect, test } from "bun:test";
import type { ReadStep } from "../../core/provider.ts";
import { createMessagesBufferedReader } from "./buffered-reader.ts";
import type { MessagesBufferedReaderOptions } from "./buffered-reader.ts";

const encoder = new TextEncoder();

function read(
  body: unknown,
  options: Partial<MessagesBufferedReaderOptions> = {},
): ReadStep & Pick<ReturnType<ReturnType<typeof createMessagesBufferedReader>["facts"]>, "usage" | "emptyReason"> {
  const reader = createMessagesBufferedReader({ operation: "messages", providerName: "up", ...options });
  const bytes =
    body instanceof Uint8Array ? body : encoder.encode(typeof body === "string" ? body : JSON.stringify(body));
  const half = bytes.length >> 1;
  for (const piece of [bytes.subarray(0, half), bytes.subarray(half)]) {
    expect(reader.push(piece)).toMatchObject({ relay: undefined, complete: false, failure: undefined });
  }
  return { ...reader.end(), ...reader.facts() };
}

const answer = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "claude",
  content: [{ type: "text", text: "Hi" }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
};

describe("an answer", () => {
  test("is held until it is whole and handed on byte for byte, as one event", () => {
    const body = encoder.encode(`\ufeff ${JSON.stringify({ ...answer, later: 1 })}\n`);
    expect(read(body)).toMatchObject({ relay: body, events: 1, finished: true, complete: true, failure: undefined });
  });

  test("tells what it used", () => {
    const usage = {
      input_tokens: 3,
      cache_creation_input_tokens: 12304,
      cache_read_input_tokens: null,
      output_tokens: 550,
    };
    expect(read({ ...answer, usage })).toMatchObject({
      emptyReason: undefined,
      usage: { inputTokens: 3, cacheWriteTokens: 12304, cachedInputTokens: 0, outputTokens: 550, totalTokens: 12857 },
    });
  });

  test.each([
    ["zeros", { input_tokens: 0, output_tokens: 0 }],
    ["no usage", undefined],
    ["null", null],
  ])("with %s for usage is delivered and noted", (_name, usage) => {
    expect(read({ ...answer, usage })).toMatchObject({ complete: true, emptyReason: "no_usage" });
  });

  test("without content is one when it has a stop reason", () => {
    expect(read({ ...answer, content: [] })).toMatchObject({ complete: true, failure: undefined });
  });

  test("of blocks that nobody knows is one, and so is one with members missing", () => {
    expect(read({ content: [{ type: "hologram", light: [] }, {}] })).toMatchObject({ complete: true });
  });

  test("of more than 64 kB is one too", () => {
    expect(read({ ...answer, content: [{ type: "text", text: "x".repeat(100_000) }] })).toMatchObject({
      complete: true,
      usage: { totalTokens: 12 },
    });
  });

  test("with an error beside its content is one (behaviour 2.4)", () => {
    expect(read({ ...answer, error: { message: "partly" } })).toMatchObject({ complete: true });
  });
});

describe("no answer", () => {
  test.each([
    ["nothing", ""],
    ["half of one", JSON.stringify(answer).slice(0, -10)],
    ["a list", "[]"],
    ["a page", "<html>"],
    ["content and stop reason empty", { ...answer, content: [], stop_reason: null }],
  ])("%s: 502, the provider is named", (_name, body) => {
    expect(read(body)).toMatchObject({
      relay: undefined,
      complete: false,
      events: 0,
      failure: { origin: "answer", status: 502, message: "provider returned empty response: up" },
    });
  });

  test("content missing altogether: 502 no choices", () => {
    for (const content of [undefined, null]) {
      expect(read({ ...answer, content })).toMatchObject({
        failure: { status: 502, message: "provider returned no choices", emptyReason: "no_choices" },
      });
    }
  });

  test.each([
    ["content is not an array", { content: "Hi" }],
    ["content[1] is not an object", { content: [{ type: "text", text: "a" }, "b"] }],
    ["content[0].text is not a string", { content: [{ type: "text", text: 1 }] }],
    ["content[0].name is not a string", { content: [{ type: "tool_use", name: {} }] }],
    ["content[0].thinking is not a string", { content: [{ type: "thinking", thinking: [] }] }],
    ["content[0].type is not a string", { content: [{ type: 7 }] }],
    ["stop_reason is not a string", { stop_reason: 1 }],
    ["usage is not an object", { usage: 3 }],
    ["usage.output_tokens is not a number", { usage: { input_tokens: 1, output_tokens: "2" } }],
  ])("%s: 502, the field is named", (what, fields) => {
    expect(read({ ...answer, ...fields })).toMatchObject({
      failure: { status: 502, message: `failed to unmarshal response: ${what} (provider up)` },
    });
  });

  test("257 levels: 502", () => {
    const deep = `{"content":${"[".repeat(256)}${"]".repeat(256)}}`;
    expect(read(deep).failure?.message).toBe(
      "failed to unmarshal response: nested deeper than 256 levels (provider up)",
    );
  });

  test("more than 32 MB: 502 as soon as that is known", () => {
    const reader = createMessagesBufferedReader({ operation: "messages", providerName: "up" });
    const piece = new Uint8Array(16 * 1024 * 1024).fill(0x20);
    expect(reader.push(piece).failure).toBeUndefined();
    expect(reader.push(piece).failure).toBeUndefined();
    expect(reader.push(new Uint8Array(1)).failure).toMatchObject({
      status: 502,
      message: "provider up sent an answer of more than 32 MB",
    });
    expect(reader.end()).toMatchObject({ relay: undefined, complete: false, failure: { status: 502 } });
  });
});

describe("an error behind a success", () => {
  test.each([
    [{ type: "error", error: { type: "overloaded_error", message: "Overloaded" } }, 529, "Overloaded"],
    [{ type: "error", error: { type: "rate_limit_error", message: "slow" }, request_id: "r" }, 429, "slow"],
    [{ error: { type: "authentication_error", message: "key" } }, 401, "key"],
    [{ error: { code: 503, message: "busy" } }, 503, "busy"],
    [{ error: "no", content: null }, 502, "no"],
    [{ type: "error", message: "odd" }, 502, "odd"],
  ])("%j is the failure of status %d", (body, status, message) => {
    const options = { errorHeaders: [["retry-after", "3"]] as const, retryAfterMs: 3000 };
    expect(read(body, options)).toMatchObject({
      relay: undefined,
      failure: { origin: "status", status, message, retryAfterMs: 3000, headers: [["retry-after", "3"]] },
    });
  });
});

describe("a count of tokens", () => {
  const count = { operation: "count-tokens" } as const;

  test("is handed on and is no usage", () => {
    expect(read({ input_tokens: 2095, context_management: {} }, count)).toMatchObject({
      complete: true,
      usage: undefined,
      emptyReason: undefined,
    });
    expect(read({ input_tokens: 0 }, count)).toMatchObject({ complete: true });
  });

  test("without the count is an empty answer, of another type a changed one, an error an error", () => {
    expect(read({}, count).failure?.message).toBe("provider returned empty response: up");
    expect(read({ input_tokens: "7" }, count).failure?.message).toBe(
      "failed to unmarshal response: input_tokens is not a number (provider up)",
    );
    const error = { type: "error", error: { type: "not_found_error", message: "model: x" } };
    expect(read(error, count).failure).toMatchObject({ status: 404, message: "model: x" });
  });
});
