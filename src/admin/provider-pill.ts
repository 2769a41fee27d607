// One word and one sentence about a provider: what its listing says, made worse by what its requests say (behaviour 2.6).

import type { ProviderInventory } from "../core/inventory.ts";
import type { HealthStatus, StatusLabel } from "./contract.ts";

export interface Pill {
  readonly label: StatusLabel;
  readonly reason: string;
}

export interface PillSources {
  /** Undefined: the catalog does not know the provider. */
  readonly inventory: ProviderInventory | undefined;
  readonly breakerState: "closed" | "half-open" | "open" | undefined;
  readonly health: {
    readonly degraded: boolean;
    readonly models: readonly { readonly model: string; readonly requests: number; readonly errors: number }[];
  };
}

const statusOf: Readonly<Record<StatusLabel, HealthStatus>> = {
  Healthy: "healthy",
  Starting: "degraded",
  Configured: "degraded",
  Degraded: "degraded",
  Recovering: "degraded",
  "Circuit Open": "unhealthy",
  Unhealthy: "unhealthy",
  Unknown: "degraded",
  Offline: "unhealthy",
};

/** The three-valued form of a pill. */
export function healthStatusOf(label: StatusLabel): HealthStatus {
  return statusOf[label];
}

export function pillOf(sources: PillSources): Pill {
  const { breakerState, health } = sources;
  if (breakerState === "open") {
    return { label: "Circuit Open", reason: "circuit breaker is open - provider temporarily unavailable" };
  }
  const listing = listingPill(sources);
  // Requests can only make it worse: a provider that lists nothing stays what it is.
  if (healthStatusOf(listing.label) === "unhealthy") return listing;
  if (breakerState === "half-open") {
    return { label: "Recovering", reason: "circuit breaker is half-open - probe requests decide whether it closes" };
  }
  return health.degraded ? { label: "Degraded", reason: failingReason(health.models) } : listing;
}

function listingPill({ inventory }: PillSources): Pill {
  if (inventory === undefined) return { label: "Unknown", reason: "provider runtime inventory is unavailable" };
  const hasModels = inventory.models.length > 0;
  switch (inventory.state) {
    case "pending":
      return hasModels
        ? { label: "Starting", reason: "serving cached model inventory while live refresh finishes" }
        : { label: "Starting", reason: "provider is configured and awaiting live model discovery" };
    case "fresh":
      // The listings of all providers fail at once: none is hidden, and the error tells (behaviour 2.7).
      if (inventory.lastError !== undefined) {
        return { label: "Degraded", reason: "latest model refresh failed; previous inventory is still available" };
      }
      return hasModels
        ? { label: "Healthy", reason: "configured and model discovery succeeded" }
        : { label: "Configured", reason: "provider is configured but has not exposed models yet" };
    case "configured":
      return hasModels
        ? { label: "Healthy", reason: "provider models are currently available" }
        : { label: "Configured", reason: "provider is configured but has not exposed models yet" };
    case "stale":
      return {
        label: "Offline",
        reason: "latest check failed; models are hidden from the model list until the provider recovers",
      };
    case "failed":
      return {
        label: "Unhealthy",
        reason: "model discovery failed and no provider models are currently available",
      };
  }
}

function failingReason(models: PillSources["health"]["models"]): string {
  let worst = models[0];
  for (const model of models) if (worst === undefined || model.errors > worst.errors) worst = model;
  return worst === undefined
    ? "recent requests keep failing"
    : `recent requests keep failing: ${worst.errors} of ${worst.requests} to ${worst.model}`;
}
