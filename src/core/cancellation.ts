// Why a request in flight must stop, told once to everything that works for it.

/**
 * `client-left`: the caller closed its connection; nobody reads the answer.
 * `deadline`: `REQUEST_DEADLINE` has passed.
 * `drain`: the process is shutting down and its grace is over.
 */
export type CancelReason = "client-left" | "deadline" | "drain";

/** One per request. Cheaper than an AbortController, and it knows its reason. */
export class Cancellation {
  #reason: CancelReason | undefined;
  /** Nearly always there is one at a time: a set is made for the second. */
  #listener: (() => void) | undefined;
  #others: Set<() => void> | undefined;

  /** Undefined as long as the request may go on. */
  get reason(): CancelReason | undefined {
    return this.#reason;
  }

  /** The first reason stays; later calls change nothing. */
  cancel(reason: CancelReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    const first = this.#listener;
    const others = this.#others;
    this.#listener = undefined;
    this.#others = undefined;
    first?.();
    if (others !== undefined) for (const listener of others) listener();
  }

  /** Runs `listener` once on cancellation, at once when it already happened. Returns how to take it back. */
  onCancel(listener: () => void): () => void {
    if (this.#reason !== undefined) {
      listener();
      return () => {};
    }
    if (this.#listener === undefined) {
      this.#listener = listener;
      return () => {
        if (this.#listener === listener) this.#listener = undefined;
      };
    }
    const others = (this.#others ??= new Set());
    others.add(listener);
    return () => others.delete(listener);
  }
}
