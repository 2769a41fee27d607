// Finds the events of a chunk that are worth parsing, by the bytes of the few keys that matter.

import { Buffer } from "node:buffer";
import { ByteMark } from "../json/byte-mark.ts";
import type { PlainJudge } from "../sse/event-scanner.ts";

/**
 * Inside JSON strings a quote is always escaped, so the bytes of a quoted key can only be that key or a whole string of the same text; the latter
 * costs a parse and decides nothing. Keys that are spelled with escapes are not found; no known provider does that.
 */
const finishKey = Buffer.from('"finish_reason"');
const finishMark = new ByteMark('"finish_reason"');
/** Ends a key of every usage object that counts anything; `"usage":null` in each event, as OpenAI sends it, costs nothing this way. */
const usageMark = new ByteMark('_tokens"');
const errorKey = new ByteMark('"error"');
const indexText = '"index"';
const indexKey = new ByteMark(indexText);
/** How a tool call's index is told from a choice's without parsing. */
const toolCallPrefix = Buffer.from('"tool_calls":[{');

const none = Number.MAX_SAFE_INTEGER;
const nothing = new Uint8Array(0);
const quote = 0x22;
const letterN = 0x6e;

/** One per stream; `reset` for every chunk. Each key is searched natively, and again only behind its last place: 20 ns per event and key. */
export class EventMarks implements PlainJudge {
  #bytes: Uint8Array = nothing;
  /** The next finish reason of any kind. */
  #finish = -1;
  #usage = -1;
  #error = -1;
  #index = -1;
  readonly #severalChoices: boolean;
  /** How far from its end an event had the finish reason that said "not yet"; events of a stream end alike. 0: unknown. */
  #notYetBeforeEnd = 0;

  constructor(severalChoices: boolean) {
    this.#severalChoices = severalChoices;
  }

  reset(bytes: Uint8Array): void {
    this.#bytes = bytes;
    this.#finish = -1;
    this.#usage = -1;
    this.#error = -1;
    this.#index = -1;
  }

  /**
   * Whether the event between `from` and `to` holds neither a finish reason nor a usage object, an error, or a choice other than the first. True is
   * certain. Ranges must be asked for in order.
   */
  isPlain(from: number, to: number): boolean {
    if (this.#error < from) this.#error = find(this.#bytes, errorKey, from);
    if (this.#usage < from) this.#usage = find(this.#bytes, usageMark, from);
    if (this.#index < from) this.#index = this.#severalChoices ? findOtherChoice(this.#bytes, from) : none;
    if (this.#usage < to || this.#error < to || this.#index < to) return false;
    return this.#endsAsBefore(from, to) || !this.#finishes(from, to);
  }

  /** Looking at the twenty bytes where it has to be costs a third of searching two hundred. An event of one choice has one finish reason. */
  #endsAsBefore(from: number, to: number): boolean {
    const at = to - this.#notYetBeforeEnd;
    if (this.#severalChoices || at === to || at < from) return false;
    const bytes = this.#bytes;
    for (let index = finishKey.length - 1; index >= 0; index--) {
      if (bytes[at + index] !== finishKey[index]) return false;
    }
    return saysNotYet(bytes, valueStart(bytes, at + finishKey.length));
  }

  /** Whether the event has a finish reason that says more than "not yet". */
  #finishes(from: number, to: number): boolean {
    const bytes = this.#bytes;
    if (this.#finish < from) this.#finish = find(bytes, finishMark, from);
    for (; this.#finish < to; this.#finish = find(bytes, finishMark, this.#finish + finishKey.length)) {
      const value = valueStart(bytes, this.#finish + finishKey.length);
      if (saysNotYet(bytes, value)) this.#notYetBeforeEnd = to - this.#finish;
      else if (value >= 0) return true;
    }
    return false;
  }
}

/** Null or an empty string, which some send for it. */
function saysNotYet(bytes: Uint8Array, value: number): boolean {
  return bytes[value] === letterN || (bytes[value] === quote && bytes[value + 1] === quote);
}

function find(bytes: Uint8Array, key: ByteMark, from: number): number {
  const at = key.indexIn(bytes, from);
  return at < 0 ? none : at;
}

function findOtherChoice(bytes: Uint8Array, from: number): number {
  for (let at = find(bytes, indexKey, from); at < none; at = find(bytes, indexKey, at + indexText.length)) {
    const value = valueStart(bytes, at + indexText.length);
    if (value < 0 || bytes[value] === 0x30) continue;
    if (!endsWith(bytes, at, toolCallPrefix)) return at;
  }
  return none;
}

/** Where the value starts when a colon follows, else -1. */
function valueStart(bytes: Uint8Array, behindKey: number): number {
  const colon = afterSpace(bytes, behindKey);
  return bytes[colon] === 0x3a ? afterSpace(bytes, colon + 1) : -1;
}

function afterSpace(bytes: Uint8Array, start: number): number {
  let at = start;
  for (;;) {
    const byte = bytes[at];
    if (byte !== 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d) return at;
    at++;
  }
}

function endsWith(bytes: Uint8Array, end: number, suffix: Uint8Array): boolean {
  const start = end - suffix.length;
  if (start < 0) return false;
  for (let index = 0; index < suffix.length; index++) if (bytes[start + index] !== suffix[index]) return false;
  return true;
}
