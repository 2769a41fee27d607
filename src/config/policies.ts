// Settings -> the policies of core.

import { statusList } from "../core/http-status.ts";
import type { FailoverPolicy, ResiliencePolicy, UpstreamLimits } from "../core/policy.ts";
import type { Settings } from "./schema.ts";

export function resiliencePolicy(resilience: Settings["resilience"]): ResiliencePolicy {
  const { retry, circuit_breaker: breaker } = resilience;
  return {
    retry: {
      maxRetries: retry.max_retries,
      initialBackoffMs: retry.initial_backoff,
      maxBackoffMs: retry.max_backoff,
      backoffFactor: retry.backoff_factor,
      jitterFactor: retry.jitter_factor,
      retryOnStatuses: statusList(retry.retry_on_statuses),
      maxRetryAfterMs: retry.max_retry_after,
      streaming: retry.streaming,
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
    maxAttemptsPerRequest: resilience.max_attempts_per_request,
  };
}

export function upstreamLimits(http: Settings["http"]): UpstreamLimits {
  return {
    connectMs: http.connect_timeout,
    responseHeaderMs: http.response_header_timeout,
    streamIdleMs: http.stream_idle_timeout,
    totalMs: http.timeout,
    firstEventMs: http.first_event_timeout,
    answerMs: http.answer_timeout,
  };
}

/** Phrases are lower-cased and split into words (behaviour 2.8). */
export function failoverPolicy(failover: Settings["failover"]): FailoverPolicy {
  return {
    enabled: failover.enabled,
    maxAttempts: failover.max_attempts,
    statuses: statusList(failover.retry_on_statuses),
    phrases: failover.retry_on_errors.map((phrase) => phrase.toLowerCase().split(/\s+/)),
    retriesBeforeFailover: failover.retries_before_failover,
  };
}
