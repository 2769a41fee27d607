// One target's go in a request, and the HTTP tries within it. Log, metrics and breakers all read these.

import type { Failure } from "./failure.ts";
import type { AnswerFacts } from "./model-request.ts";
import type { Target } from "./target.ts";

/**
 * first: the request's first attempt; retry: another one in the same turn; failover: the first of a later turn; recovery: one that is to go on
 * with a stream of which the caller has the beginning.
 */
export type AttemptKind = "first" | "retry" | "failover" | "recovery";

/** One HTTP try. */
export interface Attempt {
  readonly kind: AttemptKind;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  durationMs: number;
  /** From sending to the first data event, streams only. */
  firstEventMs: number | undefined;
  outcome: "succeeded" | "failed" | "cancelled";
  /** The provider's status, or the one the failure stands for; undefined when cancelled without one. */
  statusCode: number | undefined;
  failure: Failure | undefined;
  /** Of an answer that was held back and broke: what it told about itself, and how many data events it had. */
  thrownAway?: { readonly facts: AnswerFacts; readonly events: number };
}

/** A turn without attempts was skipped (its breaker refused). */
export interface Turn {
  readonly target: Target;
  /** Milliseconds since the epoch. */
  readonly startedAt: number;
  readonly attempts: Attempt[];
  /** `truncated`: committed, then broken. */
  outcome: "running" | "succeeded" | "failed" | "skipped" | "cancelled" | "truncated";
  failure: Failure | undefined;
  /** The first data event of this turn went to the caller. */
  committed: boolean;
  /** Whole call, retries and waits included; streams until the first data event. */
  establishedMs: number | undefined;
}
