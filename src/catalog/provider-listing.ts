// What is known of one provider's models: its last listings, and the inventory that follows from them.

import type { ListedModel, ProviderInventory } from "../core/inventory.ts";
import type { ConfiguredModel } from "../core/provider-config.ts";

/** `CONFIGURED_PROVIDER_MODELS_MODE`, behaviour 1.7: how a configured list and the upstream's go together. */
export type ConfiguredModelsMode = "fallback" | "allowlist" | "merge";

/** The facts about one provider; changed only by the listing that has just ended. */
export interface ProviderListing {
  readonly name: string;
  readonly type: string;
  readonly configured: readonly ListedModel[];
  /** Of the last listing that worked; undefined before. */
  listed: readonly ListedModel[] | undefined;
  lastFetchAt: number | undefined;
  lastSuccessAt: number | undefined;
  /** Of the last listing; undefined when it worked. */
  lastError: string | undefined;
  /** The last listing failed while another provider's worked: what was discovered is hidden (behaviour 2.7). */
  hidden: boolean;
}

export function newListing(name: string, type: string, configured: readonly ConfiguredModel[]): ProviderListing {
  return {
    name,
    type,
    configured: unique(configured.map(({ id }) => ({ id, created: undefined, ownedBy: undefined }))),
    listed: undefined,
    lastFetchAt: undefined,
    lastSuccessAt: undefined,
    lastError: undefined,
    hidden: false,
  };
}

/**
 * A failed listing leaves the state `fresh` when all providers failed at once; `lastError` then tells the status page that
 * the list is the previous one. Configured models outlive every failure, for they are the operator's word.
 */
export function inventoryOf(listing: ProviderListing, mode: ConfiguredModelsMode): ProviderInventory {
  const { state, models } = stateOf(listing, mode);
  return Object.freeze({
    providerName: listing.name,
    providerType: listing.type,
    models: Object.freeze(models),
    state,
    lastFetchAt: listing.lastFetchAt,
    lastSuccessAt: listing.lastSuccessAt,
    lastError: listing.lastError,
  });
}

function stateOf(listing: ProviderListing, mode: ConfiguredModelsMode): Pick<ProviderInventory, "state" | "models"> {
  const { configured, listed } = listing;
  if (mode === "allowlist") return { state: "configured", models: configured };
  if (listing.lastFetchAt === undefined) return { state: "pending", models: configured };
  if (listed !== undefined && !listing.hidden) {
    if (mode === "merge") return { state: "fresh", models: unique([...listed, ...configured]) };
    return listed.length === 0 && configured.length > 0
      ? { state: "configured", models: configured }
      : { state: "fresh", models: listed };
  }
  if (configured.length > 0) return { state: "configured", models: configured };
  return listed === undefined ? { state: "failed", models: [] } : { state: "stale", models: listed };
}

/** First one wins; upstreams have been seen to list a model twice, and without a name. */
export function unique(models: readonly ListedModel[]): readonly ListedModel[] {
  const byId = new Map<string, ListedModel>();
  for (const model of models) if (model.id !== "" && !byId.has(model.id)) byId.set(model.id, model);
  return [...byId.values()];
}
