// Knows which candidates of a streamed answer have been seen, which have finished, and which have said something.

import type { Failure } from "../../core/failure.ts";
import { failedFinish } from "./answer-shape.ts";
import type { CandidateFacts } from "./answer-shape.ts";
import { isFailing } from "./finish-reasons.ts";

export class CandidateTracker {
  readonly #open = new Set<number>();
  readonly #finished = new Set<number>();
  readonly #usable = new Set<number>();

  /** Every candidate seen so far has its finish reason. */
  get finished(): boolean {
    return this.#finished.size > 0 && this.#open.size === 0;
  }

  /** Gives the failure when a candidate ends as failed with nothing said. */
  saw({ index, finishReason, isUsable }: CandidateFacts, providerName: string): Failure | undefined {
    if (isUsable) this.#usable.add(index);
    if (finishReason === undefined) {
      if (!this.#finished.has(index)) this.#open.add(index);
      return undefined;
    }
    if (isFailing(finishReason) && !this.#usable.has(index)) return failedFinish(providerName, finishReason);
    this.#open.delete(index);
    this.#finished.add(index);
    return undefined;
  }

  /** The prompt was blocked: nothing follows. */
  sawBlock(): void {
    this.#open.clear();
    this.#finished.add(0);
  }
}
