// Knows which choices of a streamed answer have been seen and which of them have finished.

/** With n > 1 an answer is finished when every choice seen so far is (decisions 8). */
export class FinishTracker {
  #openCount = 0;
  #finishedCount = 0;
  /** Nearly every answer has no other choice, and pays for no map. Undefined: not seen. */
  #firstIsOpen: boolean | undefined;
  #othersAreOpen: Map<number, boolean> | undefined;

  get finished(): boolean {
    return this.#finishedCount > 0 && this.#openCount === 0;
  }

  /** An event that speaks of no other choice than the first; asked for every event, hence the shortcut. */
  sawFirstChoice(): void {
    if (this.#firstIsOpen === undefined) this.saw(0, false);
  }

  saw(index: number, finishes: boolean): void {
    const isOpen = index === 0 ? this.#firstIsOpen : this.#othersAreOpen?.get(index);
    if (isOpen === false || (isOpen === true && !finishes)) return;
    if (isOpen === true) this.#openCount--;
    if (finishes) this.#finishedCount++;
    else this.#openCount++;
    if (index === 0) this.#firstIsOpen = !finishes;
    else (this.#othersAreOpen ??= new Map<number, boolean>()).set(index, !finishes);
  }
}
