// Settings -> the policies of core.

import { statusList } from "../core/http-status.ts";
import type { FailoverPolicy, ResiliencePolicy } from "../core/policy.ts";
import type { Settings } from "./schema.ts";

export function resiliencePolicy({ retry, circuit_breaker: breaker }: Settings["resilience"]): ResiliencePolicy {
  return {
    retry: {
      maxRetries: retry.max_retries,
      initialBackoffMs: retry.initial_backoff,
      maxBackoffMs: retry.max_backoff,
      backoffFactor: retry.backoff_factor,
      jitterFactor: retry.jitter_factor,
      retryOnStatuses: statusList(retry.retry_on_statuses),
      maxRetryAfterMs: retry.max_retry_after,
    },
    breaker: {
      enabled: breaker.enabled,
      scope: breaker.scope,
      failureThreshold: breaker.failure_threshold,
      successThreshold: breaker.success_threshold,
      timeoutMs: breaker.timeout,
      failureOnStatuses: statusList(breaker.failure_on_statuses),
      slowCallThresholdMs: breaker.slow_call_threshold,
    },
  };
}

/** Phrases are lower-cased and split into words (behaviour 2.8). */
export function failoverPolicy(failover: Settings["failover"]): FailoverPolicy {
  return {
    enabled: failover.enabled,
    maxAttempts: failover.max_attempts,
    statuses: statusList(failover.retry_on_statuses),
    phrases: failover.retry_on_errors.map((phrase) => phrase.toLowerCase().split(/\s+/)),
  };
}
