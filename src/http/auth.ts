// Turns the key that came with a request into a caller, or refuses it.

import { hash, timingSafeEqual } from "node:crypto";
import { Failure } from "../core/failure.ts";

export interface AuthSettings {
  /** Undefined: everybody may do everything, unless `keyRequired`. */
  readonly masterKey: string | undefined;
  /** `MASTER_KEY_DISABLED`: a key is required although the master key is forgotten. */
  readonly keyRequired: boolean;
}

const rememberedKeys = 64;
const longestRememberedKey = 256;

interface Caller {
  readonly method: "master_key" | "no_key";
  /** First 16 hex characters of the SHA-256 of the key that was sent, undefined without one. */
  readonly keyHash: string | undefined;
}

const anonymous: Caller = { method: "no_key", keyHash: undefined };

export type Authenticator = (headers: Headers) => Caller | Failure;

/** `Authorization: Bearer` first, `x-api-key` where there is no `Authorization` (behaviour 1.4). */
export function createAuthenticator(settings: AuthSettings): Authenticator {
  const expected = settings.masterKey === undefined ? undefined : sha256(settings.masterKey);
  const open = expected === undefined && !settings.keyRequired;
  /** What was accepted, by the header as it came: most requests come with the same ones. */
  const accepted = new Map<string, Caller>();
  return (headers) => {
    const sent = headers.get("authorization");
    const known = sent === null ? undefined : accepted.get(sent);
    if (known !== undefined) return known;
    const caller = judge(headers);
    if (sent !== null && !(caller instanceof Failure) && sent.length <= longestRememberedKey) {
      if (accepted.size === rememberedKeys) accepted.clear();
      accepted.set(sent, caller);
    }
    return caller;
  };

  function judge(headers: Headers): Caller | Failure {
    // Nobody needs a key: without one there is nothing to tell, and no failure to make.
    if (open && !headers.has("authorization") && !headers.has("x-api-key")) return anonymous;
    const key = presentedKey(headers);
    if (open) return key instanceof Failure ? anonymous : { method: "no_key", keyHash: hashOf(sha256(key)) };
    if (key instanceof Failure) return key;
    const presented = sha256(key);
    if (expected === undefined) return unauthorized("authentication failed");
    if (!timingSafeEqual(presented, expected)) return unauthorized("invalid master key");
    return { method: "master_key", keyHash: hashOf(presented) };
  }
}

function presentedKey(headers: Headers): string | Failure {
  const authorization = headers.get("authorization");
  if (authorization === null) {
    const key = headers.get("x-api-key");
    return key === null || key === "" ? unauthorized("missing authorization header") : key;
  }
  const match = /^Bearer +(\S+)$/i.exec(authorization);
  return match?.[1] ?? unauthorized("invalid authorization header format, expected 'Bearer <token>'");
}

/** Equal lengths for the comparison, whatever was sent. */
function sha256(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function hashOf(digested: Buffer): string {
  return digested.toString("hex", 0, 8);
}

function unauthorized(message: string): Failure {
  return new Failure({ origin: "request", status: 401, type: "authentication_error", message });
}
