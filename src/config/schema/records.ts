// What is stored of each request, and what operators can read of it.

import { z } from "zod";
import { byteSize, oneOf, onOff, secondsOrDuration, text, urlPath, wholeNumber } from "../setting.ts";

/** Behaviour 5.4. */
export const storageSection = z
  .strictObject({
    type: oneOf(
      { env: "STORAGE_TYPE", default: "sqlite", description: "Database of the request log." },
      { sqlite: "sqlite" },
      { what: "a database type", later: ["postgresql", "mongodb"] },
    ),
    sqlite: z
      .strictObject({
        path: text({
          env: "SQLITE_PATH",
          example: "./data/gomodel.db",
          defaultText: "`./data/gomodel.db` or the user's data directory",
          description:
            "Database file. Without it `./data/gomodel.db` when the directory `./data` exists (`npm start` creates it), otherwise `gomodel/gomodel.db` in the user's data directory.",
        }),
      })
      .meta({ description: "SQLite." }),
  })
  .meta({ description: "Where records are kept." });

export const loggingSection = z
  .strictObject({
    enabled: onOff({ env: "LOGGING_ENABLED", default: "true", description: "Keeps a row for each request." }),
    log_bodies: onOff({
      env: "LOGGING_LOG_BODIES",
      default: "true",
      description: "Keeps request and response bodies, up to 1 MB each.",
    }),
    log_headers: onOff({
      env: "LOGGING_LOG_HEADERS",
      default: "true",
      description: "Keeps request and response headers; credentials are redacted.",
    }),
    only_model_interactions: onOff({
      env: "LOGGING_ONLY_MODEL_INTERACTIONS",
      default: "true",
      description: "Keeps rows of model calls only, not of `/health` or `/v1/models`.",
    }),
    buffer_size: wholeNumber(
      {
        env: "LOGGING_BUFFER_SIZE",
        default: "10000",
        description: "Rows that may wait for the database; beyond it rows are dropped and counted.",
      },
      { min: 1, max: 1_000_000 },
    ),
    flush_interval: secondsOrDuration({
      env: "LOGGING_FLUSH_INTERVAL",
      default: "250ms",
      description: "Longest time that a row waits to be written.",
    }),
    retention_days: wholeNumber(
      {
        env: "LOGGING_RETENTION_DAYS",
        default: "30",
        description: "Days after which rows are deleted; `0` keeps them for ever.",
      },
      { min: 0, max: 36_500 },
    ),
    max_body_storage: byteSize(
      {
        env: "LOGGING_MAX_BODY_STORAGE",
        default: "1G",
        description: "Room for stored bodies, compressed; beyond it the oldest bodies go first.",
      },
      { min: 1024 ** 2, max: 1024 ** 5, allowed: "1M or more is allowed" },
    ),
  })
  .meta({ description: "The request log." });

export const usageSection = z
  .strictObject({
    enforce_returning_usage_data: onOff({
      env: "ENFORCE_RETURNING_USAGE_DATA",
      default: "true",
      description:
        "Asks providers for the usage of streams, so that they can be priced. A client that did not ask for it does not get it.",
    }),
  })
  .meta({ description: "Tokens and cost." });

/** Behaviour 5.6. */
export const metricsSection = z
  .strictObject({
    enabled: onOff({ env: "METRICS_ENABLED", default: "false", description: "Serves Prometheus metrics." }),
    endpoint: urlPath({
      env: "METRICS_ENDPOINT",
      default: "/metrics",
      description:
        "Their path. One that belongs to the API is replaced by `/metrics`, with a warning. No key is needed to read it.",
    }),
  })
  .meta({ description: "Prometheus metrics." });

export const adminSection = z
  .strictObject({
    endpoints_enabled: onOff({
      env: "ADMIN_ENDPOINTS_ENABLED",
      default: "true",
      description: "Serves the operator's API below `/admin`.",
    }),
  })
  .meta({ description: "The operator's API." });
