// One target's turn: a permit, attempts with waits between them, one verdict.

import type { Admission, Refusal } from "../core/admission.ts";
import type { Issuer } from "../core/chat-request.ts";
import type { Clock, Random } from "../core/clock.ts";
import { cancelledRequest, Failure, unexpectedError } from "../core/failure.ts";
import { mayRetry } from "../core/failure-rules.ts";
import type { ModelRequest } from "../core/model-request.ts";
import type { ResiliencePolicy } from "../core/policy.ts";
import type { PreparedCall, Provider } from "../core/provider.ts";
import type { Observer } from "../core/record.ts";
import { retryWaitMs } from "../core/retry-wait.ts";
import type { Route } from "../core/route.ts";
import type { Target } from "../core/target.ts";
import type { AttemptKind, Turn } from "../core/turn.ts";
import { attemptsOf, goesOnAfter, type SweepDependencies } from "./next-turn.ts";
import { OpenTurn, type StartedAttempt } from "./open-turn.ts";
import { runAttempt } from "./run-attempt.ts";
import { wait } from "./wait.ts";

export interface TurnDependencies extends SweepDependencies {
  readonly admission: Admission;
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly random: Random;
  readonly observer: Observer;
}

/** A turn whose answer is being delivered; `open.end` is to be called once, when that has ended. */
export interface StartedTurn {
  readonly started: true;
  readonly open: OpenTurn;
  readonly result: StartedAttempt;
}

type TurnResult = { readonly started: false; readonly failure: Failure } | StartedTurn;

/** How a turn goes on with a stream of which the caller has the beginning. */
export interface Continuation {
  /** What is sent first. */
  prepare(provider: Provider, model: string, firstIssuer: Issuer | undefined): PreparedCall;
  /** What is sent to the same target at once after such a failure, whatever the retry policy says; undefined: nothing. */
  insteadAfter(failure: Failure): PreparedCall | undefined;
}

/** What a limit that only gives way to another target would end with, to ask beforehand whether there would be one. */
const gaveWay = new Failure({
  origin: "timeout",
  status: 504,
  type: "provider_error",
  message: "request timed out",
  code: "request_timeout",
});

/** Adds one turn of `target`, one of the route's, to `turns`. A turn that started is open until its `end` is called; any other is settled on return. */
export async function runTurn(
  request: ModelRequest,
  route: Route,
  target: Target,
  turns: Turn[],
  dependencies: TurnDependencies,
  continuation?: Continuation,
): Promise<TurnResult> {
  const { admission, clock, observer } = dependencies;
  const provider = providerOf(target, dependencies);
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

  observer.turnStart(target, request.operation, request.stream);
  const permit = admission.tryAcquire(target);
  if ("refused" in permit) {
    turn.outcome = "skipped";
    turn.failure = refusalFailure(target, permit);
    observer.turnEnd(turn, request.operation, request.stream);
    return { started: false, failure: turn.failure };
  }

  const { breaker, retry: policy } = provider.resilience;
  const open = new OpenTurn(turn, permit, request, breaker, observer);
  const begun = clock.now();
  let failure: Failure;
  try {
    const firstIssuer = firstIssuerOf(request, route, target, dependencies);
    let call =
      continuation?.prepare(provider, target.model, firstIssuer) ??
      provider.prepare(request, target.model, firstIssuer);
    const recovery = request.stream ? route.streamRecovery : "off";
    const hold = recovery === "buffer";
    // What is held back, or read past first, has begun long before the caller gets any of it.
    const onFirstEvent = hold || continuation !== undefined ? () => open.begin(clock.now() - begun) : undefined;
    // A probe is one question (owner's page "Ausfallsicherheit").
    const retries = permit.probe || (request.stream && policy.streaming === "never") ? 0 : policy.maxRetries;
    const limitMs = request.stream ? provider.limits.firstEventMs : provider.limits.answerMs;
    // Another target gets another body, so the key must not follow it there.
    const idempotencyKey = firstTurn ? request.idempotencyKey : undefined;
    let retry = 0;
    // Sent again with less in it, which must not be taken for the same under one key.
    let isReduced = false;
    for (;;) {
      const kind: AttemptKind =
        continuation !== undefined ? "recovery" : retry > 0 || isReduced ? "retry" : firstTurn ? "first" : "failover";
      const giveWayAfterMs =
        limitMs > 0 && goesOnAfter(gaveWay, attemptsOf(turns) + 1, route, turns, dependencies) ? limitMs : 0;
      const key = isReduced ? undefined : idempotencyKey;
      const options = { idempotencyKey: key, giveWayAfterMs, skipMalformed: recovery !== "off" };
      const result = await runAttempt(call, kind, options, request.stream, hold, clock, onFirstEvent);
      turn.attempts.push(result.attempt);
      if (result.started) {
        open.start(clock.now() - begun);
        return { started: true, open, result };
      }
      failure = result.failure;
      const isSpent = hasHadItsAttempts(turns, provider.resilience);
      const instead = isSpent ? undefined : continuation?.insteadAfter(failure);
      const reduced = isSpent || instead !== undefined ? undefined : call.insteadAfter?.(failure);
      if (reduced !== undefined) isReduced = true;
      if (instead !== undefined || reduced !== undefined) {
        call = instead ?? reduced ?? call;
        continue;
      }
      // What has begun to come is not asked for once more at the same place.
      if (request.stream && result.attempt.firstEventMs !== undefined) break;
      if (retry === retries || !mayRetry(failure, policy)) break;
      if (leavesItToAnother(failure, retry, provider.resilience, route, turns, dependencies)) break;
      const remainingMs = request.deadline === undefined ? Infinity : request.deadline - clock.now();
      const waitMs = retryWaitMs(failure, policy, retry + 1, dependencies.random, remainingMs);
      if (waitMs === undefined) break;
      await wait(waitMs, clock, request.cancellation);
      const { reason } = request.cancellation;
      if (reason !== undefined) {
        failure = cancelledRequest(reason);
        break;
      }
      retry++;
    }
  } catch (error) {
    failure = error instanceof Failure ? error : unexpectedError(error);
  }
  open.fail(failure, clock.now() - begun);
  return { started: false, failure };
}

function hasHadItsAttempts(turns: readonly Turn[], { maxAttemptsPerRequest }: ResiliencePolicy): boolean {
  return maxAttemptsPerRequest > 0 && attemptsOf(turns) >= maxAttemptsPerRequest;
}

/** After `retry` retries of the last of `turns`: the request has had its attempts, or it is another target's turn by now (behaviour 2.12). */
function leavesItToAnother(
  failure: Failure,
  retry: number,
  policy: ResiliencePolicy,
  route: Route,
  turns: readonly Turn[],
  dependencies: SweepDependencies,
): boolean {
  if (hasHadItsAttempts(turns, policy)) return true;
  const { retriesBeforeFailover } = dependencies.failover;
  return (
    retriesBeforeFailover >= 0 &&
    retry >= retriesBeforeFailover &&
    goesOnAfter(failure, attemptsOf(turns), route, turns, dependencies)
  );
}

/** Undefined for the first target itself: what the caller sent was meant for it. */
function firstIssuerOf(
  request: ModelRequest,
  route: Route,
  target: Target,
  dependencies: TurnDependencies,
): Issuer | undefined {
  // Taking a list that is frozen apart is not for what runs for every request: the runtime compiles it again and again.
  const first = route.targets[0];
  if (first === undefined || first === target) return undefined;
  return providerOf(first, dependencies).unmarkedIssuer(request, first.model);
}

function providerOf({ providerName }: Target, { providers }: TurnDependencies): Provider {
  const provider = providers.get(providerName);
  if (provider === undefined) throw new Error(`the route names an unknown provider: ${providerName}`);
  return provider;
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
