// Which buffered answers are answers, and what is said of the others.

import { describe, expect, test } from "bun:test";
import type { ReadStep } from "../../core/provider.ts";
import { createBufferedReader } from "./buffered-reader.ts";
import type { BufferedReaderOptions } from "./buffered-reader.ts";

const good = {
  id: "chatcmpl-1",
  object: "chat.completion",
  new_field: { a: 1 },
  choices: [{ index: 0, message: { role: "assistant", content: "hi" }, finish_reason: "stop" }],
  usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
};

function read(body: unknown, options: Partial<BufferedReaderOptions> = {}) {
  const bytes =
    body instanceof Uint8Array
      ? body
      : new TextEncoder().encode(typeof body === "string" ? body : JSON.stringify(body));
  const { pushed, step, reader } = readBytes(bytes, options);
  // The same with white space around it, which is too much to be parsed whole: judged in another way, with the same result.
  const large = readBytes(Buffer.concat([bytes, Buffer.alloc(64 * 1024, " ")]), options);
  expect(large.step.failure?.message).toBe(step.failure?.message);
  if (step.complete) expect(large.reader.facts()).toEqual(reader.facts());
  return { pushed, step, failure: step.failure, facts: step.complete ? reader.facts() : undefined, bytes };
}

function readBytes(bytes: Uint8Array, options: Partial<BufferedReaderOptions>) {
  const reader = createBufferedReader({ operation: "chat-completions", providerName: "up", ...options });
  const pushed: ReadStep = reader.push(bytes);
  return { reader, pushed, step: reader.end() };
}

describe("a good answer", () => {
  test("goes out untouched at its end, as one event", () => {
    const { pushed, step, bytes, facts } = read(` ${JSON.stringify(good, null, 2)}\n`);
    expect(pushed).toMatchObject({ relay: undefined, events: 0, complete: false, failure: undefined });
    expect(step).toEqual({
      relay: bytes,
      events: 1,
      finished: true,
      complete: true,
      failure: undefined,
      inBand: false,
    });
    expect(step.relay).toBe(bytes);
    expect(facts?.usage).toMatchObject({ inputTokens: 5, outputTokens: 1, totalTokens: 6 });
    expect(facts?.emptyReason).toBeUndefined();
  });

  test("is put together from its pieces", () => {
    const reader = createBufferedReader({ operation: "chat-completions", providerName: "up" });
    const text = JSON.stringify(good);
    for (const byte of new TextEncoder().encode(text)) reader.push(new Uint8Array([byte]));
    expect(new TextDecoder().decode(reader.end().relay)).toBe(text);
  });

  test.each([
    ["no usage", { ...good, usage: undefined }],
    ["usage null", { ...good, usage: null }],
    ["usage of zeros", { ...good, usage: { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 } }],
    ["usage without counts", { ...good, usage: {} }],
    ["usage of nulls", { ...good, usage: { prompt_tokens: null, completion_tokens: null, total_tokens: null } }],
  ])("with %s is delivered and marked", (_name, body) => {
    expect(read(body).facts?.emptyReason).toBe("no_usage");
  });

  test.each([
    ["an error that is null", { ...good, error: null }],
    ["an error beside choices", { ...good, error: { message: "m", code: 429 } }],
    ["no message", { choices: [{ index: 0 }] }],
    ["null in known places", { choices: [{ message: { content: null, tool_calls: null }, finish_reason: null }] }],
    ["content of parts", { choices: [{ message: { content: [{ type: "text", text: "x" }] } }] }],
    ["a byte order mark", `\u{FEFF}${JSON.stringify(good)}`],
  ])("may have %s", (_name, body) => {
    const { step, bytes } = read(body);
    expect(step.complete).toBe(true);
    expect(step.relay).toEqual(bytes);
  });
});

describe("no answer", () => {
  test.each([
    ["empty", ""],
    ["blank", " \n"],
    ["cut", JSON.stringify(good).slice(0, -1)],
    ["HTML", "<html></html>"],
    ["an event stream", "data: {}\n\n"],
    ["a list", "[]"],
    ["null", "null"],
    ["two answers", `${JSON.stringify(good)}${JSON.stringify(good)}`],
    ["no UTF-8", new Uint8Array([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d])],
  ])("%s is an empty response", (_name, body) => {
    expect(read(body)).toMatchObject({
      step: { relay: undefined, events: 0, complete: false },
      failure: {
        origin: "answer",
        status: 502,
        type: "provider_error",
        message: "provider returned empty response: up",
      },
    });
  });

  test.each([
    ["missing", {}],
    ["null", { choices: null }],
    ["empty", { choices: [], usage: { prompt_tokens: 1 } }],
    ["empty beside an error", { choices: [], error: { message: "m", code: 429 } }],
  ])("choices %s are no choices", (_name, body) => {
    expect(read(body).failure).toMatchObject({
      origin: "answer",
      status: 502,
      message: "provider returned no choices",
      emptyReason: "no_choices",
    });
  });

  test.each([
    [{ choices: {} }, "choices is not an array"],
    [{ choices: "x" }, "choices is not an array"],
    [{ choices: ["x"] }, "choices[0] is not an object"],
    [{ choices: [{}, null] }, "choices[1] is not an object"],
    [{ choices: [{ message: "x" }] }, "choices[0].message is not an object"],
    [{ choices: [{ message: [] }] }, "choices[0].message is not an object"],
    [{ choices: [{ message: { content: 5 } }] }, "choices[0].message.content is neither a string nor an array"],
    [{ choices: [{ message: { tool_calls: {} } }] }, "choices[0].message.tool_calls is not an array"],
    [{ choices: [{ finish_reason: 1 }] }, "choices[0].finish_reason is not a string"],
    [{ ...good, usage: 5 }, "usage is not an object"],
    [{ ...good, usage: [] }, "usage is not an object"],
    [{ ...good, usage: { prompt_tokens: "5" } }, "usage.prompt_tokens is not a number"],
    [{ ...good, usage: { completion_tokens: {} } }, "usage.completion_tokens is not a number"],
    [{ ...good, usage: { total_tokens: true } }, "usage.total_tokens is not a number"],
  ])("%j is a changed type", (body, what) => {
    expect(read(body).failure).toMatchObject({
      origin: "answer",
      status: 502,
      message: `failed to unmarshal response: ${what} (provider up)`,
    });
  });

  test("a choice that ended in an error is a 502 and not a success", () => {
    const choices = [{ index: 0, message: { content: "then it" }, finish_reason: "error" }];
    expect(read({ ...good, choices }).failure).toMatchObject({
      origin: "status",
      status: 502,
      message: 'provider up ended the answer with the finish reason "error"',
    });
  });

  test("deeper than 256 levels is refused, however deep", () => {
    for (const levels of [257, 200_000]) {
      const body = `{"choices":[{}],"x":${"[".repeat(levels)}${"]".repeat(levels)}}`;
      expect(read(body).failure?.message).toBe(
        "failed to unmarshal response: nested deeper than 256 levels (provider up)",
      );
    }
  });

  test("more than 32 MB is refused before its end", () => {
    const reader = createBufferedReader({ operation: "chat-completions", providerName: "up" });
    const piece = new Uint8Array(16 * 1024 * 1024);
    expect(reader.push(piece).failure).toBeUndefined();
    expect(reader.push(piece).failure).toBeUndefined();
    const failure = { origin: "answer", status: 502, message: "provider up sent an answer of more than 32 MB" };
    expect(reader.push(new Uint8Array(1))).toMatchObject({ relay: undefined, failure });
    expect(reader.end()).toMatchObject({ relay: undefined, failure });
  });
});

describe("an error hidden behind a success status", () => {
  test.each([
    [{ error: { message: "slow down", code: 429 } }, 429, "rate_limit_error", "slow down"],
    [
      { error: { message: "slow down", code: "429" }, user_id: "u", request_id: "r", type: "error" },
      429,
      "rate_limit_error",
      "slow down",
    ],
    [{ error: { message: "m" }, message: "other", choices: null, data: null }, 502, "provider_error", "m"],
    [{ error: "boom" }, 502, "provider_error", "boom"],
    [{ object: "error", message: "too long", code: 400 }, 400, "invalid_request_error", "too long"],
  ])("%j", (body, status, type, message) => {
    expect(read(body).failure).toMatchObject({ origin: "status", status, type, message });
    expect(read(body, { operation: "embeddings" }).failure).toMatchObject({ origin: "status", status });
  });

  test("carries the headers of the answer", () => {
    const { failure } = read(
      { error: { message: "m", code: 429 } },
      { errorHeaders: [["retry-after", "1"]], retryAfterMs: 1000 },
    );
    expect(failure).toMatchObject({ headers: [["retry-after", "1"]], retryAfterMs: 1000 });
  });
});

describe("embeddings", () => {
  const answer = {
    object: "list",
    data: [{ index: 0, embedding: "AAAA" }],
    usage: { prompt_tokens: 4, total_tokens: 4 },
  };

  test("need no choices", () => {
    const { step, facts } = read(answer, { operation: "embeddings" });
    expect(step.complete).toBe(true);
    expect(facts).toMatchObject({ usage: { inputTokens: 4, outputTokens: 0 }, emptyReason: undefined });
  });

  test.each([[{}], [{ data: null }], [{ data: {} }]])("%j has no data", (body) => {
    expect(read(body, { operation: "embeddings" }).failure?.message).toBe(
      "failed to unmarshal response: data is not an array (provider up)",
    );
  });
});
