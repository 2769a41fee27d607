// The machine's clock, with a count of the timers that wait.

import { type Clock, systemClock } from "../../src/core/clock.ts";

export interface CountingClock extends Clock {
  /** Scheduled, neither run nor taken back. */
  readonly pending: number;
}

export function createCountingClock(): CountingClock {
  const waiting = new Set<symbol>();
  return {
    now: () => systemClock.now(),
    wallNow: () => systemClock.wallNow(),
    schedule(delayMs, callback) {
      const timer = Symbol("timer");
      waiting.add(timer);
      const cancel = systemClock.schedule(delayMs, () => {
        waiting.delete(timer);
        callback();
      });
      return () => {
        waiting.delete(timer);
        cancel();
      };
    },
    get pending() {
      return waiting.size;
    },
  };
}
