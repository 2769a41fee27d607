// Headers without credentials: those of a secret name masked, and what is shaped like one replaced in the rest.

import { soundsSecret } from "../core/secret-name.ts";
import { holdsKey, mask, redactedText } from "./redaction.ts";

type HeaderTexts = Readonly<Record<string, string>>;

/** Names that sound like one and are none: counts and limits of tokens, and what a server says about its demands. */
const harmlessName =
  /^(?:x-ratelimit-(?:limit|remaining|reset)-[a-z-]+|anthropic-ratelimit-[a-z-]+|max-tokens|x-max-tokens|www-authenticate|proxy-authenticate|idempotency-key)$/i;

/** The same names come again and again: looked at once while they are few. */
const knownNames = new Map<string, boolean>();
const maxKnownNames = 1000;
const longestKnownName = 200;

/** `headers`, a copy if one must be masked for its name (behaviour 1.18, and every other name that sounds like a credential). */
export function maskedHeaders(headers: HeaderTexts): HeaderTexts {
  let masked: Record<string, string> | undefined;
  for (const name in headers) {
    if (!isSecretName(name)) continue;
    masked ??= { ...headers };
    masked[name] = mask;
  }
  return masked ?? headers;
}

/** A copy of masked headers in which no value holds a credential. */
export function redactedValues(headers: HeaderTexts): HeaderTexts {
  // No name of a header can reach a prototype.
  const redacted: Record<string, string> = Object.create(null);
  for (const name in headers) redacted[name] = redactedText(withoutSecretQuery(headers[name] ?? ""));
  return redacted;
}

/** Whether `redactedValues` may have something to do for headers within this JSON text. Escapes could hide where a word begins. */
export function mayHoldSecrets(json: string): boolean {
  return json.includes("?") || json.includes("\\") || holdsKey(json);
}

function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const secret = soundsSecret(name) && !harmlessName.test(name);
  if (name.length > longestKnownName) return secret;
  // Callers choose names as well.
  if (knownNames.size >= maxKnownNames) knownNames.clear();
  knownNames.set(name, secret);
  return secret;
}

/** URLs in headers (`referer`, `location`) carry credentials in their query. */
function withoutSecretQuery(value: string): string {
  if (!value.includes("://") && !value.startsWith("/")) return value;
  const mark = value.indexOf("?");
  return mark === -1 ? value : value.slice(0, mark);
}
