// Which models are listed, and how often providers are asked for theirs.

import { z } from "zod";
import { oneOf, onOff, secondsOrDuration } from "../setting.ts";

/** Behaviour 1.7 and 5.3. */
export const modelsSection = z
  .strictObject({
    configured_provider_models_mode: oneOf(
      {
        env: "CONFIGURED_PROVIDER_MODELS_MODE",
        default: "fallback",
        description:
          "What a provider's `models` list is for. `fallback`: used when the provider's own listing fails or is empty. `allowlist`: only these, the provider is not asked. `merge`: added to its listing.",
      },
      { fallback: "fallback", allowlist: "allowlist", merge: "merge" },
      { what: "a mode" },
    ),
    unqualified_model_ids_at_models_endpoint: onOff({
      env: "UNQUALIFIED_MODEL_IDS_AT_MODELS_ENDPOINT",
      default: "false",
      description: "`GET /v1/models` lists `gpt-4o` instead of `openai/gpt-4o`.",
    }),
    keep_only_aliases_at_models_endpoint: onOff({
      env: "KEEP_ONLY_ALIASES_AT_MODELS_ENDPOINT",
      default: "false",
      description: "`GET /v1/models` lists virtual models only.",
    }),
  })
  .meta({ description: "What `GET /v1/models` shows." });

export const cacheSection = z
  .strictObject({
    model: z
      .strictObject({
        refresh_interval: secondsOrDuration({
          env: "CACHE_REFRESH_INTERVAL",
          default: "3600s",
          description: "How often every provider is asked for its models; `0` = only at start.",
        }),
        recheck_interval: secondsOrDuration({
          env: "PROVIDER_RECHECK_INTERVAL",
          default: "60s",
          description: "How often providers whose last listing failed are asked again; `0` = never.",
        }),
      })
      .meta({ description: "Model discovery." }),
  })
  .meta({ description: "What is kept of the providers' model listings." });
