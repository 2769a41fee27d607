// The error body and the error event, to the letter.

import { expect, test } from "bun:test";
import { Failure, invalidRequest } from "../../core/failure.ts";
import { encodeErrorEnvelope } from "../answers/error-envelope.ts";
import { chatClientDialect } from "./client-dialect.ts";

test("the envelope always has its four members", () => {
  expect(encodeErrorEnvelope(invalidRequest("no", { param: "model" }))).toBe(
    '{"error":{"message":"no","type":"invalid_request_error","param":"model","code":null}}',
  );
  const failure = new Failure({ origin: "status", status: 429, type: "rate_limit_error", message: '"', code: 429 });
  expect(encodeErrorEnvelope(failure)).toBe(
    '{"error":{"message":"\\"","type":"rate_limit_error","param":null,"code":429}}',
  );
});

test("the event that ends a broken stream is one line and one blank line", () => {
  expect(new TextDecoder().decode(chatClientDialect.streamError("cut\nhere", "stream_incomplete"))).toBe(
    'data: {"error":{"message":"cut\\nhere","type":"provider_error","param":null,"code":"stream_incomplete"}}\n\n',
  );
});

test("a failure as an event is its envelope in one line and one blank line", () => {
  const failure = new Failure({
    origin: "status",
    status: 429,
    type: "rate_limit_error",
    message: "slow\ndown",
    code: "x",
  });
  expect(new TextDecoder().decode(chatClientDialect.failureEvent(failure))).toBe(
    'data: {"error":{"message":"slow\\ndown","type":"rate_limit_error","param":null,"code":"x"}}\n\n',
  );
});

test("the heartbeat is a comment and a blank line", () => {
  expect(new TextDecoder().decode(chatClientDialect.heartbeat)).toMatch(/^: [a-z]+\n\n$/);
});
