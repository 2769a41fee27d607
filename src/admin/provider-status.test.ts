// The status page's data: pills by the rules of behaviour 2.6, the exact JSON, and no secret in it.

import { describe, expect, test } from "bun:test";
import { providerConfig } from "../../test/support/provider-config.ts";
import type { ProviderInventory } from "../core/inventory.ts";
import { createAdminRoutes } from "./admin-routes.ts";
import type { ProviderStatusInput } from "./provider-status.ts";
import { providerStatusReport } from "./provider-status.ts";

const checkedAt = Date.UTC(2026, 0, 15, 12);
const quiet = { windowSeconds: 600, requests: 0, errors: 0, models: [], degraded: false };
const ill = {
  windowSeconds: 600,
  requests: 9,
  errors: 4,
  models: [
    { model: "good", requests: 5, errors: 1 },
    { model: "bad", requests: 4, errors: 3 },
  ],
  degraded: true,
};

function inventory(state: ProviderInventory["state"], models: number, lastError?: string): ProviderInventory {
  return {
    providerName: "openai-eu",
    providerType: "openai",
    models: Array.from({ length: models }, (_, index) => ({ id: `m${index}`, created: undefined, ownedBy: undefined })),
    state,
    lastFetchAt: checkedAt,
    lastSuccessAt: undefined,
    lastError,
  };
}

function breaker(state: "closed" | "half-open" | "open"): ProviderStatusInput["breaker"] {
  return { state, scope: "provider", openedAt: undefined, nextProbeAt: undefined, models: [] };
}

function input(overrides: Partial<ProviderStatusInput> = {}): ProviderStatusInput {
  return {
    config: providerConfig(),
    inventory: inventory("fresh", 1),
    health: quiet,
    breaker: breaker("closed"),
    ...overrides,
  };
}

/** Of the first provider, beside one that is well. */
function pillOf(overrides: Partial<ProviderStatusInput>): [label: string, status: string, reason: string] {
  const [provider] = providerStatusReport([input(overrides), input()]).providers;
  if (provider === undefined) throw new Error("no provider in the report");
  return [provider.status_label, provider.status, provider.status_reason];
}

describe("a pill", () => {
  const hidden = "latest check failed; models are hidden from the model list until the provider recovers";
  const cases: readonly [Partial<ProviderStatusInput>, string, string, string][] = [
    [{}, "Healthy", "healthy", "configured and model discovery succeeded"],
    [{ inventory: inventory("configured", 1) }, "Healthy", "healthy", "provider models are currently available"],
    [
      { inventory: inventory("fresh", 0) },
      "Configured",
      "degraded",
      "provider is configured but has not exposed models yet",
    ],
    [
      { inventory: inventory("pending", 0) },
      "Starting",
      "degraded",
      "provider is configured and awaiting live model discovery",
    ],
    [
      { inventory: inventory("pending", 2) },
      "Starting",
      "degraded",
      "serving cached model inventory while live refresh finishes",
    ],
    [{ inventory: inventory("stale", 2) }, "Offline", "unhealthy", hidden],
    [
      { inventory: inventory("failed", 0) },
      "Unhealthy",
      "unhealthy",
      "model discovery failed and no provider models are currently available",
    ],
    [{ inventory: undefined }, "Unknown", "degraded", "provider runtime inventory is unavailable"],
    [{ health: ill }, "Degraded", "degraded", "recent requests keep failing: 3 of 4 to bad"],
    [
      { breaker: breaker("open") },
      "Circuit Open",
      "unhealthy",
      "circuit breaker is open - provider temporarily unavailable",
    ],
    [
      { breaker: breaker("half-open"), health: ill },
      "Recovering",
      "degraded",
      "circuit breaker is half-open - probe requests decide whether it closes",
    ],
    [{ breaker: breaker("half-open"), inventory: inventory("stale", 1) }, "Offline", "unhealthy", hidden],
    [{ health: ill, inventory: inventory("stale", 1) }, "Offline", "unhealthy", hidden],
  ];
  test.each(cases)("%#: case is %s", (overrides, label, status, reason) => {
    expect(pillOf(overrides)).toEqual([label, status, reason]);
  });

  test("is Degraded when the listings of all providers fail and the previous inventory stays listed", () => {
    expect(pillOf({ inventory: inventory("fresh", 1, "connection refused") })).toEqual([
      "Degraded",
      "degraded",
      "latest model refresh failed; previous inventory is still available",
    ]);
  });
});

describe("the summary", () => {
  const healthy = input();
  const degraded = input({ health: ill });
  const unhealthy = input({ breaker: breaker("open") });
  const cases: readonly [string, readonly ProviderStatusInput[], object][] = [
    ["none", [], { total: 0, healthy: 0, degraded: 0, unhealthy: 0, overall_status: "degraded" }],
    ["all well", [healthy, healthy], { total: 2, healthy: 2, degraded: 0, unhealthy: 0, overall_status: "healthy" }],
    ["all down", [unhealthy], { total: 1, healthy: 0, degraded: 0, unhealthy: 1, overall_status: "unhealthy" }],
    [
      "mixed",
      [healthy, degraded, unhealthy],
      { total: 3, healthy: 1, degraded: 1, unhealthy: 1, overall_status: "degraded" },
    ],
  ];
  test.each(cases)("of %s", (_name, inputs, summary) => {
    expect(providerStatusReport(inputs).summary).toEqual(summary as never);
  });
});

test("the endpoint answers every member, with passwords masked and without keys", async () => {
  const canary = "c4n4ry-5ecret";
  const [, , route] = createAdminRoutes({
    requestLog: { find: () => Promise.reject(new Error("unused")), detail: () => Promise.reject(new Error("unused")) },
    wallNow: () => 0,
    resetBreaker: () => false,
    providers: () => [
      input({
        config: providerConfig({
          baseUrl: `https://user:${canary}@api.example/v1?key=${canary}`,
          apiKeys: [canary],
          proxyUrl: `socks5://me:${canary}@proxy:1080`,
          apiVersion: "2024-10-21",
          customUpstreamHeaders: [["x-secret", canary]],
          models: [{ id: "gpt-4o-mini", price: undefined, contextWindow: undefined, supportsPrefill: undefined }],
        }),
        inventory: inventory("stale", 2, `401: key sk-${canary} refused`),
        health: ill,
        breaker: {
          state: "open",
          scope: "model",
          openedAt: checkedAt,
          nextProbeAt: checkedAt + 30_000,
          models: [{ model: "bad", state: "open" }],
        },
      }),
    ],
  });
  expect(route?.path).toBe("/admin/providers/status");
  const answer = await route?.handle(new URL("http://admin.invalid/"), "");
  expect(answer?.status).toBe(200);
  const json = JSON.stringify(answer?.body);
  expect(json).not.toContain(canary);
  const lastError = "401: key [REDACTED] refused";
  expect(JSON.parse(json).providers).toEqual([
    {
      name: "openai-eu",
      type: "openai",
      status: "unhealthy",
      status_label: "Circuit Open",
      status_reason: "circuit breaker is open - provider temporarily unavailable",
      last_error: lastError,
      config: {
        name: "openai-eu",
        type: "openai",
        base_url: "https://user:xxxxx@api.example/v1",
        api_version: "2024-10-21",
        proxy_url: "socks5://me:xxxxx@proxy:1080",
        models: ["gpt-4o-mini"],
        resilience: {
          retry: {
            max_retries: 3,
            initial_backoff: "1s",
            max_backoff: "30s",
            backoff_factor: 2,
            jitter_factor: 0.1,
            retry_on_statuses: ["429", "502", "503", "504", "522", "524"],
            max_retry_after: "10s",
          },
          circuit_breaker: {
            enabled: true,
            failure_threshold: 5,
            success_threshold: 2,
            timeout: "30s",
            scope: "provider",
            failure_on_statuses: ["429", "5xx"],
            slow_call_threshold: "0s",
          },
        },
      },
      runtime: {
        name: "openai-eu",
        type: "openai",
        registered: true,
        registry_initialized: true,
        discovered_model_count: 2,
        using_cached_models: true,
        inventory_stale: true,
        last_model_fetch_at: "2026-01-15T12:00:00.000Z",
        last_model_fetch_success_at: null,
        last_model_fetch_error: lastError,
        last_availability_check_at: null,
        last_availability_ok_at: null,
        last_availability_error: null,
      },
      request_health: {
        window_seconds: 600,
        requests: 9,
        errors: 4,
        models: [
          { model: "good", requests: 5, errors: 1 },
          { model: "bad", requests: 4, errors: 3 },
        ],
      },
      circuit_breaker: {
        state: "open",
        scope: "model",
        opened_at: "2026-01-15T12:00:00.000Z",
        next_probe_at: "2026-01-15T12:00:30.000Z",
        models: [{ model: "bad", state: "open" }],
      },
    },
  ]);
});

test("a provider whose breaker is off has no circuit_breaker at all", () => {
  const [provider] = providerStatusReport([input({ breaker: undefined })]).providers;
  expect(JSON.stringify(provider)).not.toContain('"opened_at"');
  expect(provider).not.toHaveProperty("circuit_breaker");
});
