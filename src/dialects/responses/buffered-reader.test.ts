// Which buffered responses are answers, and what is said of the others.

import { describe, expect, test } from "bun:test";
import { createResponsesBufferedReader } from "./buffered-reader.ts";
import type { ResponsesBufferedOptions } from "./buffered-reader.ts";

const message = { type: "message", id: "msg_1", role: "assistant", content: [{ type: "output_text", text: "hé" }] };
const good = {
  id: "resp_1",
  object: "response",
  status: "completed",
  error: null,
  new_field: { a: 1 },
  output: [message],
  usage: { input_tokens: 5, output_tokens: 1, total_tokens: 6, input_tokens_details: { cached_tokens: 2 } },
};

function readBytes(bytes: Uint8Array, options: Partial<ResponsesBufferedOptions>) {
  const reader = createResponsesBufferedReader({ providerName: "up", ...options });
  const half = bytes.length >> 1;
  const pushed = reader.push(bytes.subarray(0, half));
  reader.push(bytes.subarray(half));
  return { pushed, step: reader.end(), facts: reader.facts() };
}

function read(body: unknown, options: Partial<ResponsesBufferedOptions> = {}) {
  const bytes = new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  const result = readBytes(bytes, options);
  // The same with white space behind it, which is too much to be parsed whole: judged in another way, with the same result.
  const large = readBytes(Buffer.concat([bytes, Buffer.alloc(64 * 1024, " ")]), options);
  expect(large.step.failure?.message).toBe(result.step.failure?.message as string);
  expect(large.facts).toEqual(result.facts);
  return { ...result, failure: result.step.failure, bytes };
}

describe("a good answer", () => {
  test("goes out untouched at its end, as one event, with its usage", () => {
    const { pushed, step, bytes, facts } = read(` ${JSON.stringify(good, null, 2)}\n`);
    expect(pushed).toMatchObject({ relay: undefined, events: 0, complete: false, failure: undefined });
    expect(step).toMatchObject({ events: 1, finished: true, complete: true, failure: undefined });
    expect(step.relay).toEqual(bytes);
    expect(facts).toMatchObject({
      usage: { inputTokens: 5, outputTokens: 1, cachedInputTokens: 2 },
      emptyReason: undefined,
    });
  });

  test.each([
    ["completed without output", { ...good, output: [] }, "no_output"],
    ["completed and has no member output", { ...good, output: undefined }, "no_output"],
    ["without usage", { ...good, usage: undefined }, "no_usage"],
    ["with a usage of zeros", { ...good, usage: { input_tokens: 0, output_tokens: 0, total_tokens: 0 } }, "no_usage"],
    ["in the background", { ...good, status: "queued", output: [], usage: null }, undefined],
    ["in progress", { ...good, status: "in_progress", output: [], usage: null }, undefined],
    ["incomplete", { ...good, status: "incomplete" }, undefined],
    ["cancelled", { ...good, status: "cancelled" }, undefined],
    ["without a status", { ...good, status: undefined }, undefined],
    ["beside an error", { ...good, error: { message: "half" } }, undefined],
    ["behind a byte order mark", `\ufeff${JSON.stringify(good)}`, undefined],
  ])("%s is delivered", (_, body, reason) => {
    const { step, facts } = read(body);
    expect({ complete: step.complete, reason: facts.emptyReason }).toEqual({
      complete: true,
      reason: reason as "no_output" | undefined,
    });
  });
});

describe("an error behind the status 200", () => {
  test.each([
    [
      "of a failed response",
      { ...good, status: "failed", output: [], error: { code: "server_error", message: "né" } },
      500,
    ],
    [
      "of one that failed half way",
      { ...good, status: "failed", error: { code: "rate_limit_exceeded", message: "né" } },
      429,
    ],
    ["alone", { error: { message: "né", code: "context_length_exceeded" } }, 400],
    ["with its type alone", { error: { message: "né", type: "authentication_error" } }, 401],
    ["with a number", { error: { message: "né", code: 503 } }, 503],
    ["as a text", { error: "né" }, 502],
    ["that is the body", { object: "error", message: "né", code: 404 }, 404],
    ["beside no answer", { error: { message: "né" }, output: null }, 502],
  ])("%s is the real error", (_, body, status) => {
    expect(read(body).failure).toMatchObject({ origin: "status", status, message: "né" });
  });

  test("carries the wish and headers of the answer", () => {
    const options = { errorHeaders: [["retry-after", "3"]] as const, retryAfterMs: 3000 };
    expect(read({ error: { message: "m" } }, options).failure).toMatchObject({
      headers: [["retry-after", "3"]],
      retryAfterMs: 3000,
    });
  });
});

describe("no answer", () => {
  test.each(["", " ", "null", "[]", "hello", '{"id":', `${JSON.stringify(good)}x`])("is %j", (body) => {
    expect(read(body).failure).toMatchObject({ status: 502, message: "provider returned empty response: up" });
  });

  test.each([
    [{}, "the body is no response object"],
    [{ choices: [] }, "the body is no response object"],
    [{ ...good, output: {} }, "output is not an array"],
    [{ ...good, output: ["x"] }, "output[0] is not an object"],
    [{ ...good, output: [{ type: 5 }] }, "output[0].type is not a string"],
    [{ ...good, output: [{ type: "message", content: 5 }] }, "output[0].content is neither a string nor an array"],
    [
      { ...good, output: [{ type: "message", content: [{ type: "output_text", text: 42 }] }] },
      "output[0].content[0].text is not a string",
    ],
    [
      { ...good, output: [{ type: "message", content: [{ type: "refusal", refusal: {} }] }] },
      "output[0].content[0].refusal is not a string",
    ],
    [{ ...good, output: [{ type: "message", content: ["x"] }] }, "output[0].content[0] is not an object"],
    [{ ...good, status: 5 }, "status is not a string"],
    [{ ...good, usage: 5 }, "usage is not an object"],
    [{ ...good, usage: { input_tokens: "5" } }, "usage.input_tokens is not a number"],
  ])("is %j", (body, problem) => {
    expect(read(body).failure).toMatchObject({
      status: 502,
      message: `failed to unmarshal response: ${problem} (provider up)`,
    });
  });

  test("is one of more than 32 MB, of which nothing is kept", () => {
    const reader = createResponsesBufferedReader({ providerName: "up" });
    const piece = new Uint8Array(16 * 1024 * 1024);
    reader.push(piece);
    reader.push(piece);
    expect(reader.push(new Uint8Array(1)).failure?.message).toBe("provider up sent an answer of more than 32 MB");
    expect(reader.end().relay).toBeUndefined();
  });
});
