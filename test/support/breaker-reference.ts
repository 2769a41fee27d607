// What a circuit breaker is, in as few lines as it can be said: the model that the real one is compared with.

import type { Verdict } from "../../src/core/admission.ts";

/** `since`: the number of the period; a verdict counts only in the period that admitted its call. */
export interface ReferencePermit {
  readonly since: number;
  readonly probe: boolean;
  readonly leaseEnd: number;
  settled: boolean;
}

export class ReferenceBreaker {
  state: "closed" | "half-open" | "open" = "closed";
  period = 0;
  failures = 0;
  successes = 0;
  openedAt = 0;
  slot: ReferencePermit | undefined;

  readonly settings: {
    readonly failureThreshold: number;
    readonly successThreshold: number;
    readonly timeoutMs: number;
  };

  constructor(settings: ReferenceBreaker["settings"]) {
    this.settings = settings;
  }

  acquire(now: number): ReferencePermit | undefined {
    if (this.state === "open" && now >= this.openedAt + this.settings.timeoutMs) this.#enter("half-open", now);
    if (this.state === "open") return undefined;
    if (this.state === "half-open" && this.slot !== undefined && now < this.slot.leaseEnd) return undefined;
    const probe = this.state === "half-open";
    const permit = { since: this.period, probe, leaseEnd: now + this.settings.timeoutMs, settled: false };
    if (probe) this.slot = permit;
    return permit;
  }

  settle(permit: ReferencePermit, verdict: Verdict, now: number): void {
    if (permit.settled) return;
    permit.settled = true;
    if (permit.since !== this.period) return;
    if (this.slot === permit) this.slot = undefined;
    if (verdict === "failure") this.failures++;
    if (verdict === "success") this.failures = 0;
    if (verdict === "success") this.successes++;
    const { failureThreshold, successThreshold } = this.settings;
    if (this.state === "closed" && this.failures >= failureThreshold) this.#enter("open", now);
    else if (this.state === "half-open" && verdict === "failure") this.#enter("open", now);
    else if (this.state === "half-open" && this.successes >= successThreshold) this.#enter("closed", now);
  }

  #enter(state: "closed" | "half-open" | "open", now: number): void {
    this.state = state;
    this.period++;
    this.failures = 0;
    this.successes = 0;
    this.openedAt = now;
    this.slot = undefined;
  }
}
