// Limits of calls to providers, and when a request goes on to its next target.

import { z } from "zod";
import { onOff, secondsOrDuration, statusEntries, text, wholeNumber } from "../setting.ts";

/** Behaviour 2.10 and 5.5; `connect_timeout` is ours. */
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
  })
  .meta({ description: "Time limits of calls to providers." });

/** Behaviour 2.8. */
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
      default: [
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
      ].join(","),
      emptyKeepsDefault: true,
      description:
        "Phrases that fail over whatever the status. A phrase matches when each of its words is in the error's code or message; a number such as `404` or `4xx` must be the status instead. An empty list keeps the default.",
    }),
  })
  .meta({
    description: "When a request to a virtual model goes on to its next target.",
  });
