// A value that is not here yet, told to its one listener without a detour.

/** Not here yet, one way or the other. */
export type Coming<Value> = Promise<Value> | Later<Value>;

type OnValue<Value> = (value: Value) => void;
type OnError = (error: unknown) => void;

/**
 * What a promise does with four objects and two rounds of microtasks this does with one object and a call, which is what counts for every event of every
 * stream. It can be awaited like one. Settled once.
 */
export class Later<Value> implements PromiseLike<Value> {
  #state: "pending" | "here" | "failed" = "pending";
  #value: Value | undefined;
  #error: unknown;
  #onValue: OnValue<Value> | undefined;
  #onError: OnError | undefined;

  /** Calls one of them, within `settle`, or in a microtask when it is settled already. They must not throw. At most one listener. */
  listen(onValue: OnValue<Value>, onError: OnError): void {
    this.#onValue = onValue;
    this.#onError = onError;
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
    return new Promise<Value>((resolve, reject) => this.listen(resolve, reject)).then(onValue, onError);
  }

  #tell(): void {
    if (this.#state === "here") this.#onValue?.(this.#value as Value);
    else this.#onError?.(this.#error);
  }
}

export function isComing<Value>(value: Value | Coming<Value>): value is Coming<Value> {
  return value instanceof Later || value instanceof Promise;
}

/** Calls one of them when it is here; they must not throw. */
export function whenHere<Value>(coming: Coming<Value>, onValue: OnValue<Value>, onError: OnError): void {
  if (coming instanceof Later) coming.listen(onValue, onError);
  else void coming.then(onValue, onError);
}
