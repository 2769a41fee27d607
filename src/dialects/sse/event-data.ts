// What the data of one event is: the terminal, or a JSON object, with space around it.

import { Buffer } from "node:buffer";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";

const decoder = new TextDecoder();
const { latin1Slice } = Buffer.prototype;
const doneText = [0x5b, 0x44, 0x4f, 0x4e, 0x45, 0x5d];

/** `[DONE]`. */
export function isDone(data: Uint8Array, from: number, to: number): boolean {
  if (to - from !== doneText.length) return false;
  for (let index = 0; index < doneText.length; index++) if (data[from + index] !== doneText[index]) return false;
  return true;
}

export function isDoneData(data: Uint8Array): boolean {
  const from = skipSpace(data, 0, data.length);
  return isDone(data, from, skipSpaceBack(data, from, data.length));
}

/** Undefined when it is no JSON object after all. */
export function parseObject(data: Uint8Array): JsonObject | undefined {
  return parseText(decoder.decode(data));
}

/**
 * The same for a reader of keys, counts and words of ASCII: other texts come out garbled, a character for each byte. Decoding them costs more
 * than parsing the event.
 */
export function parseAscii(data: Uint8Array, from = 0, to: number = data.length): JsonObject | undefined {
  return parseText(latin1Slice.call(data, from, to));
}

/** Undefined when it is no JSON object after all. */
export function parseText(text: string): JsonObject | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

/** The first byte that is no JSON white space. */
export function skipSpace(data: Uint8Array, start: number, end: number): number {
  let at = start;
  while (at < end && isSpace(data[at])) at++;
  return at;
}

/** The end without the JSON white space before it. */
export function skipSpaceBack(data: Uint8Array, start: number, end: number): number {
  let at = end;
  while (at > start && isSpace(data[at - 1])) at--;
  return at;
}

function isSpace(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
