// Why a request in flight must stop, told once to everything that works for it.

/**
 * `client-left`: the caller closed its connection; nobody reads the answer.
 * `deadline`: `REQUEST_DEADLINE` has passed.
 * `drain`: the process is shutting down and its grace is over.
 */
export type CancelReason = "client-left" | "deadline" | "drain";

/** Told at most once. An object and not a function: whoever works for a request listens itself, without anything made for it. */
export interface CancelListener {
  cancelled(reason: CancelReason): void;
}

/** One per request. Cheaper than an AbortController, and it knows its reason. */
export class Cancellation {
  #reason: CancelReason | undefined;
  /** Nearly always there is one at a time: a set is made for the second. */
  #listener: CancelListener | undefined;
  #others: Set<CancelListener> | undefined;

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
    first?.cancelled(reason);
    if (others !== undefined) for (const listener of others) listener.cancelled(reason);
  }

  /** Tells `listener` on cancellation, at once when it already happened. */
  add(listener: CancelListener): void {
    if (this.#reason !== undefined) listener.cancelled(this.#reason);
    else if (this.#listener === undefined) this.#listener = listener;
    else (this.#others ??= new Set()).add(listener);
  }

  /** Tells `listener` nothing any more; harmless when it does not listen. */
  remove(listener: CancelListener): void {
    if (this.#listener === listener) this.#listener = undefined;
    else this.#others?.delete(listener);
  }
}
