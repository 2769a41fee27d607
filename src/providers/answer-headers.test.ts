import { expect, test } from "bun:test";
import { callerHeaders } from "./answer-headers.ts";

const noSecrets = () => false;

test("retry-after, the rate limits of OpenAI, Anthropic and Codex, and llm-d's reason go to the caller in lower case, in their order", () => {
  const entries = [
    ["Retry-After", "3"],
    ["retry-after-ms", "250"],
    ["X-RateLimit-Remaining-Tokens", "0"],
    ["x-ratelimit-reset", "6m0s"],
    ["Anthropic-RateLimit-Tokens-Reset", "2026-01-27T16:00:00Z"],
    ["anthropic-ratelimit-unified-5h-utilization", "0.5"],
    ["x-codex-primary-used-percent", "12"],
    ["x-codex-turn-state", "opaque"],
    ["X-LLM-D-Request-Dropped-Reason", "saturated"],
  ] as const;
  expect(callerHeaders(entries, noSecrets)).toEqual([
    ["retry-after", "3"],
    ["retry-after-ms", "250"],
    ["x-ratelimit-remaining-tokens", "0"],
    ["x-ratelimit-reset", "6m0s"],
    ["anthropic-ratelimit-tokens-reset", "2026-01-27T16:00:00Z"],
    ["anthropic-ratelimit-unified-5h-utilization", "0.5"],
    ["x-codex-primary-used-percent", "12"],
    ["x-codex-turn-state", "opaque"],
    ["x-llm-d-request-dropped-reason", "saturated"],
  ]);
});

test.each([
  ["Set-Cookie", "a=b"],
  ["Server", "nginx"],
  ["Alt-Svc", "h3"],
  ["Strict-Transport-Security", "max-age=1"],
  ["Access-Control-Allow-Origin", "*"],
  ["Location", "http://10.0.0.1/login"],
  ["Authorization", "Bearer x"],
  ["x-api-key", "k"],
  ["x-goog-api-key", "k"],
  ["x-ratelimit-", "1"],
  ["x-llm-d-request-id", "1"],
  ["Content-Length", "3"],
  ["Connection", "close"],
  ["x-request-id", "theirs"],
  ["request-id", "theirs"],
  ["anthropic-organization-id", "theirs"],
  ["anthropic-ratelimit-", "1"],
  ["x-codex-", "1"],
])("%s is kept back", (name, value) => {
  expect(callerHeaders([[name, value]], noSecrets)).toEqual([]);
});

test.each([["1\r\nSet-Cookie: a=b"], ["1\0"], ["grün"], ["1".repeat(1025)]])("the value %p is kept back", (value) => {
  expect(callerHeaders([["retry-after", value]], noSecrets)).toEqual([]);
});

test("a value that holds a secret is kept back", () => {
  expect(callerHeaders([["x-ratelimit-key", "sk-secret"]], (text) => text.includes("sk-secret"))).toEqual([]);
});

test("of 70 rate-limit headers 64 go to the caller", () => {
  const entries = Array.from({ length: 70 }, (_, index) => [`x-ratelimit-${index}`, "1"] as const);
  expect(callerHeaders(entries, noSecrets)).toHaveLength(64);
});
