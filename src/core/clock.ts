// Time as a parameter, so that waits and limits are tested without waiting.

/** Takes a scheduled callback back; harmless after it ran. */
export type CancelTimer = () => void;

/** The only source of time in the gateway. */
export interface Clock {
  /** Milliseconds on a monotonic scale; only differences mean something. */
  now(): number;
  /** Milliseconds since the epoch; for records people read, never for intervals. */
  wallNow(): number;
  /** Runs `callback` once after `delayMs` milliseconds. */
  schedule(delayMs: number, callback: () => void): CancelTimer;
}

/** Uniform in [0, 1), like `Math.random`. */
export type Random = () => number;

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => performance.now(),
  wallNow: () => Date.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return () => clearTimeout(timer);
  },
};
