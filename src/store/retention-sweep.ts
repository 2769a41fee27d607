// When old rows are deleted: soon after the start, then every hour, in steps with pauses for the writes between them.

import type { CancelTimer, Clock } from "../core/clock.ts";
import type { Answers, Outcome } from "./worker-protocol.ts";

const firstSweepMs = 60_000;
const sweepIntervalMs = 3_600_000;
const pauseMs = 50;
const dayMs = 86_400_000;

export class RetentionSweep {
  readonly #clock: Clock;
  readonly #retentionDays: number;
  readonly #step: (before: number | undefined) => Promise<Outcome<Answers["sweep"]>>;
  #timer: CancelTimer | undefined;
  #stopped = false;

  constructor(options: {
    readonly clock: Clock;
    /** 0 = rows stay; only bodies over their limit go. */
    readonly retentionDays: number;
    /** Deletes some of what started before `before`, milliseconds since the epoch. Never rejects. */
    readonly step: (before: number | undefined) => Promise<Outcome<Answers["sweep"]>>;
  }) {
    this.#clock = options.clock;
    this.#retentionDays = options.retentionDays;
    this.#step = options.step;
  }

  start(): void {
    this.#schedule(firstSweepMs);
  }

  stop(): void {
    this.#stopped = true;
    this.#timer?.();
  }

  #schedule(delayMs: number): void {
    if (this.#stopped) return;
    this.#timer = this.#clock.schedule(delayMs, () => {
      const before = this.#retentionDays === 0 ? undefined : this.#clock.wallNow() - this.#retentionDays * dayMs;
      // A step that failed is not pressed: the next hour has another one.
      void this.#step(before).then((outcome) =>
        this.#schedule(outcome.ok && outcome.value.more ? pauseMs : sweepIntervalMs),
      );
    });
  }
}
