// Finds where a new text stops repeating one that has been delivered, in whatever pieces it comes.

import type { ResumeRule } from "../../core/resume-rule.ts";

/**
 * The rest of a piece that is new; or why there is none: `repeated`, it is part of the delivered text; `held`, it may still turn out to be a
 * repetition of all of it; `repeats-prefill`, it did; `differs`.
 */
export type Joined = { readonly rest: string } | "repeated" | "held" | "repeats-prefill" | "differs";

/**
 * fresh: the text has to repeat the delivered one, and what is behind that is new. prefill: all of it is new, unless it begins with the whole
 * delivered text. Texts are compared in UTF-16 units, so that pieces may end inside a surrogate pair.
 */
export class TextJoin {
  readonly #delivered: string;
  readonly #rule: ResumeRule;
  #matched = 0;
  #open: boolean;

  constructor(delivered: string, rule: ResumeRule) {
    this.#delivered = delivered;
    this.#rule = rule;
    this.#open = delivered !== "";
  }

  /** It is not known yet, or not yet so far, that what comes is new. */
  get open(): boolean {
    return this.#open;
  }

  /** Nothing more is compared: the text is known to be new from here on. */
  close(): void {
    this.#open = false;
  }

  /** An empty piece tells nothing. Not again after `differs` or `repeats-prefill`. */
  take(piece: string): Joined {
    if (!this.#open) return { rest: piece };
    const missing = this.#delivered.length - this.#matched;
    const same =
      piece.length < missing
        ? this.#delivered.startsWith(piece, this.#matched)
        : piece.startsWith(this.#delivered.slice(this.#matched));
    if (this.#rule === "prefill") {
      if (same) {
        this.#matched += piece.length;
        return piece.length < missing ? "held" : "repeats-prefill";
      }
      this.#open = false;
      return { rest: piece };
    }
    if (!same) return "differs";
    this.#matched += Math.min(piece.length, missing);
    if (piece.length < missing) return "repeated";
    this.#open = false;
    return { rest: piece.slice(missing) };
  }
}
