// Reads the text of `{"input":"..."}` while it arrives, for a call of a custom tool that was made as one of a function.

import { isJsonObject } from "../json/is-json-object.ts";

const beginning = /^\s*\{\s*"input"\s*:\s*"/;

/** Whitespace aside, longer than any text that `beginning` could still become. */
const maxBeginning = 256;

const shortEscapes: ReadonlyMap<string, string> = new Map([
  ["n", "\n"],
  ["t", "\t"],
  ["r", "\r"],
  ["b", "\b"],
  ["f", "\f"],
]);

/** Anything else than that object is given whole, at the end. */
export class InputText {
  /** Before the text: all that came. Inside: an escape or a half character whose rest is missing. */
  #held = "";
  #state: "before" | "inside" | "behind" | "other" = "before";

  /** What of the text is certain by now. */
  take(piece: string): string {
    switch (this.#state) {
      case "behind":
        return "";
      case "other":
        this.#held += piece;
        return "";
      case "before": {
        this.#held += piece;
        const match = beginning.exec(this.#held);
        if (match === null) {
          if (this.#held.length > maxBeginning) this.#state = "other";
          return "";
        }
        const rest = this.#held.slice(match[0].length);
        this.#held = "";
        this.#state = "inside";
        return this.#unescape(rest);
      }
      case "inside":
        return this.#unescape(piece);
    }
  }

  /** The call is complete: what was held back. */
  finish(): string {
    const held = this.#held;
    const state = this.#state;
    this.#held = "";
    this.#state = "behind";
    // An escape without its end is no text any more.
    if (state === "inside" || state === "behind") return "";
    return inputIn(held) ?? held;
  }

  #unescape(piece: string): string {
    const text = this.#held + piece;
    let out = "";
    let at = 0;
    while (at < text.length) {
      const special = nextSpecial(text, at);
      out += text.slice(at, special);
      at = special;
      if (at === text.length) break;
      if (text[at] === '"') {
        this.#state = "behind";
        this.#held = "";
        return out;
      }
      const length = text[at + 1] === "u" ? 6 : 2;
      if (at + length > text.length) break;
      out += escaped(text.slice(at, at + length));
      at += length;
    }
    this.#held = text.slice(at);
    return this.#withoutHalf(out);
  }

  /** Two halves of a character may come in two pieces; as bytes they are only good together. */
  #withoutHalf(out: string): string {
    if (!/[\ud800-\udbff]$/.test(out)) return out;
    const half = out.slice(-1);
    this.#held = `\\u${half.charCodeAt(0).toString(16)}${this.#held}`;
    // Read again with the next piece.
    return out.slice(0, -1);
  }
}

function nextSpecial(text: string, from: number): number {
  for (let at = from; at < text.length; at++) if (text[at] === '"' || text[at] === "\\") return at;
  return text.length;
}

function escaped(escape: string): string {
  if (escape.length === 6) return String.fromCharCode(Number.parseInt(escape.slice(2), 16));
  const letter = escape.slice(1);
  return shortEscapes.get(letter) ?? letter;
}

/** Of an object whose first member is another one. */
function inputIn(text: string): string | undefined {
  try {
    const parsed: unknown = JSON.parse(text);
    return isJsonObject(parsed) && typeof parsed.input === "string" ? parsed.input : undefined;
  } catch {
    return undefined;
  }
}
