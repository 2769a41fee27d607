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

  /** By name in lower case. No name of a header can reach a prototype. */
  toJSON(): Record<string, string> {
    const values: Record<string, string> = Object.create(null);
    const marks = this.#marks;
    for (let index = 0; index < marks.length; index += 2) {
      const name = this.#slice(marks[index] ?? 0, marks[index + 1] ?? 0).toLowerCase();
      const before = values[name];
      values[name] = before === undefined ? this.#value(index) : `${before}, ${this.#value(index)}`;
    }
    return values;
  }

  #is(index: number, name: string): boolean {
    const start = this.#marks[index] ?? 0;
    return (this.#marks[index + 1] ?? 0) - start === name.length && isName(this.#bytes, start, name);
  }

  #value(index: number): string {
    let start = (this.#marks[index + 1] ?? 0) + 1;
    // Up to the CRLF before the next name, or before the blank line.
    let end = (this.#marks[index + 2] ?? this.#end - 2) - 2;
    while (start < end && isBlank(this.#bytes[start])) start++;
    while (end > start && isBlank(this.#bytes[end - 1])) end--;
    return this.#slice(start, end);
  }

  #slice(start: number, end: number): string {
    this.#text ??= headText(this.#bytes, 0, this.#end);
    return this.#text.slice(start, end);
  }
}
