// Turns the key that came with a request into a caller, or refuses it.

import { hash, timingSafeEqual } from "node:crypto";
import { Failure } from "../core/failure.ts";

export interface AuthSettings {
  /** Undefined: everybody may do everything, unless `keyRequired`. */
  readonly masterKey: string | undefined;
  /** `MASTER_KEY_DISABLED`: a key is required although the master key is forgotten. */
  readonly keyRequired: boolean;
}

interface Caller {
  readonly method: "master_key" | "no_key";
  /** First 16 hex characters of the SHA-256 of the key that was sent, undefined without one. */
  readonly keyHash: string | undefined;
}

export type Authenticator = (headers: Headers) => Caller | Failure;

/** `Authorization: Bearer` first, `x-api-key` where there is no `Authorization` (behaviour 1.4). */
export function createAuthenticator(settings: AuthSettings): Authenticator {
  const expected = settings.masterKey === undefined ? undefined : digest(settings.masterKey);
  const open = expected === undefined && !settings.keyRequired;
  return (headers) => {
    const key = presentedKey(headers);
    if (open) return { method: "no_key", keyHash: typeof key === "string" ? hashOf(digest(key)) : undefined };
    if (key instanceof Failure) return key;
    const presented = digest(key);
    if (expected === undefined) return unauthorized("authentication failed");
    if (!timingSafeEqual(presented, expected)) return unauthorized("invalid master key");
    return { method: "master_key", keyHash: hashOf(presented) };
  };
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
function digest(key: string): Buffer {
  return hash("sha256", key, "buffer");
}

function hashOf(digested: Buffer): string {
  return digested.toString("hex", 0, 8);
}

function unauthorized(message: string): Failure {
  return new Failure({ origin: "request", status: 401, type: "authentication_error", message });
}
