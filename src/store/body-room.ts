// Memory in which the bodies of a batch lie while the database thread reads them, used again for the next batch.

/** Of each body so many bytes are stored (behaviour 1.18). */
export const maxBodyBytes = 1_048_576;

/** Each holds the largest body. */
const chunkBytes = maxBodyBytes;
/** What stays for the next batch: as much as a batch of usual bodies takes. */
const keptChunks = 8;

/**
 * Both threads see it, so that bodies are neither moved nor copied a second time: memory of their own for each of them cost five times what copying them costs.
 * One batch at a time: whatever was in it is overwritten by the next one.
 */
export class BodyRoom {
  #chunks: SharedArrayBuffer[] = [];
  #chunk = 0;
  #used = 0;

  /** The thread has answered for the last batch. */
  begin(): void {
    if (this.#chunks.length > keptChunks) this.#chunks = this.#chunks.slice(0, keptChunks);
    this.#chunk = 0;
    this.#used = 0;
  }

  /** Room for so many bytes, at most `maxBodyBytes`; holds anything. */
  take(length: number): Uint8Array<SharedArrayBuffer> {
    if (this.#used + length > chunkBytes) {
      this.#chunk++;
      this.#used = 0;
    }
    const chunk = (this.#chunks[this.#chunk] ??= new SharedArrayBuffer(chunkBytes));
    const taken = new Uint8Array(chunk, this.#used, length);
    this.#used += length;
    return taken;
  }
}
