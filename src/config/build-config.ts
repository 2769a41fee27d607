// Read settings -> the frozen Config.

import { resolve } from "node:path";
import { deepFreeze } from "../core/deep-freeze.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { VirtualModel } from "../core/virtual-model.ts";
import type { Config } from "./config.ts";
import { failoverPolicy, resiliencePolicy, upstreamLimits } from "./policies.ts";
import type { Settings } from "./schema.ts";

export interface ConfigParts {
  readonly settings: Settings;
  readonly providers: readonly ProviderConfig[];
  readonly virtualModels: readonly VirtualModel[];
  readonly hostIsDefault: boolean;
  readonly metricsEndpoint: string;
  readonly cwd: string;
}

export function buildConfig(parts: ConfigParts): Config {
  const { server, process, http, models, cache, storage, logging, usage, metrics, admin } = parts.settings;
  return deepFreeze({
    server: {
      port: server.port,
      host: server.host,
      hostIsDefault: parts.hostIsDefault,
      basePath: server.base_path,
      masterKey: process.master_key_disabled ? undefined : server.master_key,
      masterKeyDisabled: process.master_key_disabled,
      bodySizeLimitBytes: server.body_size_limit,
      streamStallTimeoutMs: server.stream_stall_timeout,
      shutdownGraceMs: server.shutdown_grace,
      requestDeadlineMs: server.request_deadline,
      earlyCommitAfterMs: server.early_commit_after,
      adviseNoRetry: server.advise_no_retry,
    },
    log: { level: process.log_level, format: process.log_format },
    upstreamLimits: upstreamLimits(http),
    models: {
      configuredProviderModelsMode: models.configured_provider_models_mode,
      unqualifiedModelIdsAtModelsEndpoint: models.unqualified_model_ids_at_models_endpoint,
      keepOnlyAliasesAtModelsEndpoint: models.keep_only_aliases_at_models_endpoint,
    },
    discovery: {
      refreshIntervalMs: cache.model.refresh_interval,
      recheckIntervalMs: cache.model.recheck_interval,
    },
    storage: { sqlitePath: resolve(parts.cwd, storage.sqlite.path) },
    logging: {
      enabled: logging.enabled,
      logBodies: logging.log_bodies,
      logHeaders: logging.log_headers,
      onlyModelInteractions: logging.only_model_interactions,
      bufferRows: logging.buffer_size,
      flushIntervalMs: logging.flush_interval,
      retentionDays: logging.retention_days,
      maxBodyStorageBytes: logging.max_body_storage,
    },
    usage: { enforceReturningUsageData: usage.enforce_returning_usage_data },
    metrics: { enabled: metrics.enabled, endpoint: parts.metricsEndpoint },
    admin: { endpointsEnabled: admin.endpoints_enabled },
    resilience: resiliencePolicy(parts.settings.resilience),
    failover: failoverPolicy(parts.settings.failover),
    streamRecovery: parts.settings.failover.stream_recovery,
    providers: parts.providers,
    virtualModels: parts.virtualModels,
  });
}
