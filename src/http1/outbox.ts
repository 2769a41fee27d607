// Writes at the end of a round of events, all that came together in it: what wakes the other side is then done once and not for each.

/** Something that has bytes to write. */
export interface Writer {
  /** Writes what has come together. */
  flush(): void;
}

let waiting: Writer[] = [];
let spare: Writer[] = [];

/**
 * Has `writer` flushed once all sockets that are ready have been read: a busy process reads dozens at a time, and writing between two reads wakes the
 * receiver each time (measured: a tenth of what a small call costs). A quiet one loses no time by it. Call it once for each flush.
 */
export function flushSoon(writer: Writer): void {
  if (waiting.length === 0) setImmediate(flushAll);
  waiting.push(writer);
}

function flushAll(): void {
  const due = waiting;
  // What asks again while it is flushed has its turn in the next round.
  waiting = spare;
  for (let index = 0; index < due.length; index++) {
    try {
      due[index]?.flush();
    } catch (error) {
      // A mistake of ours: it is told as one, and the others are not kept waiting for it.
      queueMicrotask(() => {
        throw error;
      });
    }
  }
  due.length = 0;
  spare = due;
}
