// The port to the circuit breakers.

import type { Target } from "./target.ts";

/** `none`: says nothing about the provider's health (the caller left, our own key was refused, we were shutting down). */
export type Verdict = "success" | "failure" | "none";

/** Leave for one turn. */
export interface Permit {
  /** A half-open circuit's trial: one attempt, and a stream's first event is its success. */
  readonly probe: boolean;
  /** Counts once; later calls and verdicts of an earlier generation change nothing. */
  settle(verdict: Verdict): void;
}

/** Why there is no permit. */
export interface Refusal {
  readonly refused: "circuit-open" | "no-breaker-slot";
  /** Until a call may be let through. */
  readonly retryAfterMs: number;
}

export interface Admission {
  /** At once, never a queue. */
  tryAcquire(target: Target): Permit | Refusal;
  /** Whether `tryAcquire` would give a permit now. Takes none and changes nothing. */
  admits(target: Target): boolean;
}
