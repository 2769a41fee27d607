// The one text that differs between the events of a stream that are otherwise alike, without parsing each of them.

/** Where the events that were seen last differ: `text` is what they are about, the others tell nothing. */
type Gap = "text" | "number" | "string";

/** What stands between the gaps, one more than there are gaps; JSON is the same wherever the bytes are. */
interface Frame {
  readonly fixed: readonly string[];
  readonly gaps: readonly Gap[];
}

/** Members that may differ between events and that nobody reads. */
export interface IgnoredMembers {
  /** Whole numbers. */
  readonly numbers?: readonly string[];
  readonly strings?: readonly string[];
}

const quote = 0x22;
const backslash = 0x5c;

/**
 * Events that carry a piece of text differ in nothing else, mostly. Once one has been parsed, those that begin and end as it did are read by looking at
 * what lies between. Exact: whatever is not one JSON value of the same kind in each gap is left to the parser.
 */
export class RepeatedEvent {
  readonly #ignored: readonly (readonly [name: string, gap: Gap])[];
  #frame: Frame | undefined;

  constructor({ numbers = [], strings = [] }: IgnoredMembers = {}) {
    this.#ignored = [
      ...numbers.map((key) => [`"${key}":`, "number"] as const),
      ...strings.map((key) => [`"${key}":`, "string"] as const),
    ];
  }

  /** The text of an event that is framed like the one last learnt; undefined: parse it. */
  textOf(event: string): string | undefined {
    const frame = this.#frame;
    if (frame === undefined) return undefined;
    const { fixed, gaps } = frame;
    const [beginning = ""] = fixed;
    if (!event.startsWith(beginning)) return undefined;
    let text: string | undefined;
    let at = beginning.length;
    for (let index = 0; index < gaps.length; index++) {
      const gap = gaps[index];
      const end = gap === "number" ? numberEnd(event, at) : stringEnd(event, at);
      const next = fixed[index + 1] ?? "";
      if (end < 0 || !event.startsWith(next, end)) return undefined;
      if (gap === "text") text = stringIn(event, at, end);
      // Of strings that nobody reads, too, only those are good that a parser takes.
      else if (gap === "string" && stringIn(event, at, end) === undefined) return undefined;
      at = end + next.length;
    }
    return at === event.length ? text : undefined;
  }

  /** An event whose only difference to others of its kind is `text`, the value of `key` somewhere in it, besides the members to ignore. */
  learn(event: string, key: string, text: string): void {
    this.#frame = undefined;
    const name = `"${key}":`;
    const at = onlyPlace(event, name);
    const quoted = JSON.stringify(text);
    if (at < 0 || !event.startsWith(quoted, at)) return;
    const gaps: { readonly gap: Gap; readonly start: number; readonly end: number }[] = [
      { gap: "text", start: at, end: at + quoted.length },
    ];
    for (const [ignored, gap] of this.#ignored) {
      const start = onlyPlace(event, ignored);
      if (start < 0) continue;
      const end = gap === "number" ? numberEnd(event, start) : stringEnd(event, start);
      if (end >= 0) gaps.push({ gap, start, end });
    }
    gaps.sort((left, right) => left.start - right.start);
    const fixed: string[] = [];
    let from = 0;
    for (const { start, end } of gaps) {
      fixed.push(event.slice(from, start));
      from = end;
    }
    fixed.push(event.slice(from));
    this.#frame = { fixed, gaps: gaps.map(({ gap }) => gap) };
  }
}

/** Behind the name of a member; -1 unless it stands there once: which of two it is cannot be told from the bytes. */
function onlyPlace(event: string, name: string): number {
  const at = event.indexOf(name);
  if (at < 0 || event.charCodeAt(at - 1) === backslash || event.includes(name, at + 1)) return -1;
  return at + name.length;
}

/** The end of the string that begins at `start`; -1: there is none, or one that no parser takes. */
function stringEnd(event: string, start: number): number {
  if (event.charCodeAt(start) !== quote) return -1;
  for (let at = start + 1; at < event.length; at++) {
    const unit = event.charCodeAt(at);
    if (unit === quote) return at + 1;
    if (unit === backslash) at++;
    else if (unit < 0x20) return -1;
  }
  return -1;
}

/** The same for a whole number without a sign. */
function numberEnd(event: string, start: number): number {
  let end = start;
  while (isDigit(event.charCodeAt(end))) end++;
  const hasLeadingZero = end > start + 1 && event.charCodeAt(start) === 0x30;
  return end === start || hasLeadingZero ? -1 : end;
}

function isDigit(unit: number): boolean {
  return unit >= 0x30 && unit <= 0x39;
}

/** Undefined for an escape that there is none of. */
function stringIn(event: string, start: number, end: number): string | undefined {
  const inner = event.slice(start + 1, end - 1);
  return inner.includes("\\") ? parsed(event.slice(start, end)) : inner;
}

function parsed(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
