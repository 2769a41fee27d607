// What the configuration says about one upstream, and what it must know about each provider type.

import type { ResiliencePolicy, UpstreamLimits } from "./policy.ts";
import type { RegionalUrl } from "./regional-url.ts";
import type { Price } from "./usage.ts";

/** A provider type as the configuration sees it; the adapters own these values. Plain data: a thread of its own reads the configuration. */
export interface ProviderTypeInfo {
  /** `openai`; also the prefix of its variables, upper case with `_` for `-`. */
  readonly type: string;
  /** Undefined: the operator must give one. */
  readonly defaultBaseUrl: string | undefined;
  /** A base URL that depends on the values of `options`; before `defaultBaseUrl`. */
  readonly regionalUrl?: RegionalUrl;
  /** `unless-base-url`: needed only for the default base URL (`openai`). `optional`: local servers. */
  readonly apiKey: "required" | "unless-base-url" | "optional";
  /** Whether `base_url` alone (without a key) registers the provider from the environment. */
  readonly enabledByBaseUrl: boolean;
  /** Variables of `options` that this type cannot be without, and that together register it from the environment. Absent: none. */
  readonly enabledByOptions?: readonly string[];
  /** Whether it serves embeddings, too. */
  readonly embeddings: boolean;
  /** Only for a type without a model listing: what stands for it as long as no models are configured; empty when nothing is known. */
  readonly knownModels?: readonly string[];
  /** Takes `api_version` / `<TYPE>_API_VERSION`; with its default. */
  readonly defaultApiVersion?: string;
  /** Its models go on from a last message of the assistant, unless the configuration says otherwise. Default: false. */
  readonly supportsPrefill?: boolean;
  /** Settings that only this type has. */
  readonly options?: readonly ProviderOption[];
}

/** A setting of one provider type, given by an environment variable (behaviour 5.7). */
export interface ProviderOption {
  /** `DEEPSEEK_JSON_SCHEMA_MODE`. */
  readonly variable: string;
  /** The same in a provider's own block: `api_mode`. Absent: only the variable, for all providers of the type. */
  readonly key?: string;
  /** What it means, for the generated documentation. */
  readonly meaning: string;
  /** The allowed values; undefined: any text. */
  readonly values: readonly string[] | undefined;
  readonly default: string;
}

export interface ConfiguredModel {
  readonly id: string;
  /** Overrides the bundled prices, rate by rate. */
  readonly price: Price | undefined;
  /** Tokens. */
  readonly contextWindow: number | undefined;
  /** Overrides the provider's. */
  readonly supportsPrefill: boolean | undefined;
}

/** One entry of `providers:`, environment merged in. */
export interface ProviderConfig {
  readonly name: string;
  readonly type: string;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** In order, no duplicates; empty when the type needs none. */
  readonly apiKeys: readonly string[];
  /** `http`, `https`, `socks5` or `socks5h`; replaces the process-wide proxy variables. */
  readonly proxyUrl: string | undefined;
  readonly apiVersion: string | undefined;
  /** Sent with every call; may replace a default header of the type. */
  readonly customUpstreamHeaders: readonly (readonly [name: string, value: string])[];
  readonly models: readonly ConfiguredModel[];
  /** Values of the type's `options` by variable; a missing one means its default. */
  readonly options?: Readonly<Record<string, string>>;
  readonly resilience: ResiliencePolicy;
  /** Its own, each else the global one. */
  readonly limits: UpstreamLimits;
  /** Whether its models go on from a last message of the assistant; undefined: the type decides (behaviour 2.12). */
  readonly supportsPrefill: boolean | undefined;
}
