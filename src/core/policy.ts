// The settings that decide what happens when a provider misbehaves, already parsed.

import type { StatusList } from "./http-status.ts";

/** `resilience.retry`; owner's page "Ausfallsicherheit", behaviour 2.2 and 2.12. */
export interface RetryPolicy {
  /** Further attempts of one turn; 0 = exactly one attempt. Default 3. */
  readonly maxRetries: number;
  /** Wait before the first retry. Default 1000 ms. */
  readonly initialBackoffMs: number;
  /** Cap of a computed wait, jitter included. Default 30000 ms. */
  readonly maxBackoffMs: number;
  /** Default 2. */
  readonly backoffFactor: number;
  /** Share of the wait that is random, 0 to 1. Default 0.1. */
  readonly jitterFactor: number;
  /** Default 429, 502, 503, 504, 522, 524. Empty: transport errors only. */
  readonly retryOnStatuses: StatusList;
  /** Longest upstream `Retry-After` that is waited out; 0 = ignore the header. Default 10000 ms. */
  readonly maxRetryAfterMs: number;
  /** Whether a stream may be sent again; `before_first_event`: like any other call as long as no event has arrived. Default `never`. */
  readonly streaming: "never" | "before_first_event";
}

/** `resilience.circuit_breaker`; owner's page "Ausfallsicherheit", behaviour 2.5. */
export interface BreakerPolicy {
  /** False keeps the thresholds but never consults them. Default true. */
  readonly enabled: boolean;
  /** Consecutive failures that open the circuit; 0 disables the breaker. Default 5. */
  readonly failureThreshold: number;
  /** Consecutive good probes that close it. Default 2. */
  readonly successThreshold: number;
  /** How long it stays open before a probe, and how long a probe holds its slot. Default 30000 ms. */
  readonly timeoutMs: number;
  /** One breaker for the provider or one for each of its models. Default `provider`. */
  readonly scope: "provider" | "model";
  /** Default 429 and 5xx. Empty: transport errors and timeouts only. */
  readonly failureOnStatuses: StatusList;
  /** Slower answers count as failures; 0 = off. Streams are measured to their first data event. */
  readonly slowCallThresholdMs: number;
}

/** What one provider's calls follow. */
export interface ResiliencePolicy {
  readonly retry: RetryPolicy;
  readonly breaker: BreakerPolicy;
  /** No attempt at this provider begins once the request has had so many, over all its turns; 0 = no cap. Default 0 (behaviour 2.12). */
  readonly maxAttemptsPerRequest: number;
}

/** `failover`; owner's page "Failover", behaviour 2.12. */
export interface FailoverPolicy {
  /** Default true. False: the chosen target is served without a sweep. */
  readonly enabled: boolean;
  /** Failover targets a request may try after its first; 0 = all that remain. Default 0. */
  readonly maxAttempts: number;
  /** Default 429 and 5xx. */
  readonly statuses: StatusList;
  /** Phrases, lower case, split into words; a phrase matches if every word does. */
  readonly phrases: readonly (readonly string[])[];
  /** Retries of a turn while another target is left; -1 = all that the retry policy has. Default -1. */
  readonly retriesBeforeFailover: number;
}

/** Limits of one attempt, in milliseconds; 0 = off. Behaviour 2.10, 2.12. */
export interface UpstreamLimits {
  /** Name look-up, TCP, proxy and TLS together. `HTTP_CONNECT_TIMEOUT`, default 30000. */
  readonly connectMs: number;
  /** From sending to the response headers. `HTTP_RESPONSE_HEADER_TIMEOUT`, default 600000. */
  readonly responseHeaderMs: number;
  /** Silence between reads once a stream's first byte is here. `HTTP_STREAM_IDLE_TIMEOUT`, default 300000. */
  readonly streamIdleMs: number;
  /** Whole attempt: buffered to the end of the body, streams to the first event. `HTTP_TIMEOUT`, default 600000. */
  readonly totalMs: number;
  /** From sending to the first event of a stream that is no comment; only while another target is left. `HTTP_FIRST_EVENT_TIMEOUT`, default 0. */
  readonly firstEventMs: number;
  /** From sending to the response headers of a buffered call; only while another target is left. `HTTP_ANSWER_TIMEOUT`, default 0. */
  readonly answerMs: number;
}
