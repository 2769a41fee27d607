// The head of an upstream's answer, with its headers looked up only when asked for.

import type { UpstreamBody } from "../../core/provider.ts";
import { type AnswerHead, headText, isName } from "./answer-head.ts";

/** Headers of an answer. */
export interface AnswerHeaders {
  /** First value of that name in any case, white space around it removed; undefined when absent. */
  get(name: string): string | undefined;
  /**
   * In order, names as they were sent. With `initials`, lower-case letters, only those whose names begin with one of them: an answer
   * has many headers, and nearly nobody wants to see more than a few.
   */
  entries(initials?: string): readonly (readonly [name: string, value: string])[];
}

/** An answer whose head has arrived. Redirects are answers like any other. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: AnswerHeaders;
  readonly body: UpstreamBody;
}

/** Headers over the bytes of a head that has been checked: every line is `name:value` and ends in CRLF. */
export class RawHeaders implements AnswerHeaders {
  readonly #bytes: Uint8Array;
  readonly #head: AnswerHead;

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

  entries(initials?: string): readonly (readonly [name: string, value: string])[] {
    const { marks } = this.#head;
    const entries: (readonly [string, string])[] = [];
    for (let index = 0; index < marks.length; index += 2) {
      const initial = (this.#bytes[marks[index] ?? 0] ?? 0) | 0x20;
      if (initials !== undefined && !initials.includes(String.fromCharCode(initial))) continue;
      entries.push([headText(this.#bytes, marks[index] ?? 0, marks[index + 1] ?? 0), this.#value(index)]);
    }
    return entries;
  }

  #value(index: number): string {
    const { end, marks } = this.#head;
    // Up to the CRLF before the next name, or before the blank line.
    const valueEnd = (marks[index + 2] ?? end - 2) - 2;
    return headText(this.#bytes, (marks[index + 1] ?? 0) + 1, valueEnd).trim();
  }
}
