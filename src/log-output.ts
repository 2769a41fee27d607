// Where log lines go: gathered, so that a busy gateway makes few writes, and kept for a reader that is slow.

import { writeSync } from "node:fs";
import type { Clock } from "./core/clock.ts";

/** Lines wait at most this long, as long as their reader keeps up. */
const gatherMs = 50;
const maxGathered = 64 * 1024;
/** Characters that may wait for a reader that does not keep up; what comes then is dropped, whole lines at a time. */
const maxWaiting = 1024 * 1024;

export interface LogOutput {
  write(line: string): void;
  /** Writes what is gathered, at once, as far as the reader takes it. */
  flush(): void;
}

export interface LogOutputOptions {
  /** Bytes that were taken; throws like `writeSync`. Default: the process's standard output. */
  readonly write?: (bytes: Uint8Array) => number;
  /** Each line at once, for somebody who watches. */
  readonly direct: boolean;
  readonly clock: Clock;
  /** So many lines were dropped, told when there is room again. */
  readonly onDropped: (lines: number) => void;
}

export function createLogOutput(options: LogOutputOptions): LogOutput {
  const { write = (bytes) => writeSync(1, bytes), direct, clock, onDropped } = options;
  let gathered = "";
  /** The rest of a write that the reader did not take whole. */
  let unsent: Uint8Array = new Uint8Array(0);
  let dropped = 0;
  let cancelTimer: (() => void) | undefined;

  const send = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    if (unsent.length === 0) {
      unsent = Buffer.from(gathered);
      gathered = "";
    }
    try {
      while (unsent.length > 0) unsent = unsent.subarray(write(unsent));
    } catch (error) {
      const slow = error instanceof Error && "code" in error && error.code === "EAGAIN";
      // A reader that is gone reads nothing more, and no request must fail for it.
      if (!slow) unsent = new Uint8Array(0);
    }
    if (unsent.length > 0 || gathered !== "") cancelTimer = clock.schedule(gatherMs, send);
    else if (dropped > 0) {
      const lines = dropped;
      dropped = 0;
      onDropped(lines);
    }
  };

  return {
    write(line) {
      if (gathered.length >= maxWaiting) {
        dropped++;
        return;
      }
      gathered += line;
      if (unsent.length === 0 && (direct || gathered.length >= maxGathered)) send();
      else cancelTimer ??= clock.schedule(gatherMs, send);
    },
    flush() {
      send();
      if (unsent.length === 0) send();
    },
  };
}
