// The headers of a request, looked up in its bytes only when asked for.

import { headText, isBlank, isName } from "../../http1/head-bytes.ts";
import type { RequestHead } from "./request-head.ts";

/** Over the bytes of a head that has been checked: every line is `name:value` and ends in CRLF. Names are asked for in lower case. */
export class IncomingHeaders {
  readonly #bytes: Uint8Array;
  readonly #marks: readonly number[];
  readonly #end: number;
  /** The head as text, once somebody wants any of it: a piece of a string costs a tenth of decoding its bytes. */
  #text: string | undefined;

  constructor(bytes: Uint8Array, { marks, end }: RequestHead) {
    this.#bytes = bytes;
    this.#marks = marks;
    this.#end = end;
  }

  /** White space around it removed, several of one name joined by a comma; null when absent. */
  get(name: string): string | null {
    const marks = this.#marks;
    let found: string | null = null;
    for (let index = 0; index < marks.length; index += 2) {
      if (!this.#is(index, name)) continue;
      const value = this.#value(index);
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  has(name: string): boolean {
    for (let index = 0; index < this.#marks.length; index += 2) if (this.#is(index, name)) return true;
    return false;
  }

  /** What can be kept when the bytes are gone. */
  text(): HeadersText {
    return new HeadersText((this.#text ??= this.#decoded()), this.#marks, this.#end);
  }

  #is(index: number, name: string): boolean {
    const start = this.#marks[index] ?? 0;
    return (this.#marks[index + 1] ?? 0) - start === name.length && isName(this.#bytes, start, name);
  }

  #value(index: number): string {
    return valueIn((this.#text ??= this.#decoded()), this.#marks, this.#end, index);
  }

  #decoded(): string {
    return headText(this.#bytes, 0, this.#end);
  }
}

/** The headers of a request as text. */
export class HeadersText {
  readonly #text: string;
  readonly #marks: readonly number[];
  readonly #end: number;

  constructor(text: string, marks: readonly number[], end: number) {
    this.#text = text;
    this.#marks = marks;
    this.#end = end;
  }

  /** By name in lower case. No name of a header can reach a prototype. */
  toJSON(): Record<string, string> {
    const values: Record<string, string> = Object.create(null);
    const marks = this.#marks;
    for (let index = 0; index < marks.length; index += 2) {
      const name = this.#text.slice(marks[index] ?? 0, marks[index + 1] ?? 0).toLowerCase();
      const value = valueIn(this.#text, marks, this.#end, index);
      const before = values[name];
      values[name] = before === undefined ? value : `${before}, ${value}`;
    }
    return values;
  }
}

function valueIn(text: string, marks: readonly number[], headEnd: number, index: number): string {
  let start = (marks[index + 1] ?? 0) + 1;
  // Up to the CRLF before the next name, or before the blank line.
  let end = (marks[index + 2] ?? headEnd - 2) - 2;
  while (start < end && isBlank(text.charCodeAt(start))) start++;
  while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
  return text.slice(start, end);
}
