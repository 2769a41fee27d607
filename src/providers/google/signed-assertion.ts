// The signed statement with which a service account asks for a token.

import { Buffer } from "node:buffer";
import { createPrivateKey, sign } from "node:crypto";
import type { KeyObject } from "node:crypto";

/** Longest that Google allows. */
const lifeSeconds = 3600;

/** https://developers.google.com/identity/protocols/oauth2/service-account#authorizingrequests (JWT, RS256). `nowMs`: since the epoch. */
export function signedAssertion(
  account: { readonly email: string; readonly keyId: string | undefined; readonly tokenUrl: string },
  privateKey: KeyObject,
  scope: string,
  nowMs: number,
): string {
  const issuedAt = Math.floor(nowMs / 1000);
  const header = { alg: "RS256", typ: "JWT", ...(account.keyId === undefined ? {} : { kid: account.keyId }) };
  const claims = { iss: account.email, scope, aud: account.tokenUrl, iat: issuedAt, exp: issuedAt + lifeSeconds };
  const signed = `${encoded(header)}.${encoded(claims)}`;
  return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
}

/** Throws an `Error` without anything of the key in it. */
export function readPrivateKey(pem: string): KeyObject {
  let key: KeyObject | undefined;
  try {
    // Some ways of passing JSON along leave the line ends of the key escaped.
    key = createPrivateKey(pem.replaceAll("\\n", "\n"));
  } catch {
    // Told below.
  }
  if (key?.asymmetricKeyType !== "rsa")
    throw new Error('the "private_key" of the service account is no RSA key in PEM');
  return key;
}

function encoded(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}
