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

/** The headers of a request, names in lower case. */
interface RequestHeaders {
  get(name: string): string | null;
}

export type Authenticator = (headers: RequestHeaders) => Caller | Failure;

/**
 * `Authorization: Bearer` first; without an `Authorization` the key of Anthropic's clients, `x-api-key`; without that the one of Google's,
 * `x-goog-api-key` (behaviour 1.4).
 */
export function createAuthenticator(settings: AuthSettings): Authenticator {
  const expected = settings.masterKey === undefined ? undefined : sha256(settings.masterKey);
  const open = expected === undefined && !settings.keyRequired;
  /** What was accepted, by the header as it came: most requests come with the same ones. A bare key means something else than an `Authorization`. */
  const acceptedAuthorizations = new Map<string, Caller>();
  const acceptedKeys = new Map<string, Caller>();
  return (headers) => {
    const authorization = headers.get("authorization");
    const sent = authorization ?? bareKey(headers);
    // Nobody needs a key: without one there is nothing to tell, and no failure to make.
    if (sent === undefined) return open ? anonymous : unauthorized("missing authorization header");
    const accepted = authorization === null ? acceptedKeys : acceptedAuthorizations;
    const known = accepted.get(sent);
    if (known !== undefined) return known;
    const caller = judge(authorization === null ? sent : bearerKey(authorization));
    if (!(caller instanceof Failure) && sent.length <= longestRememberedKey) {
      if (accepted.size === rememberedKeys) accepted.clear();
      accepted.set(sent, caller);
    }
    return caller;
  };

  function judge(key: string | Failure): Caller | Failure {
    if (open) return key instanceof Failure ? anonymous : { method: "no_key", keyHash: hashOf(sha256(key)) };
    if (key instanceof Failure) return key;
    const presented = sha256(key);
    if (expected === undefined) return unauthorized("authentication failed");
    if (!timingSafeEqual(presented, expected)) return unauthorized("invalid master key");
    return { method: "master_key", keyHash: hashOf(presented) };
  }
}

/** Empty ones count as not sent. */
function bareKey(headers: RequestHeaders): string | undefined {
  const key = headers.get("x-api-key");
  if (key !== null && key !== "") return key;
  const googleKey = headers.get("x-goog-api-key");
  return googleKey === null || googleKey === "" ? undefined : googleKey;
}

function bearerKey(authorization: string): string | Failure {
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
