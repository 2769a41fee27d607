// Which of a provider's API keys the next call carries.

/** Hands out keys in turn. */
export interface KeyRing {
  /** Undefined when the provider has no keys. */
  next(): string | undefined;
}

/** Strict round robin from the first key on: each attempt, retries included, takes the next one (behaviour 3.3). */
export function createKeyRing(keys: readonly string[]): KeyRing {
  let position = 0;
  return {
    next() {
      const key = keys[position];
      position = position + 1 < keys.length ? position + 1 : 0;
      return key;
    },
  };
}
