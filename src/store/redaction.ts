// What must not be readable in the log: credentials in error texts and in fields of bodies.

/** Stands in place of a credential. */
export const mask = "[REDACTED]";

/** Keys as providers shape them, and bearer tokens; providers repeat a refused key in their message. */
const keyShape = /\b(?:sk|pk|rk|gsk|xai|ghp|hf)[-_][A-Za-z0-9_*.-]{8,}|\bAIza[A-Za-z0-9_-]{20,}|\bBearer\s+[^\s"',;]+/g;

/** What each of them has; most texts have nothing of it. */
const keyMark = /(?:k|xai|ghp|hf)[-_]|AIza|Bearer/;

/** Whether `redactedText` would change it. */
export function holdsKey(text: string): boolean {
  return keyMark.test(text) && text.search(keyShape) !== -1;
}

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
