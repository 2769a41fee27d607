// Memory in which a batch lies while the database thread reads it, used again for the next batch.

/** Where something lies in a room. */
export interface Place {
  readonly chunk: number;
  readonly start: number;
  readonly end: number;
}

/** As they go to the thread: null stands for the one that it has got before under the same number. */
export type SentChunks = readonly (SharedArrayBuffer | null)[];

const chunkBytes = 1_048_576;
/** What stays for the next batch: as much as one of usual bodies takes, and none that is larger. */
const keptChunks = 8;

/**
 * Both threads see it, so that nothing is moved or copied a second time: memory of its own for each body cost five times what copying it costs.
 * One batch at a time: whatever was in it is overwritten by the next one.
 */
export class SharedRoom {
  #chunks: Buffer<SharedArrayBuffer>[] = [];
  #chunk = 0;
  #used = 0;

  /** The thread has answered for the last batch. */
  begin(): void {
    this.#chunks = this.#chunks.filter(({ length }) => length === chunkBytes).slice(0, keptChunks);
    this.#chunk = 0;
    this.#used = 0;
  }

  /** Room for so many bytes, in one piece; holds anything. */
  take(length: number): Place {
    if (this.#used > 0 && this.#used + length > chunkBytes) {
      this.#chunk++;
      this.#used = 0;
    }
    const chunk = this.#chunk;
    const known = this.#chunks[chunk];
    if (known === undefined || known.length < length) {
      this.#chunks[chunk] = Buffer.from(new SharedArrayBuffer(Math.max(length, chunkBytes)));
    }
    const start = this.#used;
    this.#used += length;
    return { chunk, start, end: this.#used };
  }

  /** The chunk of a place that was taken. */
  bytes({ chunk }: Place): Buffer {
    const bytes = this.#chunks[chunk];
    if (bytes === undefined) throw new RangeError(`the room has no chunk ${chunk}`);
    return bytes;
  }

  chunks(): readonly SharedArrayBuffer[] {
    return this.#chunks.map(({ buffer }) => buffer);
  }
}

/** What of `chunks` a thread that was sent `before` has to be sent. Memory that is told again counts as new there, and has it collect garbage. */
export function newChunks(chunks: SentChunks, before: SentChunks): SentChunks {
  return chunks.map((chunk, index) => (chunk === before[index] ? null : chunk));
}

/** The room as the thread sees it. */
export class RoomView {
  #chunks: readonly Buffer<SharedArrayBuffer>[] = [];

  update(sent: SentChunks): void {
    const before = this.#chunks;
    this.#chunks = sent.map((chunk, index) => (chunk === null ? chunkAt(before, index) : Buffer.from(chunk)));
  }

  /** A view: it is overwritten once the batch has been answered for. */
  at({ chunk, start, end }: Place): Buffer<SharedArrayBuffer> {
    return chunkAt(this.#chunks, chunk).subarray(start, end);
  }
}

function chunkAt(chunks: readonly Buffer<SharedArrayBuffer>[], index: number): Buffer<SharedArrayBuffer> {
  const chunk = chunks[index];
  if (chunk === undefined) throw new RangeError(`the thread has no chunk ${index}`);
  return chunk;
}
