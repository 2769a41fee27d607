// Where log lines go: gathered, so that a busy gateway makes few writes, and lost only to a reader that is gone.

import { writeSync } from "node:fs";
import type { Clock } from "./core/clock.ts";

/** Lines wait at most this long. */
const gatherMs = 50;
const maxGathered = 64 * 1024;

export interface LogOutput {
  write(line: string): void;
  /** Writes what is gathered, at once. */
  flush(): void;
}

/** `direct`: each line at once, for somebody who watches. */
export function createLogOutput(descriptor: number, direct: boolean, clock: Clock): LogOutput {
  let gathered = "";
  let cancelTimer: (() => void) | undefined;
  const flush = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
    const text = gathered;
    gathered = "";
    if (text !== "") writeAll(descriptor, text);
  };
  return {
    write(line) {
      gathered += line;
      if (direct || gathered.length >= maxGathered) flush();
      else cancelTimer ??= clock.schedule(gatherMs, flush);
    },
    flush,
  };
}

function writeAll(descriptor: number, text: string): void {
  let bytes = Buffer.from(text);
  // A pipe whose reader is slow takes a part or, for a moment, nothing; a closed one ends it.
  for (let tries = 0; bytes.length > 0 && tries < 100; tries++) {
    try {
      bytes = bytes.subarray(writeSync(descriptor, bytes));
    } catch (error) {
      if (!(error instanceof Error && "code" in error && error.code === "EAGAIN")) return;
    }
  }
}
