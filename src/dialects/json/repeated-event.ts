// The one text that differs between the events of a stream that are otherwise alike, found in their bytes without parsing each of them.

import { Buffer, isUtf8 } from "node:buffer";
import type { FoundPieces } from "./found-pieces.ts";

/** Where the events that were seen last differ: `text` is what they are about, the others tell nothing. */
type Gap = "text" | "number" | "string";

/** An event that was parsed, and where in it the others may differ; JSON is the same wherever the bytes are. */
interface Frame {
  readonly event: Uint8Array;
  /** In order, at least one. */
  readonly gaps: readonly GapInEvent[];
  /** What stands between the last gap of one event and the first gap of the next: what is behind the gaps, and what is before them. */
  readonly between: Uint8Array;
  /** The same from text to text, as long as nothing else differs. */
  readonly betweenTexts: Uint8Array;
  /** Of it, what belongs to the event that ends. */
  readonly behindText: number;
  /** So far nothing else has differed. */
  hasOnlyText: boolean;
}

interface GapInEvent {
  readonly kind: Gap;
  readonly start: number;
  readonly end: number;
  /** Where the next gap starts, or the event ends: the bytes up to there are the same in all of them. */
  readonly sameUntil: number;
}

/** Members that may differ between events and that nobody reads. */
export interface IgnoredMembers {
  /** Whole numbers. */
  readonly numbers?: readonly string[];
  readonly strings?: readonly string[];
}

/** Where an event lies in its bytes: with the lines around its data and the blank line behind it. */
export interface EventPlace {
  readonly start: number;
  readonly end: number;
}

const quote = 0x22;
const backslash = 0x5c;
const carriageReturn = 0x0d;
/** What may follow a backslash alone. */
const shortEscapes: ReadonlySet<number> = new Set(Buffer.from('"\\/bfnrt'));

// Work on any Uint8Array and make no view of it.
const { compare, latin1Slice, utf8Slice } = Buffer.prototype;

/**
 * Events that carry a piece of text differ in nothing else, mostly. Once one has been parsed, those that begin and end as it did are read by looking at
 * what lies between. Exact: whatever is not one JSON value of the same kind in each gap is left to the parser.
 */
export class RepeatedEvent {
  readonly #ignored: readonly (readonly [name: string, gap: Gap])[];
  #frame: Frame | undefined;
  /** The bytes at hand are UTF-8; undefined: nobody has had to know yet. */
  #isUtf8: boolean | undefined;

  constructor({ numbers = [], strings = [] }: IgnoredMembers = {}) {
    this.#ignored = [
      ...numbers.map((key) => [`"${key}":`, "number"] as const),
      ...strings.map((key) => [`"${key}":`, "string"] as const),
    ];
  }

  /** Nothing learnt: nothing can be taken. */
  get isReady(): boolean {
    return this.#frame !== undefined;
  }

  /** Takes the texts of all events from `start` on that are framed like the one last learnt, empty ones left out. Gives the end of the last one. */
  take(pieces: FoundPieces, start: number): number {
    const frame = this.#frame;
    if (frame === undefined) return start;
    const { event, gaps, between, betweenTexts, behindText } = frame;
    const { bytes } = pieces;
    const last = gaps.length - 1;
    const beforeGaps = gaps[0]?.start ?? 0;
    const behindGaps = gaps[last]?.end ?? 0;
    this.#isUtf8 = undefined;
    let taken = start;
    let at = sameEnd(bytes, start, event, 0, beforeGaps);
    while (at >= 0) {
      let textStart = 0;
      let textEnd = 0;
      for (let index = 0; index <= last; index++) {
        const gap = gaps[index];
        let end = gap?.kind === "number" ? numberEnd(bytes, at) : this.#stringEnd(bytes, at);
        if (gap === undefined || end < 0) return taken;
        if (gap.kind === "text") {
          // Nearly always another one follows that differs in nothing else: one comparison for all that stands between the texts.
          while (frame.hasOnlyText) {
            const next = sameEnd(bytes, end, betweenTexts, 0, betweenTexts.length);
            if (next < 0) break;
            if (at + 1 < end - 1) pieces.add(at + 1, end - 1);
            taken = end + behindText;
            at = next;
            end = this.#stringEnd(bytes, at);
            if (end < 0) return taken;
          }
          textStart = at + 1;
          textEnd = end - 1;
        }
        at = index < last ? sameEnd(bytes, end, event, gap.end, gap.sameUntil) : end;
        if (at < 0) return taken;
      }
      const next = sameEnd(bytes, at, between, 0, between.length);
      const end = next < 0 ? sameEnd(bytes, at, event, behindGaps, event.length) : next - beforeGaps;
      if (end < 0) return taken;
      if (textStart < textEnd) pieces.add(textStart, textEnd);
      taken = end;
      at = next;
      if (next >= 0) frame.hasOnlyText = false;
    }
    return taken;
  }

  /** An event whose only difference to others of its kind is `text`, the value of `key` somewhere in it, besides the members to ignore. */
  learn(bytes: Uint8Array, { start, end }: EventPlace, key: string, text: string): void {
    this.#frame = undefined;
    this.#isUtf8 = undefined;
    // Whether a line ends in a CR alone depends on what follows.
    if (bytes[end - 1] === carriageReturn) return;
    const event = bytes.slice(start, end);
    const characters = latin1Slice.call(event, 0, event.length);
    const at = onlyPlace(characters, `"${key}":`);
    const textEnd = at < 0 ? -1 : this.#stringEnd(event, at);
    if (textEnd < 0 || JSON.parse(utf8Slice.call(event, at, textEnd)) !== text) return;
    const gaps: Omit<GapInEvent, "sameUntil">[] = [{ kind: "text", start: at, end: textEnd }];
    for (const [ignored, kind] of this.#ignored) {
      const from = onlyPlace(characters, ignored);
      if (from < 0) continue;
      const to = kind === "number" ? numberEnd(event, from) : this.#stringEnd(event, from);
      if (to >= 0) gaps.push({ kind, start: from, end: to });
    }
    gaps.sort((left, right) => left.start - right.start);
    const betweenTexts = around(event, textEnd, at);
    this.#frame = {
      event,
      gaps: gaps.map((gap, index) => ({ ...gap, sameUntil: gaps[index + 1]?.start ?? event.length })),
      between: gaps.length === 1 ? betweenTexts : around(event, gaps.at(-1)?.end ?? 0, gaps[0]?.start ?? 0),
      betweenTexts,
      behindText: event.length - textEnd,
      hasOnlyText: true,
    };
  }

  /** The end of the string that begins at `start`; -1: there is none, or one that no parser takes. */
  #stringEnd(bytes: Uint8Array, start: number): number {
    if (bytes[start] !== quote) return -1;
    for (let at = start + 1; at < bytes.length;) {
      const byte = bytes[at] ?? 0;
      if (byte === quote) return at + 1;
      if (byte === backslash) {
        at = escapeEnd(bytes, at);
        if (at < 0) return -1;
      } else if (byte < 0x20 || (byte >= 0x80 && !(this.#isUtf8 ??= isUtf8(bytes)))) return -1;
      else at++;
    }
    return -1;
  }
}

/** The end of an event from `from` on, and its beginning up to `to`. */
function around(event: Uint8Array, from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(event.length - from + to);
  for (let at = 0; at < bytes.length; at++) bytes[at] = event[(from + at) % event.length] ?? 0;
  return bytes;
}

/** The end of what is the same in `bytes` from `at` on as from `from` to `to` in `event`; -1: it is not. */
function sameEnd(bytes: Uint8Array, at: number, event: Uint8Array, from: number, to: number): number {
  const end = at + to - from;
  // The last byte decides cheaply: events of another kind begin alike.
  if (end > bytes.length || bytes[end - 1] !== event[to - 1]) return -1;
  return compare.call(bytes, event, from, to, at, end) === 0 ? end : -1;
}

/** Behind the name of a member; -1 unless it stands there once: which of two it is cannot be told from the bytes. */
function onlyPlace(event: string, name: string): number {
  const at = event.indexOf(name);
  if (at < 0 || event.charCodeAt(at - 1) === backslash || event.includes(name, at + 1)) return -1;
  return at + name.length;
}

/** Behind the escape that begins at `start`; -1: no parser takes it. */
function escapeEnd(bytes: Uint8Array, start: number): number {
  const kind = bytes[start + 1] ?? 0;
  if (kind !== 0x75) return shortEscapes.has(kind) ? start + 2 : -1;
  for (let at = start + 2; at < start + 6; at++) if (!isHexDigit(bytes[at] ?? 0)) return -1;
  return start + 6;
}

/** The end of a whole number without a sign. */
function numberEnd(bytes: Uint8Array, start: number): number {
  let end = start;
  while (isDigit(bytes[end] ?? 0)) end++;
  const hasLeadingZero = end > start + 1 && bytes[start] === 0x30;
  return end === start || hasLeadingZero ? -1 : end;
}

function isDigit(byte: number): boolean {
  return byte >= 0x30 && byte <= 0x39;
}

function isHexDigit(byte: number): boolean {
  const letter = byte | 0x20;
  return isDigit(byte) || (letter >= 0x61 && letter <= 0x66);
}
