// Puts side by side what different parts know of each provider, for the status endpoint.

import type { ProviderStatusInput } from "./admin/provider-status.ts";
import type { RequestHealth } from "./catalog/request-health.ts";
import type { Clock } from "./core/clock.ts";
import type { ProviderInventory } from "./core/inventory.ts";
import type { ProviderConfig } from "./core/provider-config.ts";
import type { Breakers } from "./resilience/breakers.ts";

export function statusInputs(
  configs: readonly ProviderConfig[],
  inventories: readonly ProviderInventory[],
  breakers: Breakers,
  health: RequestHealth,
  clock: Clock,
): ProviderStatusInput[] {
  const views = breakers.views();
  return configs.map((config) => {
    const view = views.find(({ providerName }) => providerName === config.name);
    const openedAt = view?.openedAt === undefined ? undefined : clock.wallNow() - (clock.now() - view.openedAt);
    return {
      config,
      inventory: inventories.find(({ providerName }) => providerName === config.name),
      health: health.ofProvider(config.name),
      breaker:
        view === undefined
          ? undefined
          : {
              state: view.state,
              scope: view.scope,
              openedAt,
              nextProbeAt: openedAt === undefined ? undefined : openedAt + view.timeoutMs,
              models: view.models,
            },
    };
  });
}
