// What must not be readable in the log: credentials in headers, in fields of bodies and in error texts.

import { soundsSecret } from "../core/secret-name.ts";

const mask = "[REDACTED]";

/** Names that sound like one and are none: counts and limits of tokens, and what a server says about its demands. */
const harmlessName =
  /^(?:x-ratelimit-(?:limit|remaining|reset)-[a-z-]+|anthropic-ratelimit-[a-z-]+|max-tokens|x-max-tokens|www-authenticate|proxy-authenticate|idempotency-key)$/i;

/** A copy in which credentials are replaced (behaviour 1.18, and every other name that sounds like one); names keep their spelling. */
export function redactedHeaders(headers: Readonly<Record<string, string>>): Record<string, string> {
  const redacted: Record<string, string> = {};
  for (const name in headers) redacted[name] = isSecretName(name) ? mask : redactedValue(headers[name] ?? "");
  return redacted;
}

/** Headers come with the same names, and mostly the same values, again and again: looked at once while there are few. */
const knownNames = new Map<string, boolean>();
const knownValues = new Map<string, string>();
const rememberedTexts = 1000;
const longestRemembered = 200;

function isSecretName(name: string): boolean {
  const known = knownNames.get(name);
  if (known !== undefined) return known;
  const secret = soundsSecret(name) && !harmlessName.test(name);
  remember(knownNames, name, secret);
  return secret;
}

function redactedValue(value: string): string {
  const known = knownValues.get(value);
  if (known !== undefined) return known;
  const redacted = redactedText(withoutSecretQuery(value));
  remember(knownValues, value, redacted);
  return redacted;
}

function remember<Value>(known: Map<string, Value>, text: string, value: Value): void {
  if (text.length > longestRemembered) return;
  // Request ids and the like differ each time and would fill it for ever.
  if (known.size >= rememberedTexts) known.clear();
  known.set(text, value);
}

/** URLs in headers (`referer`, `location`) carry credentials in their query. */
function withoutSecretQuery(value: string): string {
  if (!value.includes("://") && !value.startsWith("/")) return value;
  const mark = value.indexOf("?");
  return mark === -1 ? value : value.slice(0, mark);
}

/** Keys as providers shape them, and bearer tokens; providers repeat a refused key in their message. */
const keyShape = /\b(?:sk|pk|rk|gsk|xai|ghp|hf)[-_][A-Za-z0-9_*.-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[^\s"',;]+/g;

/** `text` with everything that is shaped like a credential replaced. */
export function redactedText(text: string): string {
  return text.replace(keyShape, mask);
}

const secretField =
  /("(?:api[-_]?key|x-(?:goog-)?api-key|x-gomodel-key|x-(?:auth|access)-token|authorization|proxy_authorization|access[-_]?token|refresh[-_]?token|id_token|auth[-_]?token|client[-_]?secret|secret[-_]?key|secret[-_]?access[-_]?key|private[-_]?key|password|secret)"\s*:\s*)"(?:[^"\\]|\\.)*"?/gi;

/** A JSON body with the values of credential fields replaced; other text is unchanged. One character per byte in and out. */
export function redactedBody(latin1: string): string {
  return latin1.replace(secretField, `$1"${mask}"`);
}
