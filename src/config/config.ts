// The configuration as the rest of the gateway sees it: typed, frozen, in milliseconds and bytes.

import type { FailoverPolicy, ResiliencePolicy, UpstreamLimits } from "../core/policy.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import type { StreamRecovery, VirtualModel } from "../core/virtual-model.ts";

/** Defaults and variables of every field are in `schema/`, and from there in `docs/configuration.md`. */
export interface Config {
  readonly server: {
    /** 0 = any free one. */
    readonly port: number;
    readonly host: string;
    /** Nobody chose `host`: `--demo` without a key may narrow it to the loopback address. */
    readonly hostIsDefault: boolean;
    /** `/gateway`, or empty for the root. */
    readonly basePath: string;
    readonly masterKey: string | undefined;
    /** The master key is forgotten and a credential is required all the same. */
    readonly masterKeyDisabled: boolean;
    readonly bodySizeLimitBytes: number;
    /** 0 = off. */
    readonly streamStallTimeoutMs: number;
    readonly shutdownGraceMs: number;
    /** 0 = none. */
    readonly requestDeadlineMs: number;
    /** A stream without an event after so long is answered with `200` and comments; 0 = never (behaviour 2.12). */
    readonly earlyCommitAfterMs: number;
    /** Errors that retries and failover could not cure ask SDKs not to repeat them (behaviour 2.12). */
    readonly adviseNoRetry: boolean;
  };
  readonly log: {
    readonly level: "debug" | "info" | "warn" | "error";
    readonly format: "auto" | "text" | "json";
  };
  /** The global ones; providers have them merged in already. */
  readonly upstreamLimits: UpstreamLimits;
  readonly models: {
    readonly configuredProviderModelsMode: "fallback" | "allowlist" | "merge";
    readonly unqualifiedModelIdsAtModelsEndpoint: boolean;
    readonly keepOnlyAliasesAtModelsEndpoint: boolean;
  };
  readonly discovery: {
    /** 0 = only at start. */
    readonly refreshIntervalMs: number;
    /** 0 = never. */
    readonly recheckIntervalMs: number;
  };
  readonly storage: {
    /** Absolute. */
    readonly sqlitePath: string;
  };
  readonly logging: {
    readonly enabled: boolean;
    readonly logBodies: boolean;
    readonly logHeaders: boolean;
    readonly onlyModelInteractions: boolean;
    readonly bufferRows: number;
    readonly flushIntervalMs: number;
    /** 0 = for ever. */
    readonly retentionDays: number;
    readonly maxBodyStorageBytes: number;
  };
  readonly usage: { readonly enforceReturningUsageData: boolean };
  readonly metrics: { readonly enabled: boolean; readonly endpoint: string };
  readonly admin: { readonly endpointsEnabled: boolean };
  /** The global block; providers have it merged in already. */
  readonly resilience: ResiliencePolicy;
  readonly failover: FailoverPolicy;
  /** The global one; virtual models have it merged in already. */
  readonly streamRecovery: StreamRecovery;
  /** Only those that can be called; the others are in the problems. */
  readonly providers: readonly ProviderConfig[];
  readonly virtualModels: readonly VirtualModel[];
}
