// Checks JSON bytes in one pass and says where the members of the top-level object lie, without building values.

import { Buffer, isUtf8 } from "node:buffer";
import type { JsonMember } from "../../core/model-request.ts";
import { ValueScan } from "./value-scan.ts";
import type { JsonProblem } from "./value-scan.ts";

/** Levels of nesting taken from callers and providers alike (decisions 11). */
export const maxJsonDepth = 256;

const decoder = new TextDecoder();

/**
 * The top-level members of `bytes` in order, duplicates included, or the first problem. Everything is checked: RFC 8259 grammar, UTF-8
 * and nesting up to `maxDepth` levels (the object itself is the first). Escapes of lone surrogates are allowed, as in `JSON.parse`; a byte
 * order mark is not, because the bytes are handed on as they are and not every provider skips it. No recursion, no values.
 */
export function scanObject(bytes: Uint8Array, maxDepth: number): readonly JsonMember[] | JsonProblem {
  if (!isUtf8(bytes)) return { kind: "syntax", message: "invalid UTF-8", offset: firstInvalidUtf8(bytes) };
  const scan = new ValueScan(bytes, maxDepth);
  const members: JsonMember[] = [];
  return scanMembers(scan, bytes, members) ?? members;
}

function scanMembers(scan: ValueScan, bytes: Uint8Array, members: JsonMember[]): JsonProblem | undefined {
  let at = scan.space(0);
  if (bytes[at] !== 0x7b) {
    if (bytes[0] === 0xef && bytes[1] === 0xbb) {
      return { kind: "syntax", message: "unexpected byte order mark", offset: 0 };
    }
    if (at < bytes.length) return { kind: "not-object", message: "the outermost value is not an object", offset: at };
    return scan.unexpectedAt(at);
  }
  at = scan.space(at + 1);
  let closed = bytes[at] === 0x7d;
  while (!closed) {
    const keyStart = at;
    const keyEnd = scan.name(at);
    const valueStart = keyEnd < 0 ? -1 : scan.afterColon(keyEnd);
    const valueEnd = valueStart < 0 ? -1 : scan.value(valueStart);
    if (valueEnd < 0) return scan.problem;
    members.push({ key: readName(bytes, keyStart, keyEnd), keyStart, keyEnd, valueStart, valueEnd });
    at = scan.space(valueEnd);
    closed = bytes[at] === 0x7d;
    if (closed) break;
    if (bytes[at] !== 0x2c) return scan.unexpectedAt(at);
    at = scan.space(at + 1);
  }
  at = scan.space(at + 1);
  return at === bytes.length ? undefined : scan.unexpectedAt(at);
}

/** Names that nearly every request and answer has: compared in place instead of decoded. */
const commonNames = [
  "model messages stream stream_options temperature max_tokens max_completion_tokens top_p tools tool_choice response_format",
  "stop seed user n reasoning_effort parallel_tool_calls provider metadata store input encoding_format include_usage",
  "id object created choices usage service_tier system_fingerprint data error",
].flatMap((names) => names.split(" "));
const commonNamesByLength: readonly (readonly string[])[] = Array.from({ length: 32 }, (_, length) =>
  commonNames.filter((name) => name.length === length),
);

function readName(bytes: Uint8Array, start: number, end: number): string {
  for (const name of commonNamesByLength[end - start - 2] ?? []) if (isAt(bytes, start + 1, name)) return name;
  for (let at = start + 1; at < end - 1; at++) {
    const byte = bytes[at] ?? 0;
    if (byte >= 0x80 || byte === 0x5c) return decodeName(bytes.subarray(start, end));
  }
  // A name put together character by character is a rope, which costs again in every comparison.
  return Buffer.prototype.toString.call(bytes, "latin1", start + 1, end - 1);
}

function isAt(bytes: Uint8Array, start: number, name: string): boolean {
  for (let index = 0; index < name.length; index++) {
    if (bytes[start + index] !== name.charCodeAt(index)) return false;
  }
  return true;
}

function decodeName(quoted: Uint8Array): string {
  const name: unknown = JSON.parse(decoder.decode(quoted));
  return typeof name === "string" ? name : "";
}

/** A valid but different sequence comes back wherever a replacement character was put in. */
function firstInvalidUtf8(bytes: Uint8Array): number {
  const repaired = new TextEncoder().encode(new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes));
  let offset = 0;
  while (offset < bytes.length && bytes[offset] === repaired[offset]) offset++;
  return offset;
}
