// What a provider can serve, as its listing or the configuration says.

/** One model of one provider. */
export interface ListedModel {
  readonly id: string;
  /** Seconds since the epoch, as listed; undefined when the provider does not say. */
  readonly created: number | undefined;
  readonly ownedBy: string | undefined;
}

/** A provider's state for routing, `/v1/models` and the status page. */
export interface ProviderInventory {
  readonly providerName: string;
  readonly providerType: string;
  readonly models: readonly ListedModel[];
  /**
   * pending: the first listing has not ended. fresh: the last listing worked. configured: the list comes from the configuration.
   * stale: the last listing failed, `models` is the previous one. failed: no listing ever worked and nothing is configured.
   */
  readonly state: "pending" | "fresh" | "configured" | "stale" | "failed";
  /** Milliseconds since the epoch. */
  readonly lastFetchAt: number | undefined;
  readonly lastSuccessAt: number | undefined;
  readonly lastError: string | undefined;
}

/** Immutable; replaced as a whole when a listing ends. Registration order. */
export interface InventorySnapshot {
  readonly version: number;
  readonly providers: readonly ProviderInventory[];
}
