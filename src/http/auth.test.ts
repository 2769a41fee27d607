// What is remembered of keys: an answer is the same the second time, and a key in one header says nothing about another.

import { describe, expect, test } from "bun:test";
import { Failure } from "../core/failure.ts";
import { createAuthenticator } from "./auth.ts";

const key = "the-master-key";
/** The beginning of its SHA-256. */
const keyHash = new Bun.CryptoHasher("sha256").update(key).digest("hex").slice(0, 16);

function said(authenticate: ReturnType<typeof createAuthenticator>, headers: Record<string, string>): string {
  const caller = authenticate(new Headers(headers));
  return caller instanceof Failure ? `${caller.status} ${caller.message}` : `${caller.method} ${caller.keyHash ?? ""}`;
}

describe("asked twice, with a master key", () => {
  const accepted = `master_key ${keyHash}`;
  test.each<[string, Record<string, string>, string]>([
    ["Bearer", { authorization: `Bearer ${key}` }, accepted],
    ["x-api-key", { "x-api-key": key }, accepted],
    ["x-goog-api-key", { "x-goog-api-key": key }, accepted],
    ["a whole Authorization in x-api-key", { "x-api-key": `Bearer ${key}` }, "401 invalid master key"],
    [
      "the bare key in Authorization",
      { authorization: key },
      "401 invalid authorization header format, expected 'Bearer <token>'",
    ],
    [
      "an empty Authorization beside the right key",
      { authorization: "", "x-api-key": key },
      "401 invalid authorization header format, expected 'Bearer <token>'",
    ],
    ["nothing", {}, "401 missing authorization header"],
    ["a wrong key", { "x-goog-api-key": `${key}x` }, "401 invalid master key"],
  ])("%s", (_, headers, expected) => {
    const authenticate = createAuthenticator({ masterKey: key, keyRequired: false });
    for (const [name, value] of [
      ["authorization", `Bearer ${key}`],
      ["x-api-key", key],
    ] as const) {
      expect(said(authenticate, { [name]: value })).toBe(accepted);
    }
    expect(said(authenticate, headers)).toBe(expected);
    expect(said(authenticate, headers)).toBe(expected);
  });
});

test("more keys than are remembered are still told apart", () => {
  const authenticate = createAuthenticator({ masterKey: undefined, keyRequired: false });
  const hashes = new Set(Array.from({ length: 200 }, (_, index) => said(authenticate, { "x-api-key": `k${index}` })));
  expect(hashes.size).toBe(200);
  expect(said(authenticate, { "x-api-key": "k0" })).toBe(said(authenticate, { authorization: "Bearer k0" }));
});

test("nobody is refused where nobody could hold a key, and nothing gets in where the master key is forgotten", () => {
  const open = createAuthenticator({ masterKey: undefined, keyRequired: false });
  expect([said(open, {}), said(open, { authorization: "nonsense" })]).toEqual(["no_key ", "no_key "]);
  const shut = createAuthenticator({ masterKey: undefined, keyRequired: true });
  expect(said(shut, { "x-goog-api-key": key })).toBe("401 authentication failed");
  expect(said(shut, {})).toBe("401 missing authorization header");
});
