// Credentials in headers never reach the log, whatever the headers are called.

import { describe, expect, test } from "bun:test";
import { keptHeaders, requestRecord } from "../../test/support/request-record.ts";
import { logRow } from "./log-row.ts";
import { maskedHeaders } from "./stored-headers.ts";

const canary = "c4n4ry-5ecret-value";

const whole = { requestCut: false, responseCut: false, dropped: false };
const sources = { logHeaders: true, providerTypeOf: () => undefined };

/** What is read again of headers that a row has. */
function stored(headers: Readonly<Record<string, string>>): unknown {
  const record = requestRecord({ requestHeaders: keptHeaders(headers), responseHeaders: headers });
  const { data } = logRow(record, whole, sources);
  const { request_headers, response_headers } = JSON.parse(data);
  expect(request_headers).toEqual(response_headers);
  return request_headers;
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

test.each([
  ["sk-c4n4ry-5ecret-value", "[REDACTED]"],
  ["key=sk-c4n4ry-5ecret-value, more", "key=[REDACTED], more"],
  ["\tsk-c4n4ry-5ecret-value", "\t[REDACTED]"],
  ['a\\sk-c4n4ry-5ecret-value "b"', 'a\\[REDACTED] "b"'],
  ["gsk_c4n4ry-5ecret", "[REDACTED]"],
  ["xai-c4n4ry-5ecret", "[REDACTED]"],
  ["ghp_c4n4ry5ecret", "[REDACTED]"],
  ["hf_c4n4ry5ecret", "[REDACTED]"],
  ["pk_c4n4ry5ecret rk-c4n4ry5ecret", "[REDACTED] [REDACTED]"],
  ["AIzac4n4ry5ecretvalue5ecretvalue", "[REDACTED]"],
  ["Bearer  c4n4ry", "[REDACTED]"],
  ["https://u.example/?c4n4ry=1", "https://u.example/"],
  ["task-c4n4ry-is-none", "task-c4n4ry-is-none"],
])("in any header %j becomes %j", (value, expected) => {
  expect(stored({ accept: "*/*", "x-note": value })).toEqual({ accept: "*/*", "x-note": expected });
});

test("names and values are what they were, however often and with whatever in them", () => {
  const odd = { 'a"b': 'c"\\d', empty: "", grüße: "\u0001\ud83d\ude00", long: "x".repeat(5_000) };
  expect(stored(odd)).toEqual(odd);
  expect(stored({})).toEqual({});
  for (let index = 0; index < 2_000; index++) {
    const headers = { "x-request-id": `id-${index}`, [`x-name-${index}`]: "1", accept: "*/*" };
    expect(stored(headers)).toEqual(headers);
  }
});

test("the content-length of a request stands with its headers, which do not have it", () => {
  const dataOf = (headers: Readonly<Record<string, string>>, requestLength: number | undefined): unknown =>
    JSON.parse(logRow(requestRecord({ requestHeaders: keptHeaders(headers), requestLength }), whole, sources).data)
      .request_headers;
  expect(dataOf({ accept: "*/*" }, 12)).toEqual({ accept: "*/*", "content-length": "12" });
  expect(dataOf({}, 0)).toEqual({ "content-length": "0" });
  expect(dataOf({ accept: "*/*" }, undefined)).toEqual({ accept: "*/*" });
});

test("the headers of an answer are not changed by what is stored of them", () => {
  const headers = { "set-cookie": canary, "content-type": "application/json" };
  expect(maskedHeaders(headers)["set-cookie"]).toBe("[REDACTED]");
  expect(headers["set-cookie"]).toBe(canary);
});
