// Whose turn is next, given the turns so far, and whether anybody's would be: pure, so that the sweep can be read and tested as a table.

import type { Admission } from "../core/admission.ts";
import { isContentRefusal } from "../core/content-refusal.ts";
import type { Failure } from "../core/failure.ts";
import { mayFailOver } from "../core/failure-rules.ts";
import type { FailoverPolicy } from "../core/policy.ts";
import type { Provider } from "../core/provider.ts";
import type { Route } from "../core/route.ts";
import type { Target } from "../core/target.ts";
import type { Turn } from "../core/turn.ts";

type Providers = ReadonlyMap<string, Pick<Provider, "resilience">>;

export interface SweepDependencies {
  readonly failover: FailoverPolicy;
  readonly providers: Providers;
  readonly admission: Pick<Admission, "admits">;
}

/**
 * The target whose turn it is, or the failure to give up with: the sweep of behaviour A.3. `lastFailure` is that of the last of `turns`,
 * undefined before any; that of a stream which broke after its first event, too, when another target is to go on. Whether to sweep at all is
 * decided by the first turn's failure; from then on every remaining target is tried until one answers (2.11.4). A skipped turn
 * uses up no attempt, and its refusal is the last error when nothing else is left (2.11.1). A target at which no attempt may begin,
 * because the request has had as many as its provider allows, is passed over as if it were not there (2.12).
 */
export function nextTurn(
  route: Route,
  turns: readonly Turn[],
  lastFailure: Failure | undefined,
  policy: FailoverPolicy,
  providers: Providers,
): Target | Failure {
  const first = route.targets[0];
  if (lastFailure === undefined) {
    if (first === undefined) throw new Error("a route has at least one target");
    return first;
  }
  if (
    endsEverything(lastFailure) ||
    !isEligible(lastFailure, route, turns, policy) ||
    !maySweep(route, turns, policy)
  ) {
    return lastFailure;
  }
  const attempts = attemptsOf(turns);
  return remaining(route, turns).find((target) => mayBegin(target, attempts, providers)) ?? lastFailure;
}

/**
 * Whether a turn of another target would follow if the last of `turns` ended with `failure` after so many attempts of the request. A target whose
 * circuit refuses calls at the moment is none that is left: to give up here for its sake would be to give up for nothing.
 */
export function goesOnAfter(
  failure: Failure,
  attempts: number,
  route: Route,
  turns: readonly Turn[],
  { failover, providers, admission }: SweepDependencies,
): boolean {
  return (
    maySweep(route, turns, failover) &&
    isEligible(failure, route, turns, failover) &&
    remaining(route, turns).some((target) => mayBegin(target, attempts, providers) && admission.admits(target))
  );
}

/** Over all turns of a request. */
export function attemptsOf(turns: readonly Turn[]): number {
  let attempts = 0;
  for (const turn of turns) attempts += turn.attempts.length;
  return attempts;
}

/** A stream that broke after its first event is gone on with whatever status its end carries (behaviour 2.12, stream recovery). */
function isEligible(failure: Failure, route: Route, turns: readonly Turn[], policy: FailoverPolicy): boolean {
  if (turns.length > 1 || mayFailOver(failure, policy)) return true;
  const hasBegun = turns.at(-1)?.attempts.at(-1)?.firstEventMs !== undefined;
  return route.streamRecovery !== "off" && hasBegun && !isContentRefusal(failure);
}

function maySweep(route: Route, turns: readonly Turn[], policy: FailoverPolicy): boolean {
  if (!policy.enabled || !route.failover || route.targets.length === 1) return false;
  return policy.maxAttempts === 0 || failoverAttempts(turns) < policy.maxAttempts;
}

/** Those after the one that had the last turn. */
function remaining({ targets }: Route, turns: readonly Turn[]): readonly Target[] {
  const last = turns.at(-1);
  return last === undefined ? targets : targets.slice(targets.indexOf(last.target) + 1);
}

function mayBegin({ providerName }: Target, attempts: number, providers: Providers): boolean {
  const most = providers.get(providerName)?.resilience.maxAttemptsPerRequest ?? 0;
  return most === 0 || attempts < most;
}

function failoverAttempts(turns: readonly Turn[]): number {
  return turns.slice(1).filter(({ outcome }) => outcome !== "skipped").length;
}

/** Nobody waits for the answer any more, it is open what the answer is, or the fault is ours: no other target changes that. */
function endsEverything(failure: Failure): boolean {
  switch (failure.origin) {
    case "cancelled":
    case "deadline":
    case "drain":
    case "bug":
    case "diverged":
      return true;
    case "request":
    case "status":
    case "answer":
    case "transport":
    case "timeout":
    case "circuit-open":
    case "no-breaker-slot":
      return false;
  }
}
