import { expect, test } from "bun:test";
import type { ProviderConfig } from "../core/provider-config.ts";
import { providerConfig } from "../../test/support/provider-config.ts";
import { createRequestHeaders } from "./request-headers.ts";

const bearer = { keyHeader: "authorization", defaultHeaders: [["HTTP-Referer", "https://default"]] } as const;

function custom(...headers: ProviderConfig["customUpstreamHeaders"]): ProviderConfig {
  return providerConfig({ apiKeys: ["key-1", "key-2"], customUpstreamHeaders: headers });
}

function never(name: string): void {
  throw new Error(`${name} was ignored`);
}

test("a buffered call carries type, encoding, name of the gateway, the type's defaults, the key and its own headers", () => {
  const headers = createRequestHeaders(custom(), bearer, never);
  expect(headers.constant("buffered", "key-1")).toEqual([
    ["Content-Type", "application/json"],
    ["Accept", "application/json"],
    ["Accept-Encoding", "identity"],
    ["User-Agent", "GoModel"],
    ["HTTP-Referer", "https://default"],
    ["Authorization", "Bearer key-1"],
  ]);
  expect(headers.ofCall([["X-Request-ID", "r1"]])).toEqual([["X-Request-ID", "r1"]]);
});

test("calls of a kind with the same key share one array, so that it is rendered once", () => {
  const headers = createRequestHeaders(custom(), bearer, never);
  expect(headers.constant("stream", "key-1")).toBe(headers.constant("stream", "key-1"));
});

test("a stream asks for text/event-stream, a listing sends no content type", () => {
  const headers = createRequestHeaders(custom(), bearer, never);
  expect(headers.constant("stream", undefined)).toContainEqual(["Accept", "text/event-stream"]);
  expect(headers.constant("listing", undefined).map(([name]) => name)).toEqual([
    "Accept",
    "Accept-Encoding",
    "User-Agent",
    "HTTP-Referer",
  ]);
});

test("the key goes into the header of the type", () => {
  const azure = createRequestHeaders(custom(), { keyHeader: "api-key", defaultHeaders: [] }, never);
  expect(azure.constant("buffered", "key-2")).toContainEqual(["api-key", "key-2"]);
});

test("a custom header replaces a default and a per-call header of the same name, whatever its case", () => {
  const headers = createRequestHeaders(
    custom(["http-referer", "https://mine"], ["user-agent", "mine/1"], ["x-title", "mine"]),
    bearer,
    never,
  );
  expect(
    headers.ofCall([
      ["X-Title", "theirs"],
      ["X-Other", "theirs"],
    ]),
  ).toEqual([["X-Other", "theirs"]]);
  expect(headers.constant("buffered", "key-1").slice(3)).toEqual([
    ["http-referer", "https://mine"],
    ["user-agent", "mine/1"],
    ["x-title", "mine"],
    ["Authorization", "Bearer key-1"],
  ]);
});

test.each([
  "Host",
  "Content-Length",
  "Connection",
  "Keep-Alive",
  "Proxy-Authenticate",
  "Proxy-Authorization",
  "TE",
  "Trailer",
  "Transfer-Encoding",
  "Upgrade",
  "Authorization",
  "X-Api-Key",
  "api-key",
  "Cookie",
  "Set-Cookie",
  "Forwarded",
  "X-Forwarded-For",
  "x-forwarded-anything",
  "X-GoModel-User-Path",
  "Content-Type",
  "Accept-Encoding",
  "Idempotency-Key",
  "Expect",
])("a custom %s is left out and told", (name) => {
  const ignored: string[] = [];
  const headers = createRequestHeaders(custom([name, "x"]), bearer, (header) => ignored.push(header));
  expect(ignored).toEqual([name]);
  expect(headers.constant("buffered", "key-1").filter(([, value]) => value === "x")).toEqual([]);
});

test.each([
  ["X-A", "a\r\nX-B: b"],
  ["X-A", "a\0"],
  ["X-A", "grün"],
  ["X A", "a"],
  ["X-A:", "a"],
  ["", "a"],
])("the custom header %p: %p is refused with its place", (name, value) => {
  expect(() => createRequestHeaders(custom([name, value]), bearer, never)).toThrow(
    "providers.openai-eu.custom_upstream_headers",
  );
});

test.each(["key\n", "key\r\nX-B: b", "kéy", "a b"])("the key %p is refused without being shown", (key) => {
  const config = providerConfig({ apiKeys: [key] });
  expect(() => createRequestHeaders(config, bearer, never)).toThrow(
    "providers.openai-eu.api_key holds a character that no header can hold",
  );
});
