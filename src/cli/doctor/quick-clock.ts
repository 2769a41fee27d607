// A clock on which waiting is quick and working takes its time: what follows from durations stays exact while they pass many times faster.

import type { CancelTimer, Clock } from "../../core/clock.ts";

export interface QuickClockOptions {
  /** What really passes. */
  readonly clock: Clock;
  /** How many times faster waits pass; at least 1. */
  readonly speed: number;
  /** Runs `callback` after one more turn of the event loop, bytes that wait in sockets read first. */
  readonly nextTurn: (callback: () => void) => void;
}

interface Timer {
  readonly due: number;
  readonly delayMs: number;
  readonly callback: () => void;
}

/** Timers shorter than this pace something; longer ones are limits, which must not run out while an answer is on its way. */
const limitMs = 1000;
/**
 * Turns of the event loop that a timer waits when its time has come. Every peer lives in this process, so an answer that is on its
 * way arrives within a few of them, however busy the machine is.
 */
const turns = { pace: 3, limit: 24 };

/**
 * Between two timers it runs like `clock`. When the next timer is due it jumps to that moment, after a `speed`-th of the wait: seconds
 * add up and compare as they really would, also those that no setting names.
 */
export function createQuickClock({ clock, speed, nextTurn }: QuickClockOptions): Clock {
  const begun = clock.now();
  const timers = new Set<Timer>();
  let skippedMs = 0;
  let armed: { readonly timer: Timer; readonly cancel: CancelTimer } | undefined;

  const now = (): number => clock.now() - begun + skippedMs;

  function earliest(): Timer | undefined {
    let first: Timer | undefined;
    // A set keeps the order of scheduling, which decides between equal moments.
    for (const timer of timers) if (first === undefined || timer.due < first.due) first = timer;
    return first;
  }

  function arm(): void {
    const timer = earliest();
    if (timer === armed?.timer) return;
    armed?.cancel();
    armed = timer === undefined ? undefined : { timer, cancel: startWait(timer) };
  }

  function startWait(timer: Timer): CancelTimer {
    let cancelled = false;
    let left = timer.delayMs < limitMs ? turns.pace : turns.limit;
    const turn = (): void => {
      if (cancelled) return;
      if (left === 0) return fire(timer);
      left -= 1;
      nextTurn(turn);
    };
    const waitMs = Math.max(0, timer.due - now()) / speed;
    // Timers of the machine are never shorter than a millisecond.
    const cancelWait = waitMs < 0.5 ? undefined : clock.schedule(waitMs, turn);
    if (cancelWait === undefined) turn();
    return () => {
      cancelled = true;
      cancelWait?.();
    };
  }

  function fire(timer: Timer): void {
    skippedMs += Math.max(0, timer.due - now());
    timers.delete(timer);
    armed = undefined;
    timer.callback();
    arm();
  }

  return {
    now,
    wallNow: () => clock.wallNow() + skippedMs,
    schedule(delayMs, callback) {
      const timer = { due: now() + Math.max(0, delayMs), delayMs, callback };
      timers.add(timer);
      arm();
      return () => {
        if (timers.delete(timer)) arm();
      };
    },
  };
}
