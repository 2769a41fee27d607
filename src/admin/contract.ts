// The operator's API as types: what each endpoint answers, member by member (behaviour 6.3, 1.18 and decision 21).

/** `GET /admin/audit/log`. */
export interface AuditLogPage {
  /** Newest first, by the order in which requests ended. */
  readonly entries: readonly AuditEntry[];
  /** Entries that match, on all pages. */
  readonly total: number;
  readonly limit: number;
  readonly offset: number;
}

/** One request. Times are ISO 8601 in UTC. */
export interface AuditEntry {
  readonly id: string;
  readonly timestamp: string;
  readonly duration_ns: number;
  readonly requested_model: string | null;
  readonly resolved_model: string | null;
  /** Type of the provider that answered, or that was called last. */
  readonly provider: string | null;
  readonly provider_name: string | null;
  readonly alias_used: boolean;
  readonly workflow_version_id: null;
  readonly cache_type: null;
  readonly status_code: number;
  readonly request_id: string;
  readonly auth_key_id: null;
  readonly auth_method: string | null;
  readonly client_ip: string;
  readonly method: string;
  readonly path: string;
  readonly user_path: null;
  readonly session_id: null;
  readonly stream: boolean;
  readonly error_type: string | null;
  /** From receiving the request to its first data event; streams only. */
  readonly first_event_ms: number | null;
  /** Null when the answer told nothing about its usage. */
  readonly usage: AuditUsage | null;
  readonly data: AuditData;
}

/** Costs in USD; null = unknown, 0 = free. */
export interface AuditUsage {
  readonly input_tokens: number;
  readonly output_tokens: number;
  readonly total_tokens: number;
  readonly cached_input_tokens: number;
  readonly cache_write_input_tokens: number;
  readonly reasoning_tokens: number;
  readonly input_cost: number | null;
  readonly output_cost: number | null;
  readonly total_cost: number | null;
  readonly cost_source: string | null;
  readonly costs_calculation_caveat: string | null;
}

/** Members that do not apply are absent. */
export interface AuditData {
  readonly user_agent: string;
  /** First 16 hex characters of the SHA-256 of the key that was sent. */
  readonly api_key_hash?: string | undefined;
  readonly virtual_model?: string | undefined;
  readonly failover?: { readonly target_model: string } | undefined;
  readonly attempts: readonly AuditAttempt[];
  readonly temperature?: number | undefined;
  readonly max_tokens?: number | undefined;
  readonly error_message?: string | undefined;
  readonly error_code?: string | number | undefined;
  readonly stream_error?: string | undefined;
  /** The stream broke after its first event, and this came of going on at another target: recovered, impossible, diverged or exhausted. */
  readonly stream_recovery?: string | undefined;
  readonly request_body_too_big_to_handle?: true | undefined;
  readonly response_body_too_big_to_handle?: true | undefined;
  /** The gateway's memory for waiting rows was full, so the bodies of this one were not kept. */
  readonly bodies_dropped?: true | undefined;
  /** Headers and bodies: only in the detail. Bodies are JSON values where they can be read as such, else text. */
  readonly request_headers?: Readonly<Record<string, string>> | undefined;
  readonly response_headers?: Readonly<Record<string, string>> | undefined;
  readonly request_body?: unknown;
  readonly response_body?: unknown;
}

export interface AuditAttempt {
  /** `provider/model`. */
  readonly target: string;
  readonly provider_name: string;
  readonly model: string;
  /** From 1. */
  readonly turn: number;
  readonly kind: "first" | "retry" | "failover" | "recovery";
  readonly outcome: "succeeded" | "failed" | "skipped" | "cancelled";
  readonly status_code: number | null;
  readonly error_type: string | null;
  readonly error_code: string | number | null;
  readonly error_message: string | null;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly first_event_ms: number | null;
}

export type HealthStatus = "healthy" | "degraded" | "unhealthy";

/** The pills of behaviour 2.6. */
export type StatusLabel =
  | "Healthy"
  | "Starting"
  | "Configured"
  | "Degraded"
  | "Recovering"
  | "Circuit Open"
  | "Unhealthy"
  | "Unknown"
  | "Offline";

/** `GET /admin/providers/status`. */
export interface ProviderStatusReport {
  readonly summary: {
    readonly total: number;
    readonly healthy: number;
    readonly degraded: number;
    readonly unhealthy: number;
    readonly overall_status: HealthStatus;
  };
  readonly providers: readonly ProviderStatus[];
}

export interface ProviderStatus {
  readonly name: string;
  readonly type: string;
  readonly status: HealthStatus;
  readonly status_label: StatusLabel;
  readonly status_reason: string;
  readonly last_error: string | null;
  readonly config: ProviderStatusConfig;
  readonly runtime: ProviderStatusRuntime;
  readonly request_health: {
    readonly window_seconds: number;
    readonly requests: number;
    readonly errors: number;
    readonly models: readonly { readonly model: string; readonly requests: number; readonly errors: number }[];
  };
  /** Absent when the breaker is off. */
  readonly circuit_breaker?: {
    readonly state: "closed" | "half-open" | "open";
    readonly scope: "provider" | "model";
    readonly opened_at: string | null;
    readonly next_probe_at: string | null;
    readonly models: readonly { readonly model: string; readonly state: "closed" | "half-open" | "open" }[];
  };
}

/** Durations as the configuration writes them (`1.5s`); no keys, passwords masked. */
export interface ProviderStatusConfig {
  readonly name: string;
  readonly type: string;
  readonly base_url: string;
  readonly api_version: string | null;
  readonly proxy_url: string | null;
  readonly models: readonly string[];
  readonly resilience: {
    readonly retry: {
      readonly max_retries: number;
      readonly initial_backoff: string;
      readonly max_backoff: string;
      readonly backoff_factor: number;
      readonly jitter_factor: number;
      readonly retry_on_statuses: readonly string[];
      readonly max_retry_after: string;
    };
    readonly circuit_breaker: {
      readonly enabled: boolean;
      readonly failure_threshold: number;
      readonly success_threshold: number;
      readonly timeout: string;
      readonly scope: "provider" | "model";
      readonly failure_on_statuses: readonly string[];
      readonly slow_call_threshold: string;
    };
  };
}

export interface ProviderStatusRuntime {
  readonly name: string;
  readonly type: string;
  readonly registered: boolean;
  readonly registry_initialized: boolean;
  readonly discovered_model_count: number;
  /** The models shown come from an earlier listing. */
  readonly using_cached_models: boolean;
  readonly inventory_stale: boolean;
  readonly last_model_fetch_at: string | null;
  readonly last_model_fetch_success_at: string | null;
  readonly last_model_fetch_error: string | null;
  /** There is no check of availability besides the listing. */
  readonly last_availability_check_at: null;
  readonly last_availability_ok_at: null;
  readonly last_availability_error: null;
}
