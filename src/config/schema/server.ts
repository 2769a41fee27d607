// Settings of the listener and of the process itself.

import { z } from "zod";
import { byteSize, duration, onOff, oneOf, secondsOrDuration, text, urlPath, wholeNumber } from "../setting.ts";

/** Behaviour 5.2; `host` and `shutdown_grace` are ours, the last three of 2.12. */
export const serverSection = z
  .strictObject({
    port: wholeNumber(
      { env: "PORT", default: "8080", description: "Port to listen on; `0` takes any free one." },
      { min: 0, max: 65_535 },
    ),
    host: text({
      env: "HOST",
      default: "0.0.0.0",
      description:
        "Address to listen on. `127.0.0.1` serves this machine only; with `--demo` and no master key that is the default.",
    }),
    base_path: urlPath({
      env: "BASE_PATH",
      default: "/",
      description: "Mounts the whole gateway below a path: with `/g` the API is at `/g/v1/...`.",
      example: "/g",
    }),
    master_key: text({
      env: "GOMODEL_MASTER_KEY",
      secret: "value",
      example: "${GOMODEL_MASTER_KEY}",
      description:
        "Key that clients send as bearer token. Without one every request is allowed, and the start says so.",
    }).optional(),
    body_size_limit: byteSize(
      {
        env: "BODY_SIZE_LIMIT",
        default: "10M",
        description: "Largest request body, 1K to 100M; a larger one is answered with 413.",
      },
      { min: 1024, max: 100 * 1024 ** 2, allowed: "1K to 100M are allowed" },
    ),
    stream_stall_timeout: secondsOrDuration({
      env: "STREAM_STALL_TIMEOUT",
      default: "60s",
      description:
        "How long a client may leave its answer unread before its connection is closed; `0` waits for ever. A slow provider never trips it.",
    }),
    shutdown_grace: duration({
      env: "SHUTDOWN_GRACE",
      default: "10s",
      description:
        "After SIGTERM: how long running requests may go on. Streams that are left get an error event, then the process ends.",
    }),
    request_deadline: duration({
      env: "REQUEST_DEADLINE",
      default: "0",
      strong: "0",
      example: "2m",
      description:
        "One limit over all targets, attempts and waits of a request; `0` = none. A wait or an attempt that cannot fit is not begun.",
    }),
    early_commit_after: duration({
      env: "EARLY_COMMIT_AFTER",
      default: "0",
      strong: "0",
      example: "20s",
      description:
        "A stream without an event after so long is answered with `200` and a comment every 15 s, so that a balancer keeps the connection; a failure after that is an error event. `0` = off.",
    }),
    advise_no_retry: onOff({
      env: "ADVISE_NO_RETRY",
      default: "false",
      strong: "true",
      description:
        "Sends `x-should-retry: false` with errors that retries and failover could not cure, so that SDKs do not repeat them.",
    }),
  })
  .meta({ description: "The listener and what every request meets first." });

/** What the specification gives no YAML key (behaviour 5.2). */
export const processSection = z
  .strictObject({
    log_level: oneOf(
      { env: "LOG_LEVEL", default: "info", description: "Least severe log line that is written." },
      {
        debug: "debug",
        info: "info",
        warn: "warn",
        error: "error",
        dbg: "debug",
        inf: "info",
        warning: "warn",
        err: "error",
      },
      { what: "a log level" },
    ),
    log_format: oneOf(
      {
        env: "LOG_FORMAT",
        default: "auto",
        description: "`text` for people, `json` for machines; `auto` is `text` in a terminal and `json` elsewhere.",
      },
      { auto: "auto", text: "text", json: "json" },
      { what: "a log format" },
    ),
    master_key_disabled: onOff({
      env: "MASTER_KEY_DISABLED",
      default: "false",
      description: "Forgets the master key at start and still requires a credential for every request.",
    }),
    config_strict: onOff({
      env: "CONFIG_STRICT",
      default: "true",
      description:
        "`false` turns unknown keys in YAML and in `VIRTUAL_MODELS` into warnings. Bad values always stop the start.",
    }),
  })
  .meta({ description: "Settings of the process that have no YAML key.", environmentOnly: true });
