// Finds the first stop sequence in a text that arrives in pieces.

/** Lets text through up to the first of its sequences and holds back what may still become one. */
export class StopMatcher {
  readonly #sequences: readonly string[];
  #held = "";
  #found: string | undefined;

  constructor(sequences: readonly string[]) {
    this.#sequences = sequences.filter((sequence) => sequence !== "");
  }

  /** A sequence was found; nothing passes any more. */
  get stopped(): boolean {
    return this.#found !== undefined;
  }

  /** The one that was found. */
  get sequence(): string | undefined {
    return this.#found;
  }

  /** The part of what came so far that is certain to be before any sequence. */
  take(text: string): string {
    if (this.stopped) return "";
    const whole = this.#held + text;
    // The sequence that is complete first decides, as it would while the text is being made; of two, the longer one.
    let stop = -1;
    let stopEnd = Number.POSITIVE_INFINITY;
    let found = "";
    for (const sequence of this.#sequences) {
      const at = whole.indexOf(sequence);
      const end = at + sequence.length;
      if (at < 0 || end > stopEnd || (end === stopEnd && at > stop)) continue;
      stop = at;
      stopEnd = end;
      found = sequence;
    }
    if (stop >= 0) {
      this.#found = found;
      this.#held = "";
      return whole.slice(0, stop);
    }
    const safe = whole.length - this.#longestBeginning(whole);
    this.#held = whole.slice(safe);
    return whole.slice(0, safe);
  }

  /** The text has ended: what was held back. */
  release(): string {
    const held = this.#held;
    this.#held = "";
    return held;
  }

  /** How much of the end of `text` is the beginning of a sequence. */
  #longestBeginning(text: string): number {
    let longest = 0;
    for (const sequence of this.#sequences) {
      for (let length = Math.min(sequence.length - 1, text.length); length > longest; length--) {
        if (text.endsWith(sequence.slice(0, length))) longest = length;
      }
    }
    return longest;
  }
}
