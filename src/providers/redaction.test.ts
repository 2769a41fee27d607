import { expect, test } from "bun:test";
import { Failure } from "../core/failure.ts";
import { createRedactor } from "./redaction.ts";

function refused(message: string, more: { code?: string; param?: string; headers?: [string, string][] } = {}): Failure {
  return new Failure({ origin: "status", status: 401, type: "authentication_error", message, ...more });
}

const redactor = createRedactor({
  apiKeys: ["sk-first-key", "sk-first-key-longer", "short"],
  customUpstreamHeaders: [
    ["X-Proxy-Token", "Bearer proxy-token-1"],
    ["X-Team", "production"],
  ],
});

test.each([
  ["Incorrect API key sk-first-key", "Incorrect API key [REDACTED]"],
  ["sk-first-key and sk-first-key again", "[REDACTED] and [REDACTED] again"],
  ["key sk-first-key-longer", "key [REDACTED]"],
  ["token proxy-token-1 refused", "token [REDACTED] refused"],
  ["short circuit in production", "short circuit in production"],
])("%p becomes %p", (message, expected) => {
  expect(redactor.failure(refused(message)).message).toBe(expected);
});

test("a failure without a secret stays the same object", () => {
  const failure = refused("no");
  expect(redactor.failure(failure)).toBe(failure);
});

test("code, param and headers are cleaned, status, type, origin and wait stay", () => {
  const failure = new Failure({
    origin: "status",
    status: 429,
    type: "rate_limit_error",
    message: "slow down",
    code: "for_sk-first-key",
    param: "sk-first-key",
    retryAfterMs: 7000,
    headers: [
      ["retry-after", "7"],
      ["x-ratelimit-key", "sk-first-key"],
    ],
  });
  const clean = redactor.failure(failure);
  expect(clean).toMatchObject({
    origin: "status",
    status: 429,
    type: "rate_limit_error",
    message: "slow down",
    code: "for_[REDACTED]",
    param: "[REDACTED]",
    retryAfterMs: 7000,
    headers: [["retry-after", "7"]],
  });
});
