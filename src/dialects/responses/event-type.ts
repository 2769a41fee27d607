// What kind of event a Responses stream's data is, told by its bytes where the type comes first, as OpenAI writes it.

/** https://platform.openai.com/docs/api-reference/responses-streaming; whatever is not listed goes on with the answer and is not looked into. */
const kinds = {
  "response.created": "status",
  "response.queued": "status",
  "response.in_progress": "status",
  "response.output_item.added": "item",
  "response.output_item.done": "item-done",
  "response.completed": "terminal",
  "response.incomplete": "terminal",
  "response.cancelled": "terminal",
  "response.failed": "failed",
  error: "error",
} as const;

/**
 * status: holds the response object as it is so far. item, item-done: an output item begins, is whole. terminal: the end of an answer that did not
 * fail. failed, error: the two events of a failure. other: anything else.
 */
export type EventKind = (typeof kinds)[keyof typeof kinds] | "other";

const byName: ReadonlyMap<string, EventKind> = new Map(Object.entries(kinds));

export function kindOfType(type: string): EventKind {
  return byName.get(type) ?? "other";
}

interface KnownType {
  readonly bytes: Uint8Array;
  readonly kind: EventKind;
}

const longestType = 64;
const byLength: readonly (readonly KnownType[])[] = Array.from({ length: longestType }, (_, length) =>
  Object.entries(kinds)
    .filter(([name]) => name.length === length)
    .map(([name, kind]) => ({ bytes: new TextEncoder().encode(name), kind })),
);

const opening = new TextEncoder().encode('{"type":');
const prefix = new TextEncoder().encode("response.");
const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;

/** Undefined: the type is not the first member, not written plainly, or none of this dialect, so that the event has to be parsed. */
export function kindInBytes(bytes: Uint8Array, from: number, to: number): EventKind | undefined {
  for (let index = 0; index < opening.length; index++) if (bytes[from + index] !== opening[index]) return undefined;
  let start = from + opening.length;
  if (bytes[start] === space) start++;
  if (bytes[start++] !== quote) return undefined;
  // `response.output_text.` and nothing that is listed: nearly every event, told without reading its type to the end.
  if (bytes[start + 9] === 0x6f && bytes[start + 15] === 0x5f && bytes[start + 16] === 0x74) return "other";
  const limit = Math.min(to, start + longestType);
  let end = start;
  while (end < limit && bytes[end] !== quote) {
    if (bytes[end] === backslash) return undefined;
    end++;
  }
  if (end === limit || end === start) return undefined;
  for (const { bytes: name, kind } of byLength[end - start] ?? []) if (isAt(bytes, start, name)) return kind;
  return isAt(bytes, start, prefix) ? "other" : undefined;
}

/** From the end: the names begin alike. */
function isAt(bytes: Uint8Array, start: number, name: Uint8Array): boolean {
  for (let index = name.length - 1; index >= 0; index--) if (bytes[start + index] !== name[index]) return false;
  return true;
}
