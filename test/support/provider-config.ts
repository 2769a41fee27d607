// A provider configuration for tests, complete and unremarkable.

import { statusList } from "../../src/core/http-status.ts";
import type { ResiliencePolicy, UpstreamLimits } from "../../src/core/policy.ts";
import type { ProviderConfig } from "../../src/core/provider-config.ts";

const resilience: ResiliencePolicy = {
  retry: {
    maxRetries: 3,
    initialBackoffMs: 1000,
    maxBackoffMs: 30_000,
    backoffFactor: 2,
    jitterFactor: 0.1,
    retryOnStatuses: statusList([429, 502, 503, 504, 522, 524]),
    maxRetryAfterMs: 10_000,
    streaming: "never",
  },
  breaker: {
    enabled: true,
    failureThreshold: 5,
    successThreshold: 2,
    timeoutMs: 30_000,
    scope: "provider",
    failureOnStatuses: statusList([429, "5xx"]),
    slowCallThresholdMs: 0,
  },
  maxAttemptsPerRequest: 0,
};

const limits: UpstreamLimits = {
  connectMs: 5000,
  responseHeaderMs: 5000,
  streamIdleMs: 5000,
  totalMs: 5000,
  firstEventMs: 0,
  answerMs: 0,
};

/** `openai-eu` of type `openai` at a base URL of its own, with what `overrides` says instead. */
export function providerConfig(overrides: Partial<ProviderConfig> = {}): ProviderConfig {
  return {
    name: "openai-eu",
    type: "openai",
    baseUrl: "http://127.0.0.1:9/v1",
    apiKeys: [],
    proxyUrl: undefined,
    apiVersion: undefined,
    customUpstreamHeaders: [],
    models: [],
    resilience,
    limits,
    supportsPrefill: undefined,
    ...overrides,
  };
}
