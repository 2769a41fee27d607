// Credentials in headers never reach the log, whatever the headers are called.

import { describe, expect, test } from "bun:test";
import { headersText } from "./header-text.ts";

const canary = "c4n4ry-5ecret-value";

/** What is read again. */
function stored(headers: Readonly<Record<string, string>>): unknown {
  return JSON.parse(headersText(headers));
}

describe("headers", () => {
  const secret = [
    "authorization",
    "x-api-key",
    "cookie",
    "set-cookie",
    "x-auth-token",
    "x-access-token",
    "proxy-authorization",
    "x-gomodel-key",
    "Authorization",
    "X-API-KEY",
    "api-key",
    "x-goog-api-key",
    "x-amz-security-token",
    "x-client-secret",
    "x-db-password",
    "x-ratelimit-token",
  ];
  test.each(secret)("%s is replaced", (name) => {
    expect(stored({ [name]: canary })).toEqual({ [name]: "[REDACTED]" });
  });

  const harmless = [
    "content-type",
    "user-agent",
    "x-request-id",
    "max-tokens",
    "x-ratelimit-remaining-tokens",
    "x-ratelimit-limit-tokens",
    "x-ratelimit-reset-tokens",
    "anthropic-ratelimit-input-tokens-remaining",
    "www-authenticate",
    "idempotency-key",
  ];
  test.each(harmless)("%s stays readable", (name) => {
    expect(stored({ [name]: "value-1" })).toEqual({ [name]: "value-1" });
  });

  test("a URL in a header loses its query, and a bearer token in any header is replaced", () => {
    expect(
      stored({
        referer: `https://example.org/a?key=${canary}`,
        "x-note": `Bearer ${canary}`,
        location: "/b?c",
      }),
    ).toEqual({ referer: "https://example.org/a", "x-note": "[REDACTED]", location: "/b" });
  });
});

test("names and values are what they were, however often and with whatever in them", () => {
  const odd = { 'a"b': 'c"\\d', empty: "", grüße: "\u0001\ud83d\ude00", long: "x".repeat(5_000) };
  expect(stored(odd)).toEqual(odd);
  expect(stored(odd)).toEqual(odd);
  expect(stored({})).toEqual({});
  for (let index = 0; index < 2_000; index++) {
    const headers = { "x-request-id": `id-${index}`, [`x-name-${index}`]: "1", accept: "*/*" };
    expect(stored(headers)).toEqual(headers);
  }
});
