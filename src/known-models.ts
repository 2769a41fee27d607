// Which model names may become labels: callers choose names, so only those that a provider lists or the configuration names.

import type { InventorySnapshot } from "./core/inventory.ts";
import type { Target } from "./core/target.ts";

export function createKnownModels(inventory: () => InventorySnapshot): (target: Target) => boolean {
  let version = -1;
  let known = new Map<string, ReadonlySet<string>>();
  return ({ providerName, model }) => {
    const snapshot = inventory();
    if (snapshot.version !== version) {
      version = snapshot.version;
      known = new Map(
        snapshot.providers.map((provider) => [provider.providerName, new Set(provider.models.map(({ id }) => id))]),
      );
    }
    return known.get(providerName)?.has(model) === true;
  };
}
