// What must not stand in a log: secrets by the name of their field, and those that give themselves away in a text.

import { soundsSecret } from "../core/secret-name.ts";

/** Names that only sound like secrets: how a caller was recognised, the hash of a key. */
const harmlessName = /^(auth_?method|api_?key_?hash|author)$/i;

/** Names that are harmless as long as a number stands there: `max_tokens`, `first_token_ms`, `key_count`. */
const countName = /tokens$|_?(ms|count)$/i;

/** Stands in place of a secret. */
export const redacted = "[REDACTED]";

/** Whether a field of this name holds a secret in `value`. */
export function isSecret(name: string, value: unknown): boolean {
  if (!soundsSecret(name) || harmlessName.test(name)) return false;
  return !(countName.test(name) && /^\d+(\.\d+)?$/.test(String(value)));
}

/** Most texts have none of these characters or words, and this is on the path of every request's line. */
const suspicious = /[@=]|bearer|basic|sk-/i;

const userInfo = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^\s/?#"'<>]*@/gi;
const queryParameter = /([?&]([^\s=&?#]+)=)([^\s&#"'<>]+)/g;
const credentials = /\b(bearer|basic) +[\w.~+/=-]{6,}/gi;
const vendorKey = /\bsk-[\w-]{8,}/g;

/** Whether `redactText` would have to look closer. */
export function isSuspicious(text: string): boolean {
  return suspicious.test(text);
}

/** `text` without `user:password@` in URLs, query parameters of a secret name, bearer credentials and `sk-` keys. */
export function redactText(text: string): string {
  if (!isSuspicious(text)) return text;
  return text
    .replace(userInfo, `$1${redacted}@`)
    .replace(queryParameter, (all: string, start: string, name: string, value: string) =>
      isSecret(name, value) ? start + redacted : all,
    )
    .replace(credentials, `$1 ${redacted}`)
    .replace(vendorKey, redacted);
}
