// What a request is for, in one form: a path with its query, without dots and backslashes that lead elsewhere.

import { headText } from "../../http1/head-bytes.ts";

const slash = 0x2f;

/** 1 for each byte that stands for itself wherever it is in a path or query. */
const plain = Uint8Array.from({ length: 256 }, (_, code) =>
  /[A-Za-z0-9/_~!$&'()*+,;=:@?-]/.test(String.fromCharCode(code)) ? 1 : 0,
);

/**
 * A path is taken as it is unless it has something that may be written in more than one way; then it is what a browser would make of it: dot segments
 * resolved, bytes of UTF-8 written as %XX, a fragment left out. Of an `http://` address only path and query count: its host is used for nothing.
 * Undefined for anything else.
 */
export function normalTarget(bytes: Uint8Array, start: number, end: number): string | undefined {
  if (bytes[start] === slash && isPlain(bytes, start, end)) return headText(bytes, start, end);
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes.subarray(start, end));
  } catch {
    return undefined;
  }
  const isAddress = /^https?:\/\/[^/?#]/i.test(text);
  if (!isAddress && bytes[start] !== slash) return undefined;
  try {
    const url = new URL(isAddress ? text : `http://gateway${text}`);
    return url.pathname + url.search;
  } catch {
    return undefined;
  }
}

/** Dots within a name are plain, as in most model ids; a segment that begins with one, or a `%`, is looked at closely. */
function isPlain(bytes: Uint8Array, start: number, end: number): boolean {
  let before = 0;
  for (let at = start; at < end; at++) {
    const byte = bytes[at] ?? 0;
    if (plain[byte] === 0 && (byte !== 0x2e || before === slash)) return false;
    before = byte;
  }
  return true;
}
