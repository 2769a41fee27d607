// Whether a caller's own repeat of a failed request would only run the same chain of attempts again.

import type { Failure } from "../core/failure.ts";
import { mayFailOver } from "../core/failure-rules.ts";
import type { FailoverPolicy } from "../core/policy.ts";
import type { Turn } from "../core/turn.ts";
import { attemptsOf } from "./next-turn.ts";

/** SDKs wait out a `Retry-After` of a minute; of an hour, some of them freeze (recorded clients). */
const longestSdkWaitMs = 60_000;

/**
 * True for what retries and failover are there for and could not cure: the failure was retried, or another target would be asked for its sake,
 * circuits that refuse calls included; or the whole time of the request went into trying. False for what is the caller's own or nobody tried to
 * cure (SDKs judge a 400 or a 409 by themselves), for a gateway that shuts down, since another replica may answer at once, and for a provider that
 * asks for a wait which the gateway did not make, being over `maxRetryAfterMs` of that provider, and an SDK would.
 */
export function isRepeatUseless(
  failure: Failure,
  turns: readonly Turn[],
  policy: FailoverPolicy,
  maxRetryAfterMs: number,
): boolean {
  if (turns.length === 0) return false;
  switch (failure.origin) {
    case "cancelled":
    case "drain":
    case "bug":
      return false;
    case "deadline":
      return true;
    case "request":
    case "status":
    case "answer":
    case "transport":
    case "timeout":
    case "diverged":
    case "circuit-open":
    case "no-breaker-slot":
      return (attemptsOf(turns) > 1 || mayFailOver(failure, policy)) && !isWaitWorthwhile(failure, maxRetryAfterMs);
  }
}

function isWaitWorthwhile({ origin, retryAfterMs }: Failure, maxRetryAfterMs: number): boolean {
  if (origin !== "status" || retryAfterMs === undefined) return false;
  return retryAfterMs > maxRetryAfterMs && retryAfterMs <= longestSdkWaitMs;
}
