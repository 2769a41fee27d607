// A response body that is pulled: the next piece is asked for only when the last one has left.

import type { Clock } from "../core/clock.ts";

/** What the runtime's own stream type gives; a write that has to wait for the reader gives a promise. */
interface DirectController {
  write(bytes: Uint8Array): number | Promise<number>;
  close(): void;
}

export interface StreamSource {
  readonly first: Uint8Array;
  next(): Uint8Array | undefined | Promise<Uint8Array | undefined>;
  /** Each piece as it is written. */
  onPiece(piece: Uint8Array): void;
  /** After the last piece. */
  onEnd(): void;
  /** The reader closed its connection. */
  onLeft(): void;
  /** The reader took nothing for `stallTimeoutMs`. */
  onStall(): void;
}

/**
 * Measured on this runtime: a `direct` stream costs a third of a pulled one, and awaiting `write` keeps a reader that stops to
 * about 4 MB, kernel buffers included. `stallTimeoutMs` 0 waits for ever.
 */
export function streamBody(source: StreamSource, stallTimeoutMs: number, clock: Clock): ReadableStream<Uint8Array> {
  const underlying = {
    type: "direct" as const,
    async pull(controller: DirectController): Promise<void> {
      let piece: Uint8Array | undefined = source.first;
      while (piece !== undefined) {
        const written = controller.write(piece);
        source.onPiece(piece);
        if (written instanceof Promise) await withinStall(written, source, stallTimeoutMs, clock);
        const next = source.next();
        piece = next instanceof Promise ? await next : next;
      }
      source.onEnd();
      controller.close();
    },
    cancel() {
      source.onLeft();
    },
  };
  return new ReadableStream(underlying);
}

async function withinStall(
  written: Promise<number>,
  source: StreamSource,
  stallTimeoutMs: number,
  clock: Clock,
): Promise<void> {
  if (stallTimeoutMs === 0) {
    await written;
    return;
  }
  const cancelTimer = clock.schedule(stallTimeoutMs, () => source.onStall());
  try {
    await written;
  } finally {
    cancelTimer();
  }
}
