// One upstream as an operator declares it.

import { z } from "zod";
import { decimal, headerText, httpAddress, oneOf, onOff, text, wholeNumber } from "../setting.ts";
import { resilienceOverrides } from "./resilience.ts";
import { httpOverrides } from "./traffic.ts";

const rate = (of: string, example: string) =>
  decimal({ description: `USD per million ${of}.`, example }, { min: 0 }).optional();

/** Behaviour 1.17; keys in the spelling of the specification. */
const pricing = z
  .strictObject({
    currency: oneOf(
      { description: "Only `USD`.", example: "USD" },
      { usd: "USD" },
      { what: "a currency that prices can be in" },
    ).optional(),
    input_per_mtok: rate("input tokens", "1.25"),
    output_per_mtok: rate("output tokens", "10"),
    cached_input_per_mtok: rate("input tokens that came from the provider's cache", "0.125"),
    cache_write_per_mtok: rate("input tokens that the provider wrote to its cache", "1.25"),
    reasoning_output_per_mtok: rate("reasoning tokens", "10"),
    audio_input_per_mtok: rate("audio input tokens", "32"),
    audio_output_per_mtok: rate("audio output tokens", "64"),
    per_request: decimal({ description: "USD per request.", example: "0" }, { min: 0 }).optional(),
    tiers: z
      .array(
        z.strictObject({
          up_to_mtok: decimal(
            { description: "Up to so many million input tokens; left out in the last tier.", example: "0.2" },
            { min: 0, above: true },
          ).optional(),
          input_per_mtok: rate("input tokens", "1.25"),
          output_per_mtok: rate("output tokens", "10"),
          cached_input_per_mtok: rate("input tokens that came from the provider's cache", "0.125"),
        }),
      )
      .meta({ kind: "list", description: "Rates by the number of input tokens, ascending." })
      .optional(),
  })
  .meta({ description: "Prices; each rate replaces the built-in one." });

const model = z
  .strictObject({
    id: text({ description: "The model's id at the provider.", example: "gpt-4o" }),
    supports_prefill: onOff({
      description: "The provider's `supports_prefill` for this model.",
      example: "false",
    }).optional(),
    metadata: z
      .strictObject({
        context_window: wholeNumber(
          { description: "Tokens that fit into one request.", example: "128000" },
          { min: 1 },
        ).optional(),
        pricing: pricing.optional(),
      })
      .meta({ description: "What is known about the model." })
      .optional(),
  })
  .meta({ description: "A model: its id alone, or a map.", shorthand: "id" });

/** Behaviour 5.7. `type` and `proxy_url` are checked where the provider is put together (3.5: a bad proxy skips the provider). */
export const providerBlock = z
  .strictObject({
    type: text({
      description: "Which kind of provider this is; may be left out when the provider is named after its type.",
      example: "openai",
    }).optional(),
    api_key: headerText({
      providerVariable: "API_KEY",
      secret: "value",
      example: "${OPENAI_API_KEY}",
      description:
        "Its key. Not needed by local servers, nor by `type: openai` with a `base_url`. More keys from the environment: `<TYPE>_API_KEY_2`, `_3`, ...",
    }).optional(),
    api_keys: z
      .array(headerText({ secret: "value", description: "A key." }))
      .meta({
        kind: "list",
        secret: "value",
        description:
          "Several keys, used in turn; with `api_key` that one comes first. Keys from the environment replace them.",
        example: '["${OPENAI_API_KEY_A}", "${OPENAI_API_KEY_B}"]',
      })
      .optional(),
    base_url: httpAddress({
      providerVariable: "BASE_URL",
      secret: "url",
      example: "https://api.openai.com/v1",
      description: "Address of its API, when it is not the type's own; for `bedrock-mantle` also a region.",
    }).optional(),
    proxy_url: text({
      providerVariable: "PROXY_URL",
      secret: "url",
      example: "socks5://proxy.internal:1080",
      description:
        "Proxy for all calls to it: `http`, `https`, `socks5` or `socks5h`. Replaces `HTTP_PROXY` and `HTTPS_PROXY`. With a bad one the provider is left out.",
    }).optional(),
    api_version: text({
      providerVariable: "API_VERSION",
      example: "2024-10-21",
      description: "API version, for the types that have one (`azure`).",
    }).optional(),
    api_mode: text({
      example: "native",
      description:
        "Which of its ways a type is asked in: `native` or `openai_compatible` (`gemini`, `vertex`); `auto`, `openai` or `standard` (`bedrock-mantle`).",
    }).optional(),
    auth_type: text({
      example: "gcp_service_account",
      description: "`gcp_adc` or `gcp_service_account`: whose credentials `vertex` uses.",
    }).optional(),
    vertex_project: text({ example: "my-project", description: "Google Cloud project of `vertex`." }).optional(),
    vertex_location: text({ example: "us-central1", description: "Location of `vertex`." }).optional(),
    service_account_file: text({
      example: "/run/secrets/vertex.json",
      description: "Path of the key of a service account, for `vertex`.",
    }).optional(),
    service_account_json: text({
      secret: "value",
      example: "${SERVICE_ACCOUNT}",
      description: "The key of a service account itself, for `vertex`.",
    }).optional(),
    service_account_json_base64: text({
      secret: "value",
      example: "${SERVICE_ACCOUNT_BASE64}",
      description: "The same in base64.",
    }).optional(),
    models: z
      .array(model)
      .meta({
        kind: "list",
        providerVariable: "MODELS",
        description:
          "Its models: ids, or maps with context window and prices. What the list is for: `models.configured_provider_models_mode`.",
      })
      .optional(),
    custom_upstream_headers: z
      .record(z.string(), headerText({ secret: "value", description: "A header's value." }))
      .meta({
        kind: "map",
        secret: "value",
        description: "Headers sent with every call to it.",
        example: "{ X-Team: gateway }",
      })
      .optional(),
    resilience: resilienceOverrides.optional(),
    http: httpOverrides.optional(),
    supports_prefill: onOff({
      description:
        "Whether its models go on from a last message of the assistant, as `stream_recovery: continue` asks them to. Left out, the type decides.",
      example: "true",
    }).optional(),
    retries: wholeNumber(
      { description: "Short for `resilience.retry.max_retries`, which wins when both are given.", example: "5" },
      { min: 0 },
    ).optional(),
  })
  .meta({ description: "One upstream." });

export const providersSection = z.record(z.string(), providerBlock).meta({
  description:
    "The upstreams, each under a name of its own choice without `/`. A provider without a usable credential is left out, with a warning. Providers can also come from the environment alone: `<TYPE>_API_KEY`, or `<TYPE>_BASE_URL` for local servers, registers the provider `<type>`; `<TYPE>_<SUFFIX>_API_KEY` registers `<type>-<suffix>`.",
});
