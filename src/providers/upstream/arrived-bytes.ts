// Bytes of a body that have arrived and have not been read yet.

export class ArrivedBytes {
  #first: Uint8Array | undefined;
  #more: Uint8Array[] | undefined;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(bytes: Uint8Array): void {
    this.#length += bytes.length;
    if (this.#first === undefined) this.#first = bytes;
    else (this.#more ??= []).push(bytes);
  }

  /** All of them as one piece, so that a reader who fell behind catches up in one step. */
  take(): Uint8Array {
    const first = this.#first ?? new Uint8Array(0);
    const more = this.#more;
    const length = this.#length;
    this.clear();
    if (more === undefined) return first;
    const joined = new Uint8Array(length);
    joined.set(first);
    let at = first.length;
    for (const bytes of more) {
      joined.set(bytes, at);
      at += bytes.length;
    }
    return joined;
  }

  clear(): void {
    this.#first = undefined;
    this.#more = undefined;
    this.#length = 0;
  }
}
