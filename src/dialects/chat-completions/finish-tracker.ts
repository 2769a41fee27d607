// Knows which choices of a streamed answer have been seen and which of them have finished.

/** With n > 1 an answer is finished when every choice seen so far is (decisions 8). */
export class FinishTracker {
  readonly #open = new Set<number>();
  readonly #finished = new Set<number>();
  #firstChoiceSeen = false;

  get finished(): boolean {
    return this.#finished.size > 0 && this.#open.size === 0;
  }

  /** An event that speaks of no other choice than the first; asked for every event, hence the shortcut. */
  sawFirstChoice(): void {
    if (this.#firstChoiceSeen) return;
    this.#firstChoiceSeen = true;
    this.saw(0, false);
  }

  saw(index: number, finishes: boolean): void {
    if (finishes) {
      this.#open.delete(index);
      this.#finished.add(index);
    } else if (!this.#finished.has(index)) this.#open.add(index);
  }
}
