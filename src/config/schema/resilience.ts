// How calls to a provider are retried and when its circuit opens, globally and per provider.

import { z } from "zod";
import { breakerScope, decimal, duration, onOff, oneOf, statusEntries, wholeNumber } from "../setting.ts";
import type { SettingNotes } from "../setting.ts";

/** Behaviour 2.2; `max_retry_after` and `streaming` of 2.12. */
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
      strong: "250ms",
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
      strong: "429,502,503,504,522,524,500,520,521,523,529",
      description:
        "Statuses that are retried: codes, or classes such as `5xx`. A given list replaces the default; `[]` leaves transport errors only.",
    }),
    max_retry_after: duration({
      env: "RETRY_MAX_RETRY_AFTER",
      default: "10s",
      strong: "30s",
      description:
        "Longest `Retry-After` of a provider that is waited out. A longer one ends the attempts at this target at once. `0` ignores the header.",
    }),
    streaming: oneOf(
      {
        env: "RETRY_STREAMING",
        default: "never",
        strong: "before_first_event",
        description:
          "Whether a stream may be sent again. `before_first_event`: it is retried like any other call as long as no event has arrived.",
      },
      { never: "never", before_first_event: "before_first_event" },
      { what: "a way to retry streams" },
    ),
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
      strong: "10s",
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

const profile = (notes: SettingNotes) =>
  oneOf(notes, { classic: "classic", strong: "strong" }, { what: "a resilience profile" });

/** Behaviour 2.12. */
const maxAttemptsPerRequest = wholeNumber(
  {
    env: "MAX_ATTEMPTS_PER_REQUEST",
    default: "0",
    strong: "6",
    description: "Attempts that a request may have over all its targets, retries included; `0` = no cap.",
  },
  { min: 0 },
);

/** The global block: every field has a value. */
export const resilienceSection = z
  .strictObject({
    profile: profile({
      env: "RESILIENCE_PROFILE",
      default: "classic",
      description:
        "Picks the defaults of the settings that have two of them, here and in other sections: `classic`, or `strong` for a caller who wants a whole answer. A setting that is given keeps its value under both.",
    }),
    retry,
    circuit_breaker: circuitBreaker,
    max_attempts_per_request: maxAttemptsPerRequest,
  })
  .meta({
    description: "Defaults for every provider; a provider's own `resilience` block overrides them field by field.",
  });

/** A provider's block: only the fields that it overrides. */
export const resilienceOverrides = z
  .strictObject({
    profile: profile({
      description:
        "Picks the defaults of this provider's `resilience` and `http` settings. What is given, here or globally, keeps its value.",
    }).optional(),
    retry: retry.partial().optional(),
    circuit_breaker: circuitBreaker.partial().optional(),
    max_attempts_per_request: maxAttemptsPerRequest.optional(),
  })
  .meta({
    description:
      "Overrides of the global `resilience` block; what is left out is inherited. A `profile` of its own picks the defaults of its `resilience` and `http` where neither it nor the global block gives a value.",
    example: "{ circuit_breaker: { scope: model, failure_threshold: 10 } }",
  });
