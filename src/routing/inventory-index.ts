// The inventory of all providers, made ready for look-ups by name.

import type { InventorySnapshot, ProviderInventory } from "../core/inventory.ts";
import { splitSelector, type Target, targetName } from "../core/target.ts";
import { pin } from "./target-meaning.ts";

/**
 * served: listed, or not yet known because the first listing has not ended. down: its provider's listing fails, and nothing
 * is configured. unlisted: its provider has a list without it. unknown-provider: no such provider is registered.
 */
type Availability = "served" | "down" | "unlisted" | "unknown-provider";

export interface InventoryIndex {
  isProvider(name: string): boolean;
  availability(target: Target): Availability;
  /** Listed by a provider that works: worth remembering. */
  isListed(target: Target): boolean;
  /** Whether the provider's list can be trusted to be complete: its last listing worked, or the list is the operator's. */
  knowsItsModels(providerName: string): boolean;
  /** The concrete model that a pinned id means: one redundant prefix is taken off, unless the id is listed with it. */
  pinned(providerName: string, id: string): Target;
  /**
   * The concrete models that a name can mean underneath all virtual models: one if it is qualified; for a bare id one at each
   * provider that exposes it, in order of registration.
   */
  concrete(name: string): readonly Target[];
  /** Some provider's first listing has not ended. */
  readonly pending: boolean;
}

interface Known {
  readonly inventory: ProviderInventory | undefined;
  readonly ids: ReadonlySet<string>;
}

const none: readonly Target[] = [];

export function indexInventory(
  providers: readonly { readonly name: string }[],
  snapshot: InventorySnapshot,
): InventoryIndex {
  const known = new Map<string, Known>();
  for (const { name } of providers) known.set(name, { inventory: undefined, ids: new Set() });
  const exposing = new Map<string, Target[]>();
  for (const inventory of snapshot.providers) {
    if (!known.has(inventory.providerName)) continue;
    known.set(inventory.providerName, { inventory, ids: new Set(inventory.models.map(({ id }) => id)) });
    for (const { id } of inventory.models) {
      const target = Object.freeze({ providerName: inventory.providerName, model: id });
      const others = exposing.get(id);
      if (others === undefined) exposing.set(id, [target]);
      else others.push(target);
    }
  }

  const lists = (providerName: string, id: string) => known.get(providerName)?.ids.has(id) === true;

  function availability(target: Target): Availability {
    const provider = known.get(target.providerName);
    if (provider === undefined) return "unknown-provider";
    if (provider.inventory === undefined || provider.inventory.state === "pending") return "served";
    if (isDown(provider.inventory)) return "down";
    return provider.ids.has(target.model) ? "served" : "unlisted";
  }

  function pinned(providerName: string, id: string): Target {
    const target = pin(providerName, id);
    return lists(providerName, id) && !lists(providerName, target.model) ? { providerName, model: id } : target;
  }

  return {
    isProvider: (name) => known.has(name),
    availability,
    isListed: (target) => availability(target) === "served" && lists(target.providerName, target.model),
    knowsItsModels(providerName) {
      const inventory = known.get(providerName)?.inventory;
      if (inventory === undefined || inventory.lastError !== undefined) return false;
      return inventory.state === "fresh" || inventory.state === "configured";
    },
    pinned,
    concrete(name) {
      const split = splitSelector(name);
      if (split === undefined || !known.has(split.providerName)) return exposing.get(name) ?? none;
      // Some ids begin with their own provider's name (`openrouter/auto` at openrouter).
      const whole = { providerName: split.providerName, model: name };
      return [availability(split) === "unlisted" && lists(split.providerName, name) ? whole : split];
    },
    pending: snapshot.providers.some(({ providerName, state }) => state === "pending" && known.has(providerName)),
  };
}

function isDown({ state }: ProviderInventory): boolean {
  return state === "stale" || state === "failed";
}

/** Targets by their written form, so that one target is one object and is compared as such. */
export function createTargetPool(): (target: Target) => Target {
  const pool = new Map<string, Target>();
  return (target) => {
    const name = targetName(target);
    let pooled = pool.get(name);
    if (pooled === undefined) pool.set(name, (pooled = Object.freeze({ ...target })));
    return pooled;
  };
}
