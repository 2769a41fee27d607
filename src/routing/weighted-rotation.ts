// Takes turns among the targets of one virtual model, each as often as its weight says and as evenly spread as can be.

/**
 * Smooth weighted round robin: everyone gains its weight, the richest is chosen and pays the sum of the weights. Over a
 * period of that sum each index comes up exactly as often as its weight, never in a row longer than need be.
 */
export class WeightedRotation {
  readonly #weights: readonly number[];
  readonly #credits: number[];
  readonly #sum: number;

  /** `weights`: positive, at least one. */
  constructor(weights: readonly number[]) {
    this.#weights = weights;
    this.#credits = weights.map(() => 0);
    this.#sum = weights.reduce((sum, weight) => sum + weight, 0);
  }

  /** The index whose turn it is. */
  next(): number {
    const credits = this.#credits;
    let best = 0;
    let bestCredit = Number.NEGATIVE_INFINITY;
    for (let index = 0; index < credits.length; index++) {
      const credit = (credits[index] ?? 0) + (this.#weights[index] ?? 0);
      credits[index] = credit;
      if (credit > bestCredit) {
        best = index;
        bestCredit = credit;
      }
    }
    credits[best] = bestCredit - this.#sum;
    return best;
  }
}
