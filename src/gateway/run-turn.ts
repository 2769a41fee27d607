// One target's turn: a permit, attempts with waits between them, one verdict.

import type { Admission, Permit, Refusal, Verdict } from "../core/admission.ts";
import type { Clock, Random } from "../core/clock.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import { mayRetry, verdictOfFailure } from "../core/failure-rules.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { BreakerPolicy } from "../core/policy.ts";
import type { PreparedCall, Provider } from "../core/provider.ts";
import type { Observer } from "../core/record.ts";
import { retryWaitMs } from "../core/retry-wait.ts";
import type { Target } from "../core/target.ts";
import type { AttemptKind, Turn } from "../core/turn.ts";
import { type AttemptResult, runAttempt } from "./run-attempt.ts";
import { wait } from "./wait.ts";

export interface TurnDependencies {
  readonly admission: Admission;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: Observer;
}

/** A turn whose answer is being delivered. */
export interface StartedTurn {
  readonly started: true;
  readonly result: Extract<AttemptResult, { started: true }>;
  /** Settles the turn; to be called once, when the answer has ended. */
  readonly end: (outcome: "succeeded" | "truncated" | "cancelled", failure: Failure | undefined) => void;
}

type TurnResult = { readonly started: false; readonly failure: Failure } | StartedTurn;

/** Adds one turn to `turns`. A turn that started is open until its `end` is called; any other is settled on return. */
export async function runTurn(
  request: ModelRequest,
  target: Target,
  provider: Provider,
  turns: Turn[],
  dependencies: TurnDependencies,
): Promise<TurnResult> {
  const { admission, clock, observer } = dependencies;
  const firstTurn = turns.length === 0;
  const turn: Turn = {
    target,
    startedAt: clock.wallNow(),
    attempts: [],
    outcome: "running",
    failure: undefined,
    committed: false,
    establishedMs: undefined,
  };
  turns.push(turn);

  const permit = admission.tryAcquire(target);
  if ("refused" in permit) {
    turn.outcome = "skipped";
    turn.failure = refusalFailure(target, permit);
    observer.turnStart(target, request.operation, request.stream);
    observer.turnEnd(turn, request.operation, request.stream);
    return { started: false, failure: turn.failure };
  }
  observer.turnStart(target, request.operation, request.stream);

  const policy = provider.resilience.breaker;
  const begun = clock.now();
  const end = (outcome: "succeeded" | "failed" | "truncated" | "cancelled", failure: Failure | undefined): void => {
    permit.settle(verdictOf(outcome, failure, policy, permit.probe, turn.establishedMs));
    turn.outcome = outcome;
    turn.failure = failure;
    observer.turnEnd(turn, request.operation, request.stream);
  };

  let result: AttemptResult | { readonly started: false; readonly failure: Failure };
  try {
    const call = provider.prepare(request, target.model);
    result = await runAttempts(request, call, provider, permit, firstTurn, turn, dependencies);
  } catch (error) {
    result = { started: false, failure: error instanceof Failure ? error : unexpectedError(error) };
  }
  turn.establishedMs = clock.now() - begun;
  if (!result.started) {
    end(result.failure.origin === "cancelled" ? "cancelled" : "failed", result.failure);
    return { started: false, failure: result.failure };
  }

  turn.committed = true;
  if (request.stream) settleAtStart(permit, policy, turn.establishedMs);
  const { attempt } = result;
  return {
    started: true,
    result,
    end(outcome, failure) {
      attempt.outcome = outcome === "truncated" ? "failed" : outcome;
      attempt.failure = failure;
      end(outcome, failure);
    },
  };
}

async function runAttempts(
  request: ModelRequest,
  call: PreparedCall,
  provider: Provider,
  permit: Permit,
  firstTurn: boolean,
  turn: Turn,
  { clock, random }: TurnDependencies,
): Promise<AttemptResult | { readonly started: false; readonly failure: Failure }> {
  const policy = provider.resilience.retry;
  // A stream is never sent twice, and a probe is one question (owner's page "Ausfallsicherheit").
  const retries = request.stream || permit.probe ? 0 : policy.maxRetries;
  // Another target gets another body, so the key must not follow it there.
  const idempotencyKey = firstTurn ? request.idempotencyKey : undefined;
  for (let retry = 0; ; retry++) {
    const kind: AttemptKind = retry > 0 ? "retry" : firstTurn ? "first" : "failover";
    const result = await runAttempt(call, kind, idempotencyKey, request.stream, clock);
    turn.attempts.push(result.attempt);
    if (result.started || retry === retries || !mayRetry(result.failure, policy)) return result;
    const remaining = request.deadline === undefined ? Infinity : request.deadline - clock.now();
    const waitMs = retryWaitMs(result.failure, policy, retry + 1, random, remaining);
    if (waitMs === undefined) return result;
    await wait(waitMs, clock, request.cancellation);
    const { reason } = request.cancellation;
    if (reason !== undefined) return { started: false, failure: cancelledRequest(reason) };
  }
}

/** A probe's first event is its success; a slow start counts at once, whatever comes later (behaviour 2.12). */
function settleAtStart(permit: Permit, policy: BreakerPolicy, establishedMs: number): void {
  if (isSlow(policy, establishedMs)) permit.settle("failure");
  else if (permit.probe) permit.settle("success");
}

function verdictOf(
  outcome: "succeeded" | "failed" | "truncated" | "cancelled",
  failure: Failure | undefined,
  policy: BreakerPolicy,
  probe: boolean,
  establishedMs: number | undefined,
): Verdict {
  switch (outcome) {
    case "cancelled":
      return "none";
    case "truncated":
      // A stream we cut ourselves says nothing about the provider; any other break does, whatever status it carries.
      return failure?.origin === "deadline" || failure?.origin === "drain" ? "none" : "failure";
    case "succeeded":
    case "failed": {
      const verdict = failure === undefined ? "success" : verdictOfFailure(failure, policy, probe);
      return verdict === "success" && isSlow(policy, establishedMs) ? "failure" : verdict;
    }
  }
}

function isSlow(policy: BreakerPolicy, establishedMs: number | undefined): boolean {
  return policy.slowCallThresholdMs > 0 && establishedMs !== undefined && establishedMs > policy.slowCallThresholdMs;
}

function refusalFailure(target: Target, refusal: Refusal): Failure {
  const common = { status: 503, type: "provider_error", retryAfterMs: refusal.retryAfterMs } as const;
  switch (refusal.refused) {
    case "circuit-open":
      return new Failure({
        ...common,
        origin: "circuit-open",
        message: `circuit breaker is open - provider ${target.providerName} temporarily unavailable`,
        code: "circuit_open",
      });
    case "no-breaker-slot":
      return new Failure({
        ...common,
        origin: "no-breaker-slot",
        message: `no circuit breaker slot is free for model ${target.model} - provider ${target.providerName} temporarily unavailable`,
        code: "no_breaker_slot",
      });
  }
}
