// A clock that moves only when a test says so.

import type { CancelTimer, Clock } from "../../src/core/clock.ts";

interface Timer {
  readonly at: number;
  readonly order: number;
  readonly callback: () => void;
}

export class FakeClock implements Clock {
  #now = 0;
  #wallOffset: number;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(wallStart = Date.UTC(2026, 0, 1)) {
    this.#wallOffset = wallStart;
  }

  now(): number {
    return this.#now;
  }

  wallNow(): number {
    return this.#wallOffset + this.#now;
  }

  /** Moves the wall clock alone, as an operator or NTP would. */
  shiftWall(byMs: number): void {
    this.#wallOffset += byMs;
  }

  schedule(delayMs: number, callback: () => void): CancelTimer {
    const timer = { at: this.#now + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** Timers that have neither run nor been taken back. */
  get pending(): number {
    return this.#timers.size;
  }

  /** Moves on by `ms`, running due timers in order, without letting promises settle in between. */
  tick(ms: number): void {
    const end = this.#now + ms;
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = timer.at;
      timer.callback();
    }
    this.#now = end;
  }

  /** Like `tick`, and lets everything that waits on promises run after each timer. */
  async advance(ms: number): Promise<void> {
    const end = this.#now + ms;
    await settle();
    for (let timer = this.#next(end); timer !== undefined; timer = this.#next(end)) {
      this.#timers.delete(timer);
      this.#now = timer.at;
      timer.callback();
      await settle();
    }
    this.#now = end;
    await settle();
  }

  #next(end: number): Timer | undefined {
    let next: Timer | undefined;
    for (const timer of this.#timers) {
      if (timer.at > end) continue;
      if (next === undefined || timer.at < next.at || (timer.at === next.at && timer.order < next.order)) next = timer;
    }
    return next;
  }
}

/** Lets promise callbacks run until nothing is left to do at once. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await Promise.resolve();
}
