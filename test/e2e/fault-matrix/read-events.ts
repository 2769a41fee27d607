// Reads an event stream and JSON by the letter, apart from the gateway's own readers.

import type { Asking } from "./speakers.ts";

/** An event with data; comments and empty ones are none. */
export interface SentEvent {
  /** Of its `event` field; empty when there is none. */
  readonly name: string;
  readonly data: string;
  /** Undefined: the data is no JSON object. */
  readonly json: Record<string, unknown> | undefined;
}

/** How a stream ended for its reader. */
export type StreamEnd = { readonly kind: "whole" } | ErrorEnd;

export interface ErrorEnd {
  readonly kind: "error";
  /** The error's own members, wherever the dialect has them; undefined when absent. */
  readonly code: unknown;
  readonly type: unknown;
  readonly param: unknown;
  /** It has every member that the dialect gives an error, and no other one. */
  readonly isComplete: boolean;
}

/** A stream, as far as it came. */
export interface StreamReading {
  /** Of the first choice, refusals among it. */
  readonly text: string;
  /** It says why it ended. */
  readonly finished: boolean;
  /** Undefined: it has no end, or something follows it. */
  readonly end: StreamEnd | undefined;
  /** Of the answer, each once. */
  readonly ids: readonly string[];
  /** What follows the last blank line. */
  readonly rest: string;
  /** What is against the dialect, as sentences. */
  readonly problems: readonly string[];
  /** What is against it in the numbers and the order of events, which a provider's own may be. */
  readonly orderProblems: readonly string[];
}

export type StreamReader = (events: readonly SentEvent[]) => Omit<StreamReading, "rest">;

/** One reader for each dialect of a caller. */
export type ByAsking<Value> = Readonly<Record<Asking, Value>>;

export function readEvents(body: string): { readonly events: readonly SentEvent[]; readonly rest: string } {
  const plain = body.replace(/^\ufeff/, "").replaceAll(/\r\n|\r/g, "\n");
  const blocks = plain.split("\n\n");
  const rest = (blocks.pop() ?? "").replace(/^\n+/, "");
  const events = blocks
    .map((block) => ({ name: fieldOf(block, "event").at(-1) ?? "", data: fieldOf(block, "data").join("\n") }))
    .filter(({ data }) => data !== "")
    .map(({ name, data }) => ({ name, data, json: parsedObject(data) }));
  return { events, rest };
}

function fieldOf(block: string, name: string): string[] {
  return block.split("\n").flatMap((line) => {
    if (line === name) return [""];
    return line.startsWith(`${name}:`) ? [line.slice(name.length + 1).replace(/^ /, "")] : [];
  });
}

export function parsedObject(text: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The objects in what may be a list. */
export function objectsIn(value: unknown): readonly Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isObject) : [];
}

export function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}

export function keysOf(value: object): string {
  return Object.keys(value).toSorted().join();
}
