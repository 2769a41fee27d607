// Where log lines go: gathered, so that a busy gateway makes few writes, and kept for a reader that is slow.

import { writeSync } from "node:fs";
import type { Clock } from "./core/clock.ts";

/** Lines wait at most this long, as long as their reader keeps up. */
const gatherMs = 50;
const maxGatheredBytes = 64 * 1024;
/** Room for what is gathered and a line more. */
const pageBytes = 96 * 1024;
/** May wait for a reader that does not keep up; what comes then is dropped, whole lines at a time. */
const maxWaitingBytes = 1024 * 1024;
/** UTF-8 bytes that a UTF-16 unit becomes at most. */
const bytesPerUnit = 3;

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

/** Lines wait as bytes outside the heap: as strings they would grow old in it. */
export function createLogOutput(options: LogOutputOptions): LogOutput {
  const { write = (bytes) => writeSync(1, bytes), direct, clock, onDropped } = options;
  let page = Buffer.allocUnsafeSlow(pageBytes);
  let used = 0;
  /** What a reader did not take, in order, and full pages behind it. */
  let kept: Uint8Array[] = [];
  let keptBytes = 0;
  /** The reader takes nothing: it is asked again by timer only. */
  let blocked = false;
  let dropped = 0;
  let cancelTimer: (() => void) | undefined;

  const keep = (bytes: Uint8Array): void => {
    kept.push(bytes);
    keptBytes += bytes.length;
  };
  const newPage = (bytesNeeded: number): void => {
    page = Buffer.allocUnsafeSlow(Math.max(pageBytes, bytesNeeded));
    used = 0;
  };
  /** The page with what is in it from `start` on is kept, and a new one begun. */
  const turnPage = (start: number, bytesNeeded = 0): void => {
    if (used > start) keep(page.subarray(start, used));
    newPage(bytesNeeded);
  };
  /** How many bytes were taken; fewer than there are: the reader takes nothing more now. One that is gone takes everything. */
  const offer = (bytes: Uint8Array): number => {
    let taken = 0;
    try {
      while (taken < bytes.length) taken += write(taken === 0 ? bytes : bytes.subarray(taken));
    } catch (error) {
      const slow = error instanceof Error && "code" in error && error.code === "EAGAIN";
      // No request must fail for it.
      return slow ? taken : bytes.length;
    }
    return taken;
  };
  const sendKept = (): void => {
    const all = kept;
    kept = [];
    keptBytes = 0;
    for (const bytes of all) {
      const taken = kept.length === 0 ? offer(bytes) : 0;
      if (taken < bytes.length) keep(bytes.subarray(taken));
    }
  };
  const send = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    sendKept();
    if (kept.length === 0 && used > 0) {
      const taken = offer(page.subarray(0, used));
      if (taken < used) turnPage(taken);
      else if (page.length > pageBytes) newPage(0);
      else used = 0;
    }
    blocked = kept.length > 0;
    if (blocked) cancelTimer = clock.schedule(gatherMs, send);
    else if (dropped > 0) {
      const lines = dropped;
      dropped = 0;
      onDropped(lines);
    }
  };

  return {
    write(line) {
      if (keptBytes + used >= maxWaitingBytes) {
        dropped++;
        return;
      }
      const bytesNeeded = bytesPerUnit * line.length;
      if (page.length - used < bytesNeeded) turnPage(0, bytesNeeded);
      used += page.write(line, used);
      if (!blocked && (direct || keptBytes + used >= maxGatheredBytes)) send();
      else cancelTimer ??= clock.schedule(gatherMs, send);
    },
    flush: send,
  };
}
