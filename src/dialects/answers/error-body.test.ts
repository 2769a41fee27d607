// What a caller is told of the errors that providers send, row by row.

import { describe, expect, test } from "bun:test";
import type { Failure } from "../../core/failure.ts";
import { failureOfErrorBody } from "./error-body.ts";

function failureOf(status: number, body: unknown): Failure {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return failureOfErrorBody({
    status,
    body: new TextEncoder().encode(text),
    providerName: "openai-eu",
    headers: [["retry-after", "2"]],
    retryAfterMs: 2000,
  });
}

describe("status and type", () => {
  test.each([
    [400, 400, "invalid_request_error"],
    [401, 401, "authentication_error"],
    [403, 403, "authentication_error"],
    [404, 404, "not_found_error"],
    [422, 422, "invalid_request_error"],
    [429, 429, "rate_limit_error"],
    [500, 500, "provider_error"],
    [524, 524, "provider_error"],
    [599, 599, "provider_error"],
    [304, 502, "provider_error"],
    [200, 502, "provider_error"],
    [999, 502, "provider_error"],
  ])("%i becomes %i, %s", (status, expected, type) => {
    expect(failureOf(status, { error: { message: "m" } })).toMatchObject({
      origin: "status",
      status: expected,
      type,
      message: "m",
      retryAfterMs: 2000,
      headers: [["retry-after", "2"]],
    });
  });

  test.each([
    [{ code: 429 }, 429],
    [{ code: "429" }, 429],
    [{ http_code: "400" }, 400],
    [{ code: "rate_limit_exceeded", status: 503 }, 503],
    [{ code: 200 }, 502],
    [{ code: 42 }, 502],
    [{ code: "4290" }, 502],
    [{ code: 429.5 }, 502],
    [{ code: "server_error" }, 502],
  ])("an error hidden in a 200 with %j acts as %i", (error, status) => {
    expect(failureOf(200, { error: { message: "m", ...error } }).status).toBe(status);
  });

  test("a real error status wins over the one in the body", () => {
    expect(failureOf(503, { error: { message: "m", code: 429 } })).toMatchObject({ status: 503, code: 429 });
  });
});

describe("message, param and code", () => {
  test.each([
    [{ error: { message: "bad", param: "stop", code: "unsupported" } }, "bad", "stop", "unsupported"],
    [{ error: { message: "bad", param: 5, code: 7 } }, "bad", null, 7],
    [{ error: { message: "bad", code: { a: 1 } } }, "bad", null, null],
    [{ error: "just text" }, "just text", null, null],
    [{ error: { type: "x" } }, '{"error":{"type":"x"}}', null, null],
    [{ detail: "Not Found" }, '{"detail":"Not Found"}', null, null],
    [{ object: "error", message: "too long", code: 400 }, "too long", null, 400],
    ["<html>bad gateway</html>\n", "<html>bad gateway</html>", null, null],
    ['{"error":{"message":"cut', '{"error":{"message":"cut', null, null],
    ["", "provider openai-eu answered with status 500", null, null],
    ["null", "null", null, null],
  ])("%j", (body, message, param, code) => {
    expect(failureOf(500, body)).toMatchObject({ message, param, code });
  });

  test.each([
    ["Provider returned error", "upstream is busy", "upstream is busy"],
    ["provider returned something", "upstream is busy", "upstream is busy"],
    ["", "upstream is busy", "upstream is busy"],
    ["another message", "upstream is busy", "another message"],
    ["Provider returned error", "", "Provider returned error"],
    ["Provider returned error", { deep: true }, "Provider returned error"],
  ])("OpenRouter's %j with detail %j says %j", (message, raw, expected) => {
    expect(failureOf(429, { error: { message, code: 429, metadata: { raw } } }).message).toBe(expected);
  });

  test("a long page is cut to 2048 characters, never inside a character", () => {
    expect(failureOf(502, `${"x".repeat(2047)}🙂${"y".repeat(50_000)}`).message).toBe(`${"x".repeat(2047)}...`);
  });
});

describe("errors of another shape", () => {
  const input = "x".repeat(5000);
  const unknownField = {
    type: "extra_forbidden",
    loc: ["body", "stream_options"],
    msg: "Extra inputs are not permitted",
    input,
  };
  const unknownMember = { loc: ["body", "messages", 3, "assistant", "name"], msg: "Extra inputs are not permitted" };
  test.each([
    [
      "Mistral's message",
      { object: "error", message: "Invalid model: x", type: "invalid_model", param: null, code: "1500" },
      { message: "Invalid model: x", param: null, code: "1500" },
    ],
    [
      "Mistral's list one level deeper",
      { object: "error", message: { detail: [unknownField] }, type: "invalid_request_error", param: null, code: null },
      { message: "stream_options: Extra inputs are not permitted", param: "stream_options", code: null },
    ],
    [
      "Mistral's list twice",
      { object: "Error", detail: [unknownMember], message: [unknownMember], type: "invalid_request_error", code: 3001 },
      {
        message: "messages.3.assistant.name: Extra inputs are not permitted",
        param: "messages.3.assistant.name",
        code: 3001,
      },
    ],
    [
      "FastAPI's list",
      { detail: [unknownField, unknownMember, { loc: [], msg: "Bad" }, { loc: "x", msg: "Worse" }, 5, { loc: [] }] },
      {
        message:
          "stream_options: Extra inputs are not permitted; messages.3.assistant.name: Extra inputs are not permitted; Bad; Worse",
        param: "stream_options",
        code: null,
      },
    ],
    [
      "Cerebras's members at the top",
      { message: "bad field", type: "invalid_request_error", param: "validation_error", code: "wrong_api_format" },
      { message: "bad field", param: "validation_error", code: "wrong_api_format" },
    ],
    ["an empty list", { detail: [] }, { message: '{"detail":[]}', param: null, code: null }],
    ["a message that is no text", { message: { a: 1 } }, { message: '{"message":{"a":1}}', param: null, code: null }],
  ])("%s", (_, body, expected) => {
    expect(failureOf(422, body)).toMatchObject({ status: 422, type: "invalid_request_error", ...expected });
  });

  test("Google's is in a list of one where the answer would have been a list", () => {
    const body = [{ error: { code: 400, message: "Invalid JSON payload", status: "INVALID_ARGUMENT" } }];
    expect(failureOf(400, body)).toMatchObject({ status: 400, message: "Invalid JSON payload", code: 400 });
    expect(failureOf(500, [1, 2])).toMatchObject({ message: "[1,2]" });
  });

  test.each([
    ["34.07s", 34_070],
    ["0.5s", 500],
    ["3600s", 3_600_000],
    ["1m", undefined],
    ["-3s", undefined],
    [5, undefined],
  ])("Google asks in the body to be left alone for %p", (retryDelay, expected) => {
    const details = [{ "@type": "type.googleapis.com/google.rpc.QuotaFailure" }, { retryDelay }];
    const body = new TextEncoder().encode(JSON.stringify({ error: { code: 429, message: "Quota", details } }));
    const input = { status: 429, body, providerName: "google", headers: [] };
    expect(failureOfErrorBody({ ...input, retryAfterMs: undefined }).retryAfterMs).toBe(expected);
    expect(failureOfErrorBody({ ...input, retryAfterMs: 1 }).retryAfterMs).toBe(1);
  });

  test("Together's is OpenAI's with an id beside it", () => {
    const body = {
      id: "o1",
      error: { message: "too long", type: "invalid_request_error", param: "max_tokens", code: null },
    };
    expect(failureOf(422, body)).toMatchObject({ status: 422, message: "too long", param: "max_tokens" });
  });

  test("Cerebras tells the status of a stream's error beside it", () => {
    expect(failureOf(200, { error: { message: "slow down", code: "queue" }, status_code: 429 })).toMatchObject({
      status: 429,
      type: "rate_limit_error",
      code: "queue",
    });
    expect(failureOf(200, { error: { message: "m" }, status_code: 200 }).status).toBe(502);
  });

  test.each([
    [1002, 429, "rate_limit_error"],
    [1039, 429, "rate_limit_error"],
    [1004, 401, "authentication_error"],
    [2049, 401, "authentication_error"],
    [1008, 402, "invalid_request_error"],
    [2013, 400, "invalid_request_error"],
    [1027, 400, "invalid_request_error"],
    [1000, 502, "provider_error"],
    [1013, 502, "provider_error"],
  ])("MiniMax's result %i in a 200 acts as %i", (code, status, type) => {
    const body = { choices: null, base_resp: { status_code: code, status_msg: "no" } };
    expect(failureOf(200, body)).toMatchObject({ status, type, message: "no", code });
  });
});

describe("details", () => {
  test.each([
    [{ error_code: "thread_not_found" }, { error_code: "thread_not_found" }],
    [[{ "@type": "type.googleapis.com/google.rpc.RetryInfo" }], undefined],
    [{ text: "x".repeat(5000) }, undefined],
    ["text", undefined],
  ])("%j are kept as %j", (details, kept) => {
    expect(failureOf(400, { error: { message: "m", details } }).providerDetails).toEqual(kept as never);
  });
});
