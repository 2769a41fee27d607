// How all providers are doing: configuration, listing, recent requests and circuits side by side, without any secret.

import type { ProviderInventory } from "../core/inventory.ts";
import type { ResiliencePolicy } from "../core/policy.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import { redactedText } from "../store/redaction.ts";
import type {
  HealthStatus,
  ProviderStatus,
  ProviderStatusConfig,
  ProviderStatusReport,
  ProviderStatusRuntime,
} from "./contract.ts";
import { healthStatusOf, pillOf } from "./provider-pill.ts";

type CircuitState = "closed" | "half-open" | "open";

/** What is known of one provider now. */
export interface ProviderStatusInput {
  readonly config: ProviderConfig;
  /** Undefined: the catalog does not know it. */
  readonly inventory: ProviderInventory | undefined;
  readonly health: {
    readonly windowSeconds: number;
    readonly requests: number;
    readonly errors: number;
    readonly models: readonly { readonly model: string; readonly requests: number; readonly errors: number }[];
    /** Some model keeps failing (behaviour 2.6). */
    readonly degraded: boolean;
  };
  /** Undefined when it is off. */
  readonly breaker:
    | {
        readonly state: CircuitState;
        readonly scope: "provider" | "model";
        /** Milliseconds since the epoch; undefined unless open. */
        readonly openedAt: number | undefined;
        readonly nextProbeAt: number | undefined;
        readonly models: readonly { readonly model: string; readonly state: CircuitState }[];
      }
    | undefined;
}

/** The body of `GET /admin/providers/status`. */
export function providerStatusReport(inputs: readonly ProviderStatusInput[]): ProviderStatusReport {
  const providers = inputs.map(providerStatus);
  const count = (status: HealthStatus) => providers.filter((provider) => provider.status === status).length;
  const [healthy, degraded, unhealthy] = [count("healthy"), count("degraded"), count("unhealthy")];
  const total = providers.length;
  return {
    summary: { total, healthy, degraded, unhealthy, overall_status: overall(total, healthy, unhealthy) },
    providers,
  };
}

function overall(total: number, healthy: number, unhealthy: number): HealthStatus {
  if (total === 0) return "degraded";
  if (healthy === total) return "healthy";
  return unhealthy === total ? "unhealthy" : "degraded";
}

function providerStatus(input: ProviderStatusInput): ProviderStatus {
  const { config, inventory, health, breaker } = input;
  const pill = pillOf({ inventory, breakerState: breaker?.state, health });
  return {
    name: config.name,
    type: config.type,
    status: healthStatusOf(pill.label),
    status_label: pill.label,
    status_reason: pill.reason,
    last_error: errorText(inventory?.lastError),
    config: configView(config),
    runtime: runtimeView(config, inventory),
    request_health: {
      window_seconds: health.windowSeconds,
      requests: health.requests,
      errors: health.errors,
      models: health.models.map(({ model, requests, errors }) => ({ model, requests, errors })),
    },
    ...(breaker === undefined
      ? {}
      : {
          circuit_breaker: {
            state: breaker.state,
            scope: breaker.scope,
            opened_at: isoTime(breaker.openedAt),
            next_probe_at: isoTime(breaker.nextProbeAt),
            models: breaker.models.map(({ model, state }) => ({ model, state })),
          },
        }),
  };
}

function configView(config: ProviderConfig): ProviderStatusConfig {
  return {
    name: config.name,
    type: config.type,
    base_url: withoutPassword(withoutQuery(config.baseUrl)),
    api_version: config.apiVersion ?? null,
    proxy_url: config.proxyUrl === undefined ? null : withoutPassword(config.proxyUrl),
    models: config.models.map((model) => model.id),
    resilience: resilienceView(config.resilience),
  };
}

function resilienceView({ retry, breaker }: ResiliencePolicy): ProviderStatusConfig["resilience"] {
  return {
    retry: {
      max_retries: retry.maxRetries,
      initial_backoff: duration(retry.initialBackoffMs),
      max_backoff: duration(retry.maxBackoffMs),
      backoff_factor: retry.backoffFactor,
      jitter_factor: retry.jitterFactor,
      retry_on_statuses: retry.retryOnStatuses.source,
      max_retry_after: duration(retry.maxRetryAfterMs),
    },
    circuit_breaker: {
      enabled: breaker.enabled,
      failure_threshold: breaker.failureThreshold,
      success_threshold: breaker.successThreshold,
      timeout: duration(breaker.timeoutMs),
      scope: breaker.scope,
      failure_on_statuses: breaker.failureOnStatuses.source,
      slow_call_threshold: duration(breaker.slowCallThresholdMs),
    },
  };
}

function runtimeView(config: ProviderConfig, inventory: ProviderInventory | undefined): ProviderStatusRuntime {
  const modelCount = inventory?.models.length ?? 0;
  const state = inventory?.state;
  return {
    name: config.name,
    type: config.type,
    registered: inventory !== undefined,
    registry_initialized: state !== undefined && state !== "pending",
    discovered_model_count: modelCount,
    using_cached_models: modelCount > 0 && (state === "stale" || state === "pending"),
    inventory_stale: state === "stale",
    last_model_fetch_at: isoTime(inventory?.lastFetchAt),
    last_model_fetch_success_at: isoTime(inventory?.lastSuccessAt),
    last_model_fetch_error: errorText(inventory?.lastError),
    last_availability_check_at: null,
    last_availability_ok_at: null,
    last_availability_error: null,
  };
}

/** Providers quote the key that they refuse. */
function errorText(text: string | undefined): string | null {
  return text === undefined ? null : redactedText(text);
}

/** The password, or a user part that has none, becomes `xxxxx` (behaviour 3.5). */
function withoutPassword(address: string): string {
  return address
    .replace(/^([a-z][a-z0-9+.-]*:\/\/[^:@/]*):.*@/i, "$1:xxxxx@")
    .replace(/^([a-z][a-z0-9+.-]*:\/\/)[^:@/]+@/i, "$1xxxxx@");
}

/** Some upstreams take their key in the query. */
function withoutQuery(address: string): string {
  const mark = address.indexOf("?");
  return mark === -1 ? address : address.slice(0, mark);
}

function duration(ms: number): string {
  if (ms === 0) return "0s";
  return ms < 1_000 ? `${ms}ms` : `${ms / 1_000}s`;
}

function isoTime(ms: number | undefined): string | null {
  return ms === undefined ? null : new Date(ms).toISOString();
}
