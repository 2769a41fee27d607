// Limits of calls to providers, and when a request goes on to its next target.

import { z } from "zod";
import { oneOf, onOff, secondsOrDuration, statusEntries, text, wholeNumber } from "../setting.ts";
import type { SettingNotes } from "../setting.ts";

/** Behaviour 2.10, 2.12 and 5.5; `connect_timeout` is ours. */
export const httpSection = z
  .strictObject({
    timeout: secondsOrDuration({
      env: "HTTP_TIMEOUT",
      default: "600s",
      description: "Limit of one attempt: a buffered answer to its end, a stream to its first event. `0` = off.",
    }),
    response_header_timeout: secondsOrDuration({
      env: "HTTP_RESPONSE_HEADER_TIMEOUT",
      default: "600s",
      description: "Limit from sending a request to the response headers. `0` = off.",
    }),
    stream_idle_timeout: secondsOrDuration({
      env: "HTTP_STREAM_IDLE_TIMEOUT",
      default: "300s",
      description: "Longest silence of a provider within a stream. `0` = off.",
    }),
    connect_timeout: secondsOrDuration({
      env: "HTTP_CONNECT_TIMEOUT",
      default: "30s",
      description: "Limit for name look-up, TCP, proxy and TLS together. `0` = off.",
    }),
    first_event_timeout: secondsOrDuration({
      env: "HTTP_FIRST_EVENT_TIMEOUT",
      default: "0",
      strong: "12s",
      description:
        "Limit of one attempt from its start, connecting included, to a stream's first event; comments are none. Only while another target is left to try. `0` = off.",
    }),
    answer_timeout: secondsOrDuration({
      env: "HTTP_ANSWER_TIMEOUT",
      default: "0",
      strong: "120s",
      description:
        "Limit of one attempt from its start, connecting included, to the response headers of a buffered answer. Only while another target is left to try. `0` = off.",
    }),
  })
  .meta({ description: "Time limits of calls to providers; a provider's own `http` block overrides them one by one." });

/** A provider's block: only the limits that it overrides. */
export const httpOverrides = httpSection.partial().meta({
  description: "Overrides of the global `http` limits; what is left out is inherited.",
  example: "{ response_header_timeout: 120s, first_event_timeout: 20s }",
});

/** Behaviour 2.12. Tools that read YAML 1.1 hand `off` on as `false`. */
export const streamRecovery = (notes: SettingNotes) =>
  oneOf(
    notes,
    { off: "off", buffer: "buffer", continue: "continue", false: "off" },
    { what: "a kind of stream recovery" },
  );

const defaultPhrases = [
  "model not found",
  "model does not exist",
  "model unsupported",
  "model unavailable",
  "model not available",
  "model deprecated",
  "model retired",
  "model disabled",
  "upstream failed",
  "upstream error",
  "upstream unavailable",
  "upstream timed out",
  "upstream timeout",
  "404 unsupported",
  "404 unavailable",
  "404 not available",
  "404 deprecated",
  "404 retired",
  "404 disabled",
];

/** Behaviour 2.12: a request too long for one model may fit another. */
const contextLengthPhrases = [
  "400 context_length_exceeded",
  "400 maximum context",
  "400 context window",
  "400 prompt too long",
  "413",
];

/** Behaviour 2.8 and 2.12. */
export const failoverSection = z
  .strictObject({
    enabled: onOff({
      env: "FAILOVER_ENABLED",
      default: "true",
      description: "`false`: the chosen target is served, and its error is the answer.",
    }),
    max_attempts: wholeNumber(
      {
        env: "FAILOVER_MAX_ATTEMPTS",
        default: "0",
        description: "Failover targets that a request may try after its first target failed; `0` = all that remain.",
      },
      { min: 0 },
    ),
    retry_on_statuses: statusEntries({
      env: "FAILOVER_RETRY_ON_STATUSES",
      default: "429,5xx",
      emptyKeepsDefault: true,
      description: "Statuses that fail over: codes, or classes such as `5xx`. An empty list keeps the default.",
    }),
    retry_on_errors: z.array(text({ description: "A phrase." })).meta({
      env: "FAILOVER_RETRY_ON_ERRORS",
      kind: "list of phrases",
      default: defaultPhrases.join(","),
      strong: [...defaultPhrases, ...contextLengthPhrases].join(","),
      emptyKeepsDefault: true,
      description:
        "Phrases that fail over whatever the status. A phrase matches when each of its words is in the error's code or message; a number such as `404` or `4xx` must be the status instead. An empty list keeps the default. A refusal for its content never fails over.",
    }),
    retries_before_failover: wholeNumber(
      {
        env: "FAILOVER_RETRIES_BEFORE_FAILOVER",
        default: "-1",
        strong: "1",
        description:
          "Retries at a target while another one is left to try; `-1` = all of `resilience.retry.max_retries`, `0` = none.",
      },
      { min: -1 },
    ),
    stream_recovery: streamRecovery({
      env: "FAILOVER_STREAM_RECOVERY",
      default: "off",
      strong: "continue",
      description:
        "What happens when a stream breaks after its first event. `off`: it ends in an error event. `buffer`: the answer is held back until it is whole; if it breaks, the next target starts from nothing. `continue`: the next target goes on where it broke. A virtual model may say otherwise.",
    }),
  })
  .meta({
    description: "When a request to a virtual model goes on to its next target.",
  });
