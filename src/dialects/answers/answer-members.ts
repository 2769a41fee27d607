// The top-level members of a buffered answer: parsed by the runtime when it is small, found in the bytes when it is not.

import { Buffer, isUtf8 } from "node:buffer";
import type { JsonMember } from "../../core/model-request.ts";
import { isJsonObject } from "../json/is-json-object.ts";
import type { JsonObject } from "../json/is-json-object.ts";
import { maxJsonDepth, scanObject } from "../json/scan-object.ts";
import type { JsonProblem } from "../json/value-scan.ts";

/** Null counts as absent; of a repeated member the last one counts, as in `JSON.parse`. */
export interface AnswerMembers {
  has(key: string): boolean;
  /** The decoded value; undefined when absent. */
  value(key: string): unknown;
  /** Without decoding it. */
  isArray(key: string): boolean;
}

/** Up to this size parsing is faster than looking for members; a larger answer would cost its size again in memory. */
const parsedWholeBytes = 64 * 1024;

const decoder = new TextDecoder();
const { latin1Slice } = Buffer.prototype;

/** Gives the problem of bytes that are no JSON object of at most 256 levels. */
export function readAnswerMembers(body: Uint8Array): AnswerMembers | JsonProblem {
  const parsed = body.length > parsedWholeBytes ? undefined : parse(body);
  if (parsed !== undefined) return new ParsedMembers(parsed);
  const members = scanObject(body, maxJsonDepth);
  return "message" in members ? members : new ScannedMembers(body, members);
}

class ParsedMembers implements AnswerMembers {
  readonly #object: JsonObject;

  constructor(object: JsonObject) {
    this.#object = object;
  }

  has(key: string): boolean {
    return this.value(key) !== undefined;
  }

  value(key: string): unknown {
    return this.#object[key] ?? undefined;
  }

  isArray(key: string): boolean {
    return Array.isArray(this.#object[key]);
  }
}

const letterN = 0x6e;
const openBracket = 0x5b;

class ScannedMembers implements AnswerMembers {
  readonly #body: Uint8Array;
  readonly #members: readonly JsonMember[];

  constructor(body: Uint8Array, members: readonly JsonMember[]) {
    this.#body = body;
    this.#members = members;
  }

  has(key: string): boolean {
    return this.#find(key) !== undefined;
  }

  value(key: string): unknown {
    const member = this.#find(key);
    if (member === undefined) return undefined;
    return JSON.parse(decoder.decode(this.#body.subarray(member.valueStart, member.valueEnd)));
  }

  isArray(key: string): boolean {
    const member = this.#find(key);
    return member !== undefined && this.#body[member.valueStart] === openBracket;
  }

  #find(key: string): JsonMember | undefined {
    const member = this.#members.findLast((candidate) => candidate.key === key);
    return member === undefined || this.#body[member.valueStart] === letterN ? undefined : member;
  }
}

/** Undefined for what is looked at closely instead: no object, too deep, not UTF-8, no JSON. */
function parse(body: Uint8Array): JsonObject | undefined {
  try {
    if (!isUtf8(body)) return undefined;
    // A character for each byte: texts come out garbled, and nobody looks at texts here. Decoding them costs twice as much.
    const parsed: unknown = JSON.parse(latin1Slice.call(body, 0, body.length));
    return isJsonObject(parsed) && !isDeeper(parsed, maxJsonDepth) ? parsed : undefined;
  } catch {
    return undefined;
  }
}

function isDeeper(container: object, levels: number): boolean {
  if (levels === 0) return true;
  if (isJsonObject(container)) {
    for (const key in container) if (holdsDeeper(container[key], levels)) return true;
    return false;
  }
  return Array.isArray(container) && container.some((value) => holdsDeeper(value, levels));
}

function holdsDeeper(value: unknown, levels: number): boolean {
  return typeof value === "object" && value !== null && isDeeper(value, levels - 1);
}
