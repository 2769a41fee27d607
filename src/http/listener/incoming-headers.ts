// The headers of a request, looked up in its head only when asked for.

import { isBlank } from "../../http1/head-bytes.ts";
import type { KeptHeaders } from "../../core/record.ts";

/** Where each header's name starts, where its colon is and where its value ends, in turn. */
export type HeaderMarks = readonly number[];

const perHeader = 3;

/**
 * Over the text of a head that has been checked. Names are asked for in lower case. `content-length` is not among them: it belongs to one request, and
 * these may belong to many that a client sends with the same ones (see `ConnectionHeads`).
 */
export class IncomingHeaders implements KeptHeaders {
  readonly #text: string;
  readonly #marks: HeaderMarks;
  /** What was asked for already; undefined until there is a second request with these headers. */
  #asked: Map<string, string | null> | undefined;
  #rendered = "";
  #renderedBy: ((values: Readonly<Record<string, string>>) => string) | undefined;

  constructor(text: string, marks: HeaderMarks) {
    this.#text = text;
    this.#marks = marks;
  }

  /** Another request has the same ones: from now on what is asked for is remembered. */
  comeAgain(): void {
    this.#asked ??= new Map();
  }

  /** White space around it removed, several of one name joined by a comma; null when absent. */
  get(name: string): string | null {
    const known = this.#asked?.get(name);
    if (known !== undefined) return known;
    const found = this.#find(name);
    this.#asked?.set(name, found);
    return found;
  }

  has(name: string): boolean {
    return this.get(name) !== null;
  }

  /** By name in lower case. No name of a header can reach a prototype. */
  toJSON(): Record<string, string> {
    const values: Record<string, string> = Object.create(null);
    const marks = this.#marks;
    for (let index = 0; index < marks.length; index += perHeader) {
      const name = this.#text.slice(marks[index] ?? 0, marks[index + 1] ?? 0).toLowerCase();
      const value = this.#value(index);
      const before = values[name];
      values[name] = before === undefined ? value : `${before}, ${value}`;
    }
    return values;
  }

  rendered(render: (values: Readonly<Record<string, string>>) => string): string {
    if (this.#renderedBy !== render) {
      this.#rendered = render(this.toJSON());
      this.#renderedBy = render;
    }
    return this.#rendered;
  }

  #find(name: string): string | null {
    const marks = this.#marks;
    let found: string | null = null;
    for (let index = 0; index < marks.length; index += perHeader) {
      if (!this.#is(index, name)) continue;
      const value = this.#value(index);
      found = found === null ? value : `${found}, ${value}`;
    }
    return found;
  }

  #is(index: number, name: string): boolean {
    const start = this.#marks[index] ?? 0;
    if ((this.#marks[index + 1] ?? 0) - start !== name.length) return false;
    for (let at = 0; at < name.length; at++) {
      // No two legal name characters collide here: names that differ in more than case differ in these bits too.
      if ((this.#text.charCodeAt(start + at) | 0x20) !== (name.charCodeAt(at) | 0x20)) return false;
    }
    return true;
  }

  #value(index: number): string {
    const text = this.#text;
    let start = (this.#marks[index + 1] ?? 0) + 1;
    let end = this.#marks[index + 2] ?? 0;
    while (start < end && isBlank(text.charCodeAt(start))) start++;
    while (end > start && isBlank(text.charCodeAt(end - 1))) end--;
    return text.slice(start, end);
  }
}
