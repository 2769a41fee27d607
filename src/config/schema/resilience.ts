// How calls to a provider are retried and when its circuit opens, globally and per provider.

import { z } from "zod";
import { breakerScope, decimal, duration, onOff, statusEntries, wholeNumber } from "../setting.ts";

/** Behaviour 2.2 and `max_retry_after` of 2.12. */
const retry = z
  .strictObject({
    max_retries: wholeNumber(
      {
        env: "RETRY_MAX_RETRIES",
        default: "3",
        description: "Further attempts at the same target after a failed one; `0` = exactly one attempt.",
      },
      { min: 0 },
    ),
    initial_backoff: duration({
      env: "RETRY_INITIAL_BACKOFF",
      default: "1s",
      description: "Wait before the first retry.",
    }),
    max_backoff: duration({
      env: "RETRY_MAX_BACKOFF",
      default: "30s",
      description: "Longest computed wait, jitter included.",
    }),
    backoff_factor: decimal(
      {
        env: "RETRY_BACKOFF_FACTOR",
        default: "2",
        description: "By how much the wait grows from one retry to the next.",
      },
      { min: 1 },
    ),
    jitter_factor: decimal(
      { env: "RETRY_JITTER_FACTOR", default: "0.1", description: "Share of the wait that is random, 0 to 1." },
      { min: 0, max: 1 },
    ),
    retry_on_statuses: statusEntries({
      env: "RETRY_ON_STATUSES",
      default: "429,502,503,504,522,524",
      description:
        "Statuses that are retried: codes, or classes such as `5xx`. A given list replaces the default; `[]` leaves transport errors only.",
    }),
    max_retry_after: duration({
      env: "RETRY_MAX_RETRY_AFTER",
      default: "10s",
      description:
        "Longest `Retry-After` of a provider that is waited out. A longer one ends the attempts at this target at once. `0` ignores the header.",
    }),
  })
  .meta({ description: "Retries at the same target." });

const circuitBreaker = z
  .strictObject({
    enabled: onOff({
      env: "CIRCUIT_BREAKER_ENABLED",
      default: "true",
      description: "`false` keeps the thresholds but never consults them.",
    }),
    scope: breakerScope({
      env: "CIRCUIT_BREAKER_SCOPE",
      default: "provider",
      description: "One circuit for the provider, or one for each of its models.",
    }),
    failure_threshold: wholeNumber(
      {
        env: "CIRCUIT_BREAKER_FAILURE_THRESHOLD",
        default: "5",
        description: "Failures in a row that open the circuit; `0` disables the breaker.",
      },
      { min: 0 },
    ),
    success_threshold: wholeNumber(
      {
        env: "CIRCUIT_BREAKER_SUCCESS_THRESHOLD",
        default: "2",
        description: "Good probes in a row that close it again.",
      },
      { min: 1 },
    ),
    timeout: duration({
      env: "CIRCUIT_BREAKER_TIMEOUT",
      default: "30s",
      description: "How long the circuit stays open before a probe is let through.",
    }),
    failure_on_statuses: statusEntries({
      env: "CIRCUIT_BREAKER_FAILURE_ON_STATUSES",
      default: "429,5xx",
      description: "Statuses that count as failures. `[]` leaves transport errors and timeouts only.",
    }),
    slow_call_threshold: duration({
      env: "CIRCUIT_BREAKER_SLOW_CALL_THRESHOLD",
      default: "0",
      example: "60s",
      description:
        "Answers slower than this count as failures, and are delivered all the same; streams are measured to their first event. `0` = off.",
    }),
  })
  .meta({
    description:
      "Stops calling a provider that keeps failing. Switch it off where something in front of the provider already sheds load.",
  });

/** The global block: every field has a value. */
export const resilienceSection = z.strictObject({ retry, circuit_breaker: circuitBreaker }).meta({
  description: "Defaults for every provider; a provider's own `resilience` block overrides them field by field.",
});

/** A provider's block: only the fields that it overrides. */
export const resilienceOverrides = z
  .strictObject({ retry: retry.partial().optional(), circuit_breaker: circuitBreaker.partial().optional() })
  .meta({
    description: "Overrides of the global `resilience` block; what is left out is inherited.",
    example: "{ circuit_breaker: { scope: model, failure_threshold: 10 } }",
  });
