// A turn between its permit and its verdict.

import type { Permit, Verdict } from "../core/admission.ts";
import type { Failure } from "../core/failure.ts";
import { verdictOfFailure } from "../core/failure-rules.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { BreakerPolicy } from "../core/policy.ts";
import type { Observer } from "../core/record.ts";
import type { Turn } from "../core/turn.ts";
import type { AttemptResult } from "./run-attempt.ts";

export type StartedAttempt = Extract<AttemptResult, { started: true }>;
type Outcome = "succeeded" | "failed" | "truncated" | "cancelled" | "skipped";

/** Settled exactly once, by `fail` or, when an answer has started, by `end`. */
export class OpenTurn {
  readonly turn: Turn;
  readonly permit: Permit;
  readonly #request: ModelRequest;
  readonly #policy: BreakerPolicy;
  readonly #observer: Observer;

  constructor(turn: Turn, permit: Permit, request: ModelRequest, policy: BreakerPolicy, observer: Observer) {
    this.turn = turn;
    this.permit = permit;
    this.#request = request;
    this.#policy = policy;
    this.#observer = observer;
  }

  /** Its answer begins to be delivered; `establishedMs` as in `begin`. */
  start(establishedMs: number): void {
    this.begin(establishedMs);
    this.turn.committed = true;
  }

  /** It began to answer after `establishedMs`; told again, that changes nothing. A slow start counts at once, and a probe's first event is its success (2.12). */
  begin(establishedMs: number): void {
    const { permit, turn } = this;
    if (turn.establishedMs !== undefined) return;
    turn.establishedMs = establishedMs;
    if (!this.#request.stream) return;
    if (isSlow(this.#policy, establishedMs)) permit.settle("failure");
    else if (permit.probe) permit.settle("success");
  }

  /** No answer came of it. */
  fail(failure: Failure, establishedMs: number): void {
    this.turn.establishedMs ??= establishedMs;
    const { attempts } = this.turn;
    const hadBegun = attempts.at(-1)?.firstEventMs !== undefined;
    const notAsked = failure.origin === "request" && attempts.length === 0;
    this.#settle(failure.origin === "cancelled" ? "cancelled" : notAsked ? "skipped" : "failed", failure, hadBegun);
  }

  /** The answer that `attempt` brought has ended. */
  end(
    { attempt, answer }: StartedAttempt,
    outcome: Exclude<Outcome, "failed" | "skipped">,
    failure: Failure | undefined,
  ): void {
    attempt.outcome = outcome === "truncated" ? "failed" : outcome;
    attempt.failure = failure;
    this.#settle(outcome, failure, false, answer.isLocal);
  }

  /**
   * `hadBegun`: a stream of which the caller has seen nothing broke after its first event, so an error in it is no refusal of the request. `isLocal`: no
   * provider answered, so there is nothing to say of one. Told again, it changes nothing.
   */
  #settle(outcome: Outcome, failure: Failure | undefined, hadBegun: boolean, isLocal = false): void {
    const { permit, turn } = this;
    if (turn.outcome !== "running") return;
    const toldInside = hadBegun && failure?.origin === "status";
    const verdict = toldInside
      ? "failure"
      : verdictOf(outcome, failure, this.#policy, permit.probe, turn.establishedMs);
    permit.settle(isLocal ? "none" : verdict);
    turn.outcome = outcome;
    turn.failure = failure;
    this.#observer.turnEnd(turn, this.#request.operation, this.#request.stream);
  }
}

function verdictOf(
  outcome: Outcome,
  failure: Failure | undefined,
  policy: BreakerPolicy,
  probe: boolean,
  establishedMs: number | undefined,
): Verdict {
  switch (outcome) {
    case "cancelled":
    case "skipped":
      return "none";
    case "truncated":
      // A stream that we cut ourselves or could not put into other words says nothing about the provider; any other break does, whatever its status.
      return failure !== undefined && isOurs(failure) ? "none" : "failure";
    case "succeeded":
    case "failed": {
      const verdict = failure === undefined ? "success" : verdictOfFailure(failure, policy, probe);
      return verdict === "success" && isSlow(policy, establishedMs) ? "failure" : verdict;
    }
  }
}

function isOurs({ origin }: Failure): boolean {
  return origin === "deadline" || origin === "drain" || origin === "bug";
}

function isSlow(policy: BreakerPolicy, establishedMs: number | undefined): boolean {
  return policy.slowCallThresholdMs > 0 && establishedMs !== undefined && establishedMs > policy.slowCallThresholdMs;
}
