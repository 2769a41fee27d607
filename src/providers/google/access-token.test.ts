// Access tokens from a token server on this machine: what it is asked, how long its answers are kept, what its refusals become.

import { afterAll, afterEach, beforeEach, expect, test } from "bun:test";
import { generateKeyPairSync, verify } from "node:crypto";
import { Buffer } from "node:buffer";
import { Cancellation } from "../../core/cancellation.ts";
import type { Clock } from "../../core/clock.ts";
import { systemClock } from "../../core/clock.ts";
import { createHttpClient } from "../upstream/client.ts";
import type { GoogleCredentials } from "./credentials.ts";
import { cachedToken } from "./token-cache.ts";
import { tokenExchange } from "./token-exchange.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const pem = privateKey.export({ type: "pkcs8", format: "pem" }).toString();

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly flavor: string | null;
  readonly form: URLSearchParams;
}

let asked: Asked[] = [];
let answers: (() => Response | Promise<Response>)[] = [];
const server = Bun.serve({
  hostname: "127.0.0.1",
  port: 0,
  async fetch(request) {
    const { pathname, search } = new URL(request.url);
    const form = new URLSearchParams(await request.text());
    asked.push({
      method: request.method,
      path: pathname + search,
      flavor: request.headers.get("metadata-flavor"),
      form,
    });
    return answers.shift()?.() ?? Response.json({ access_token: `token-${asked.length}`, expires_in: 3600 });
  },
});
const origin = `http://127.0.0.1:${server.port}`;
const http = createHttpClient({ clock: systemClock });

beforeEach(() => {
  asked = [];
  answers = [];
});
afterAll(async () => {
  http.close();
  await server.stop(true);
});

let elapsedMs = 0;
/** The machine's, moved on by hand. */
const clock: Clock = {
  now: () => elapsedMs,
  wallNow: () => Date.UTC(2026, 10, 30) + elapsedMs,
  schedule: systemClock.schedule,
};
afterEach(() => {
  elapsedMs = 0;
});

const account: GoogleCredentials = {
  kind: "service-account",
  email: "bot@p.iam.gserviceaccount.com",
  privateKey: pem,
  keyId: "k1",
  tokenUrl: `${origin}/token`,
};

function exchangeWith(credentials: GoogleCredentials) {
  return tokenExchange(credentials, { providerName: "vertex", http, direct: http, clock });
}

test("a service account sends a statement that its key has signed", async () => {
  expect(await exchangeWith(account)()).toEqual({ token: "token-1", lifeMs: 3_600_000 });
  const [call] = asked;
  expect(call).toMatchObject({ method: "POST", path: "/token" });
  expect(call?.form.get("grant_type")).toBe("urn:ietf:params:oauth:grant-type:jwt-bearer");
  const [header = "", claims = "", signature = ""] = (call?.form.get("assertion") ?? "").split(".");
  const read = (part: string): unknown => JSON.parse(Buffer.from(part, "base64url").toString());
  expect(read(header)).toEqual({ alg: "RS256", typ: "JWT", kid: "k1" });
  const issuedAt = Date.UTC(2026, 10, 30) / 1000;
  expect(read(claims)).toEqual({
    iss: "bot@p.iam.gserviceaccount.com",
    scope: "https://www.googleapis.com/auth/cloud-platform",
    aud: `${origin}/token`,
    iat: issuedAt,
    exp: issuedAt + 3600,
  });
  const signed = Buffer.from(`${header}.${claims}`);
  expect(verify("RSA-SHA256", signed, publicKey, Buffer.from(signature, "base64url"))).toBe(true);
});

test("a key whose line ends are escaped works, anything else is said to be none", () => {
  expect(() => exchangeWith({ ...account, privateKey: pem.replaceAll("\n", "\\n") })).not.toThrow();
  expect(() => exchangeWith({ ...account, privateKey: "secret" })).toThrow(
    'the "private_key" of the service account is no RSA key in PEM',
  );
});

test("a user's credentials send their refresh token", async () => {
  await exchangeWith({
    kind: "user",
    clientId: "id",
    clientSecret: "a b",
    refreshToken: "r/1",
    tokenUrl: `${origin}/token`,
    quotaProject: undefined,
  })();
  expect(Object.fromEntries(asked[0]?.form ?? [])).toEqual({
    grant_type: "refresh_token",
    client_id: "id",
    client_secret: "a b",
    refresh_token: "r/1",
  });
});

test("a machine's metadata server is asked with its header", async () => {
  await exchangeWith({ kind: "metadata", origin })();
  expect(asked[0]).toMatchObject({
    method: "GET",
    path: "/computeMetadata/v1/instance/service-accounts/default/token?scopes=https%3A%2F%2Fwww.googleapis.com%2Fauth%2Fcloud-platform",
    flavor: "Google",
  });
});

test.each([
  [
    400,
    { error: "invalid_grant", error_description: "Invalid JWT Signature." },
    401,
    "provider vertex got no access token from Google: invalid_grant: Invalid JWT Signature.",
  ],
  [500, {}, 503, "provider vertex got no access token from Google: the answer had the status 500 and no token"],
  [429, { error: "slow_down" }, 503, "provider vertex got no access token from Google: slow_down"],
  [200, {}, 503, "provider vertex got no access token from Google: the answer had the status 200 and no token"],
  [
    200,
    { access_token: "a\r\nX: b" },
    503,
    "provider vertex got no access token from Google: the answer had the status 200 and no token",
  ],
])("the answer %d %j is a failure of status %d", async (status, body, expected, message) => {
  answers = [() => Response.json(body, { status })];
  const failure = await exchangeWith(account)().catch((error: unknown) => error);
  expect(failure).toMatchObject({ origin: "status", status: expected, message });
});

test("nobody at the other end is a failure of transport that names the provider", async () => {
  const failure = await exchangeWith({ kind: "metadata", origin: "http://127.0.0.1:9" })().catch(
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ origin: "transport" });
  expect(String(failure)).toContain("vertex (access token)");
});

test("a token is kept, and calls at the same time wait for one exchange", async () => {
  const token = cachedToken(exchangeWith(account), clock);
  const cancellation = new Cancellation();
  expect(await Promise.all([token(cancellation), token(cancellation)])).toEqual(["token-1", "token-1"]);
  elapsedMs = 3_000_000;
  expect(token(cancellation)).toBe("token-1");
  expect(asked).toHaveLength(1);
});

test("before a token ends the next one is asked for, and the old one is used meanwhile", async () => {
  const token = cachedToken(exchangeWith(account), clock);
  const cancellation = new Cancellation();
  await token(cancellation);
  elapsedMs = 3_301_000;
  const arrived = Promise.withResolvers<undefined>();
  answers = [
    () => {
      arrived.resolve(undefined);
      return Response.json({ access_token: "next", expires_in: 3600 });
    },
  ];
  expect(token(cancellation)).toBe("token-1");
  expect(token(cancellation)).toBe("token-1");
  await arrived.promise;
  elapsedMs = 3_580_000;
  expect(await token(cancellation)).toBe("next");
  expect(asked).toHaveLength(2);
});

test("a renewal that failed leaves the old token in use and is tried again a little later", async () => {
  let exchanges = 0;
  const token = cachedToken(() => {
    exchanges++;
    return exchanges === 1 ? Promise.resolve({ token: "old", lifeMs: 3_600_000 }) : Promise.reject(new Error("down"));
  }, clock);
  const cancellation = new Cancellation();
  await token(cancellation);
  elapsedMs = 3_301_000;
  expect(token(cancellation)).toBe("old");
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  elapsedMs += 9000;
  expect(token(cancellation)).toBe("old");
  expect(exchanges).toBe(2);
  elapsedMs += 1000;
  expect(token(cancellation)).toBe("old");
  expect(exchanges).toBe(3);
});

test("a caller who leaves stops waiting, the exchange goes on for the others", async () => {
  const pending = Promise.withResolvers<{ token: string; lifeMs: number }>();
  const token = cachedToken(() => pending.promise, clock);
  const leaving = new Cancellation();
  const left = Promise.resolve(token(leaving)).catch((error: unknown) => error);
  const staying = token(new Cancellation());
  leaving.cancel("client-left");
  expect(await left).toMatchObject({ origin: "cancelled" });
  pending.resolve({ token: "t", lifeMs: 3_600_000 });
  expect(await staying).toBe("t");
});
