// Any value as a bounded plain one without secrets, so that it can be written in a line.

import { isSecret, redacted, redactText } from "./redact.ts";

const maxTextLength = 4096;
const maxEntries = 50;
const maxDepth = 6;
/** Over one whole line; what comes later is left out. */
const maxNodes = 500;
const maxLineLength = 16_384;
/** A secret that lies across the cut must still be recognised as one. */
const cutMargin = 512;

/** What is left of a value. */
export type Loggable = string | number | boolean | null | readonly Loggable[] | { readonly [name: string]: Loggable };

/** Never throws: cycles, getters that throw and values that JSON does not know become words. */
export function toLoggable(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, Loggable>> {
  return plainEntries(fields, { nodesLeft: maxNodes, charactersLeft: maxLineLength, path: [] }, []);
}

/** `text` without secrets and of bounded length. */
export function loggableText(text: string): string {
  if (text.length <= maxTextLength) return redactText(text);
  const kept = redactText(text.slice(0, maxTextLength + cutMargin)).slice(0, maxTextLength);
  return `${kept}... (${text.length} characters)`;
}

interface Walk {
  nodesLeft: number;
  charactersLeft: number;
  /** The objects that the current one lies in; meeting one again is a cycle. */
  readonly path: object[];
}

function plain(value: unknown, walk: Walk): Loggable {
  if (--walk.nodesLeft < 0) return "[...]";
  switch (typeof value) {
    case "string":
      return plainText(value, walk);
    case "number":
      return Number.isFinite(value) ? value : String(value);
    case "boolean":
      return value;
    case "bigint":
    case "symbol":
      return plainText(value.toString(), walk);
    case "undefined":
      return null;
    case "function":
      return "[function]";
    case "object":
      return value === null ? null : plainObject(value, walk);
  }
}

function plainText(text: string, walk: Walk): string {
  if (walk.charactersLeft <= 0) return "[...]";
  const kept = loggableText(text);
  walk.charactersLeft -= kept.length;
  return kept;
}

function plainObject(value: object, walk: Walk): Loggable {
  if (walk.path.includes(value)) return "[cycle]";
  if (walk.path.length >= maxDepth) return "[...]";
  walk.path.push(value);
  try {
    if (value instanceof Error) return plainError(value, walk);
    if (value instanceof Date) return Number.isNaN(value.getTime()) ? "invalid date" : value.toISOString();
    if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
    if (Array.isArray(value) || value instanceof Set) return plainList(value, walk);
    if (value instanceof Map) return plainEntries(Object.fromEntries(value), walk, []);
    return plainEntries(value, walk, []);
  } catch {
    return "[unreadable]";
  } finally {
    walk.path.pop();
  }
}

function plainList(values: Iterable<unknown>, walk: Walk): readonly Loggable[] {
  const list: Loggable[] = [];
  for (const value of values) {
    if (list.length >= maxEntries || walk.nodesLeft <= 0) {
      list.push("...");
      break;
    }
    list.push(plain(value, walk));
  }
  return list;
}

/** The names of an error's own that say something, and what caused it. */
function plainError(error: Error, walk: Walk): Loggable {
  const { name, message, stack, cause } = error;
  const own = plainEntries(error, walk, ["name", "message", "stack", "cause"]);
  return {
    name: plainText(name, walk),
    message: plainText(message, walk),
    ...own,
    ...(cause === undefined ? {} : { cause: plain(cause, walk) }),
    ...(stack === undefined ? {} : { stack: plainText(stack, walk) }),
  };
}

function plainEntries(source: object, walk: Walk, without: readonly string[]): Readonly<Record<string, Loggable>> {
  const entries: [string, Loggable][] = [];
  for (const name of Object.keys(source)) {
    if (without.includes(name)) continue;
    if (entries.length >= maxEntries || walk.nodesLeft <= 0) {
      entries.push(["...", "more"]);
      break;
    }
    const value = read(source, name);
    if (value !== undefined) entries.push([name.slice(0, 200), fieldValue(name, value, walk)]);
  }
  return Object.fromEntries(entries);
}

function read(source: object, name: string): unknown {
  try {
    return Reflect.get(source, name);
  } catch {
    return "[unreadable]";
  }
}

/** Whether something is set at all may be seen; what it is set to may not. */
function fieldValue(name: string, value: unknown, walk: Walk): Loggable {
  const says = typeof value === "object" ? value !== null : typeof value !== "boolean" && value !== "";
  return says && isSecret(name, typeof value === "object" ? "" : value) ? redacted : plain(value, walk);
}
