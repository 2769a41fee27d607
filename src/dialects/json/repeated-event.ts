// The one text that differs between the events of a stream that are otherwise alike, without parsing each of them.

/** What stands before and behind the text in the events seen last; JSON is the same wherever the bytes are. */
interface Frame {
  readonly before: string;
  readonly behind: string;
}

/**
 * Events that carry a piece of text differ in nothing else, mostly. Once one has been parsed, those that begin and end as it did are read by looking at
 * what lies between. Exact: whatever is not one JSON string between the same beginning and end is left to the parser.
 */
export class RepeatedEvent {
  #frame: Frame | undefined;

  /** The text of an event that is framed like the last one learnt; undefined: parse it. */
  textOf(event: string): string | undefined {
    const frame = this.#frame;
    if (frame === undefined) return undefined;
    const { before, behind } = frame;
    const end = event.length - behind.length;
    if (end < before.length + 2 || !event.startsWith(before) || !event.endsWith(behind)) return undefined;
    const quoted = event.slice(before.length, end);
    if (quoted.charCodeAt(0) !== 0x22 || quoted.charCodeAt(quoted.length - 1) !== 0x22) return undefined;
    const inner = quoted.slice(1, -1);
    if (inner.includes("\\")) return parsed(quoted);
    // A quote without an escape ends the string: there are more members than one.
    return inner.includes('"') || hasControl(inner) ? undefined : inner;
  }

  /** An event whose only difference to others of its kind is `text`, the value of `key` somewhere in it. */
  learn(event: string, key: string, text: string): void {
    this.#frame = undefined;
    const name = `"${key}":`;
    const at = event.indexOf(name);
    // Twice in one event: which of the two it is cannot be told from the bytes.
    if (at < 0 || event.includes(name, at + name.length)) return;
    const start = at + name.length;
    const quoted = JSON.stringify(text);
    if (event.startsWith(quoted, start)) {
      this.#frame = { before: event.slice(0, start), behind: event.slice(start + quoted.length) };
    }
  }
}

/** JSON strings hold none. */
function hasControl(text: string): boolean {
  for (let index = 0; index < text.length; index++) if (text.charCodeAt(index) < 0x20) return true;
  return false;
}

function parsed(quoted: string): string | undefined {
  try {
    const value: unknown = JSON.parse(quoted);
    return typeof value === "string" ? value : undefined;
  } catch {
    return undefined;
  }
}
