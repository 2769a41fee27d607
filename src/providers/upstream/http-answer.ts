// The head of an upstream's answer, with its headers looked up only when asked for.

import type { UpstreamBody } from "../../core/provider.ts";
import { headText, isName } from "../../http1/head-bytes.ts";
import type { AnswerHead } from "./answer-head.ts";

/** Headers of an answer. */
export interface AnswerHeaders {
  /** First value of that name in any case, white space around it removed; undefined when absent. */
  get(name: string): string | undefined;
  /** Whether the first value of that name is exactly `value`; cheaper than `get`, for nothing is decoded. */
  says(name: string, value: string): boolean;
  /**
   * In order, names as they were sent. With `prefixes`, lower case, only those whose names begin with one of them: an answer has many
   * headers, and nearly nobody wants to see more than a few.
   */
  entries(prefixes?: readonly string[]): readonly (readonly [name: string, value: string])[];
}

/** An answer whose head has arrived. Redirects are answers like any other. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: UpstreamBody;
}

const none: readonly (readonly [string, string])[] = [];

/** Headers over the bytes of a head that has been checked: every line is `name:value` and ends in CRLF. */
export class RawHeaders implements AnswerHeaders {
  readonly #bytes: Uint8Array;
  readonly #head: AnswerHead;
  /** The head as text, once somebody wants any of it: a piece of a string costs a tenth of decoding its bytes. */
  #text: string | undefined;

  constructor(bytes: Uint8Array, head: AnswerHead) {
    this.#bytes = bytes;
    this.#head = head;
  }

  get(name: string): string | undefined {
    const { marks } = this.#head;
    for (let index = 0; index < marks.length; index += 2) {
      const start = marks[index] ?? 0;
      const colon = marks[index + 1] ?? 0;
      if (colon - start === name.length && isName(this.#bytes, start, name)) return this.#value(index);
    }
    return undefined;
  }

  says(name: string, value: string): boolean {
    const { marks } = this.#head;
    for (let index = 0; index < marks.length; index += 2) {
      const start = marks[index] ?? 0;
      const colon = marks[index + 1] ?? 0;
      if (colon - start === name.length && isName(this.#bytes, start, name)) return this.#isValue(index, value);
    }
    return false;
  }

  entries(prefixes?: readonly string[]): readonly (readonly [name: string, value: string])[] {
    const { marks } = this.#head;
    let entries: (readonly [string, string])[] | undefined;
    for (let index = 0; index < marks.length; index += 2) {
      const start = marks[index] ?? 0;
      const colon = marks[index + 1] ?? 0;
      if (prefixes !== undefined && !this.#begins(start, colon, prefixes)) continue;
      (entries ??= []).push([this.#slice(start, colon), this.#value(index)]);
    }
    return entries ?? none;
  }

  #begins(start: number, colon: number, prefixes: readonly string[]): boolean {
    for (const prefix of prefixes) {
      if (colon - start >= prefix.length && isName(this.#bytes, start, prefix)) return true;
    }
    return false;
  }

  #isValue(index: number, value: string): boolean {
    const { end, marks } = this.#head;
    let at = (marks[index + 1] ?? 0) + 1;
    if (this.#bytes[at] === 0x20) at++;
    if ((marks[index + 2] ?? end - 2) - 2 - at !== value.length) return false;
    for (let offset = 0; offset < value.length; offset++) {
      if (this.#bytes[at + offset] !== value.charCodeAt(offset)) return false;
    }
    return true;
  }

  #value(index: number): string {
    const { end, marks } = this.#head;
    // Up to the CRLF before the next name, or before the blank line.
    const valueEnd = (marks[index + 2] ?? end - 2) - 2;
    return this.#slice((marks[index + 1] ?? 0) + 1, valueEnd).trim();
  }

  #slice(start: number, end: number): string {
    this.#text ??= headText(this.#bytes, 0, this.#head.end);
    return this.#text.slice(start, end);
  }
}
