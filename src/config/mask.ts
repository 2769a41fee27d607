// Keeps secrets out of messages and of the printed configuration.

import type { ConfigPath, TextNode } from "./node.ts";
import { shapesAlong } from "./shape.ts";

/** Stands for what must not be shown. */
export const masked = "********";

/** Beginnings of well-known keys, for one that was put into the wrong setting. */
const keyLike = /^(?:(?:sk|gsk|pk|xai|ghp|glpat)[-_]|AKIA|Bearer )/i;

/** What may be shown of the text at `path`; undefined = nothing of it. */
export function showable(node: TextNode, path: ConfigPath): string | undefined {
  const secrets = new Set(shapesAlong(path).map((shape) => shape.notes.secret));
  if (secrets.has("value") || node.hidden || keyLike.test(node.text)) return undefined;
  return secrets.has("url") || node.text.includes("://") ? maskUrl(node.text) : node.text;
}

/** The password of a URL, or its whole user part when that has no password, becomes `xxxxx` (behaviour 3.5). */
export function maskUrl(text: string): string {
  return text
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/i, "$1:xxxxx@")
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^:@/]+@/i, "$1xxxxx@");
}
