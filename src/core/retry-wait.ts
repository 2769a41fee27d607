// How long to wait before another attempt of the same turn, or not to make one.

import type { Random } from "./clock.ts";
import type { Failure } from "./failure.ts";
import type { RetryPolicy } from "./policy.ts";

/**
 * The computed wait before retry `retry` (1 for the first), in milliseconds: exponential, capped, then spread by the jitter,
 * never over `maxBackoffMs` (behaviour 2.3). Finite for any `retry`.
 */
export function backoffMs(policy: RetryPolicy, retry: number, random: Random): number {
  const grown = policy.initialBackoffMs * Math.pow(policy.backoffFactor, retry - 1);
  const wait = Math.min(grown, policy.maxBackoffMs);
  const spread = wait * (1 - policy.jitterFactor + 2 * policy.jitterFactor * random());
  return Math.min(spread, policy.maxBackoffMs);
}

/**
 * The wait before retry `retry` after `failure`, or undefined to end the turn: the provider asks for more time than
 * `max_retry_after`, or the wait would not end before the deadline (behaviour 2.12). A shorter wish never shortens the back-off.
 */
export function retryWaitMs(
  failure: Failure,
  policy: RetryPolicy,
  retry: number,
  random: Random,
  remainingMs: number,
): number | undefined {
  let wait = backoffMs(policy, retry, random);
  const asked = failure.retryAfterMs;
  if (asked !== undefined && policy.maxRetryAfterMs > 0) {
    if (asked > policy.maxRetryAfterMs) return undefined;
    wait = Math.max(wait, asked);
  }
  return wait < remainingMs ? wait : undefined;
}
