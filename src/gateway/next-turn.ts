// Whose turn is next, given the turns so far: pure, so that the sweep can be read and tested as a table.

import type { Failure } from "../core/failure.ts";
import { mayFailOver } from "../core/failure-rules.ts";
import type { FailoverPolicy } from "../core/policy.ts";
import type { Route } from "../core/route.ts";
import type { Target } from "../core/target.ts";
import type { Turn } from "../core/turn.ts";

/**
 * The target whose turn it is, or the failure to give up with. The sweep of behaviour A.3. `lastFailure` is that of the last of `turns`, undefined before any. Whether to sweep at all is
 * decided by the first turn's failure; from then on every remaining target is tried until one answers (2.11.4). A skipped turn
 * uses up no attempt, and its refusal is the last error when nothing else is left (2.11.1).
 */
export function nextTurn(
  route: Route,
  turns: readonly Turn[],
  lastFailure: Failure | undefined,
  policy: FailoverPolicy,
): Target | Failure {
  const [first] = route.targets;
  if (lastFailure === undefined) {
    if (first === undefined) throw new Error("a route has at least one target");
    return first;
  }
  const next = route.targets[turns.length];
  const stopped =
    next === undefined ||
    !policy.enabled ||
    !route.failover ||
    endsEverything(lastFailure) ||
    (turns.length === 1 && !mayFailOver(lastFailure, policy)) ||
    (policy.maxAttempts > 0 && failoverAttempts(turns) >= policy.maxAttempts);
  return stopped ? lastFailure : next;
}

function failoverAttempts(turns: readonly Turn[]): number {
  return turns.slice(1).filter(({ outcome }) => outcome !== "skipped").length;
}

/** Nobody waits for the answer any more, or the fault is ours: no other target changes that. */
function endsEverything(failure: Failure): boolean {
  switch (failure.origin) {
    case "cancelled":
    case "deadline":
    case "drain":
    case "bug":
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
