// One timer for all the limits of a client, armed for the earliest of them.

import type { CancelTimer, Clock } from "../core/clock.ts";
import { Roster, type RosterMember } from "../core/roster.ts";

/** Something that must act at a moment which may move. */
export interface Limited extends RosterMember {
  /** On the clock's monotonic scale; Infinity when there is nothing to wait for. */
  deadline(): number;
  /** Called when `deadline()` has passed. */
  expire(now: number): void;
}

// Longer delays overflow in timers and would run at once.
const longestDelayMs = 2 ** 31 - 1;

/** A timer for each call would cost more than the rest of its bookkeeping. Here it costs one entry in a list. */
export class Deadlines {
  readonly #clock: Clock;
  readonly #members = new Roster<Limited>();
  #armedFor = Infinity;
  #cancelTimer: CancelTimer | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Watches `member` until it is removed. */
  add(member: Limited): void {
    this.#members.add(member);
    this.expect(member.deadline());
  }

  remove(member: Limited): void {
    this.#members.remove(member);
  }

  /** A member's deadline has come to be `at`. Needed only when it moved nearer: later ones are found when the timer runs. */
  expect(at: number): void {
    if (at >= this.#armedFor) return;
    this.#cancelTimer?.();
    this.#armedFor = at;
    const delayMs = Math.min(longestDelayMs, Math.max(0, at - this.#clock.now()));
    this.#cancelTimer = this.#clock.schedule(delayMs, () => this.#run());
  }

  /** Takes the timer back when nobody is watched any more; it is armed again by the next member. */
  settle(): void {
    if (this.#members.size > 0) return;
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
    this.#armedFor = Infinity;
  }

  #run(): void {
    this.#cancelTimer = undefined;
    this.#armedFor = Infinity;
    const now = this.#clock.now();
    let next = Infinity;
    for (const member of this.#members.list()) {
      if (member.deadline() <= now) member.expire(now);
      next = Math.min(next, member.deadline());
    }
    this.expect(next);
  }
}
