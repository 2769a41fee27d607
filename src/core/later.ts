// A value that is not here yet, told to its one listener without a detour.

/** Not here yet, one way or the other. */
export type Coming<Value> = Promise<Value> | Later<Value>;

/** Who waits for a value; one of the two is called, once for each value that was waited for. Neither may throw. */
export interface Listener<Value> {
  here(value: Value): void;
  failed(error: unknown): void;
}

/**
 * What a promise does with four objects and two rounds of microtasks this does with one object and a call, which is what counts for every event of every
 * stream. It can be awaited like one. Settled once.
 */
export class Later<Value> implements PromiseLike<Value> {
  #state: "pending" | "here" | "failed" = "pending";
  #value: Value | undefined;
  #error: unknown;
  #listener: Listener<Value> | undefined;

  /** It is told within `settle`, or in a microtask when this is settled already. At most one listener. */
  listen(listener: Listener<Value>): void {
    this.#listener = listener;
    if (this.#state !== "pending") queueMicrotask(() => this.#tell());
  }

  /** The listener is called within this call. */
  settle(value: Value): void {
    this.#value = value;
    this.#state = "here";
    this.#tell();
  }

  fail(error: unknown): void {
    this.#error = error;
    this.#state = "failed";
    this.#tell();
  }

  // oxlint-disable-next-line unicorn/no-thenable -- it is one on purpose, to be awaited
  then<Result = Value, Refusal = never>(
    onValue?: ((value: Value) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Refusal | PromiseLike<Refusal>) | null,
  ): Promise<Result | Refusal> {
    return new Promise<Value>((here, failed) => this.listen({ here, failed })).then(onValue, onError);
  }

  #tell(): void {
    if (this.#state === "here") this.#listener?.here(this.#value as Value);
    else this.#listener?.failed(this.#error);
  }
}

export function isComing<Value>(value: Value | Coming<Value>): value is Coming<Value> {
  return value instanceof Later || value instanceof Promise;
}

/** Tells `listener` when it is here. */
export function whenHere<Value>(coming: Coming<Value>, listener: Listener<Value>): void {
  if (coming instanceof Later) coming.listen(listener);
  else {
    void coming.then(
      (value) => listener.here(value),
      (error: unknown) => listener.failed(error),
    );
  }
}
