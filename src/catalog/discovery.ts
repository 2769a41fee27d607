// Keeps the inventories of all providers up to date: at start, at intervals, and when a request asks for a missing model.

import { Cancellation } from "../core/cancellation.ts";
import type { CancelTimer, Clock } from "../core/clock.ts";
import type { InventorySnapshot, ListedModel } from "../core/inventory.ts";
import type { ConfiguredModel } from "../core/provider-config.ts";
import {
  type ConfiguredModelsMode,
  inventoryOf,
  newListing,
  type ProviderListing,
  unique,
} from "./provider-listing.ts";

/** A caller's missing model lists a provider again at most this often. */
const onDemandIntervalMs = 10_000;

const maxErrorLength = 500;

export interface DiscoveryOptions {
  readonly providers: readonly {
    readonly name: string;
    readonly type: string;
    readonly configuredModels: readonly ConfiguredModel[];
    /** Asks the upstream once; rejects when it cannot be had. Never called in mode `allowlist`. */
    readonly list: (signal: Cancellation) => Promise<readonly ListedModel[]>;
  }[];
  readonly mode: ConfiguredModelsMode;
  /** `CACHE_REFRESH_INTERVAL`; 0 = only at start. */
  readonly refreshIntervalMs: number;
  /** `PROVIDER_RECHECK_INTERVAL`: failed providers only; 0 = off. */
  readonly recheckIntervalMs: number;
  readonly clock: Clock;
  /** Called at changes only, never once per listing. */
  readonly log: (level: "info" | "warn", message: string, fields?: Readonly<Record<string, unknown>>) => void;
  /** Until a listing counts as failed. Default 10000. */
  readonly listTimeoutMs?: number;
}

export interface Discovery {
  snapshot(): InventorySnapshot;
  /** Lists every provider, each on its own, and begins the intervals. */
  start(): void;
  /** Ends the intervals and cancels what is under way; the snapshot stays. */
  stop(): void;
  /** Resolves when the first listing of every provider has ended, well or badly. Callers bound the wait. */
  pending(): Promise<void>;
  /** On demand: one listing at a time and at most one in 10 s per provider. Resolves when the inventory is as new as it gets. */
  recheck(providerName: string): Promise<void>;
  /** Calls `listener` after each new snapshot; gives how to end that. */
  onChange(listener: () => void): () => void;
}

interface Watched {
  readonly listing: ProviderListing;
  readonly list: (signal: Cancellation) => Promise<readonly ListedModel[]>;
  inFlight: { readonly cancellation: Cancellation; readonly ended: Promise<void> } | undefined;
  lastOnDemandAt: number | undefined;
}

/** Behaviour 1.7 and 2.7. */
export function createDiscovery(options: DiscoveryOptions): Discovery {
  const { clock, mode, log } = options;
  const listTimeoutMs = options.listTimeoutMs ?? 10_000;
  const watched: readonly Watched[] = options.providers.map((provider) => ({
    listing: newListing(provider.name, provider.type, provider.configuredModels),
    list: provider.list,
    inFlight: undefined,
    lastOnDemandAt: undefined,
  }));
  const listeners = new Set<() => void>();
  const timers = new Map<"refresh" | "recheck", CancelTimer>();
  const firstListings = Promise.withResolvers<void>();
  let stopped = false;
  let snapshot = takeSnapshot(1);
  if (mode === "allowlist" || watched.length === 0) firstListings.resolve();

  function takeSnapshot(version: number): InventorySnapshot {
    return Object.freeze({
      version,
      providers: Object.freeze(watched.map(({ listing }) => inventoryOf(listing, mode))),
    });
  }

  function listOnce(provider: Watched): Promise<void> {
    if (stopped || mode === "allowlist") return Promise.resolve();
    if (provider.inFlight !== undefined) return provider.inFlight.ended;
    const cancellation = new Cancellation();
    const ended = outcomeOf(provider, cancellation).then((outcome) => {
      provider.inFlight = undefined;
      if (!stopped) settle(provider, outcome);
    });
    provider.inFlight = { cancellation, ended };
    return ended;
  }

  /** Never rejects, and ends in time whatever `list` does. */
  async function outcomeOf(provider: Watched, cancellation: Cancellation): Promise<readonly ListedModel[] | Error> {
    const cut = Promise.withResolvers<Error>();
    const cancelTimer = clock.schedule(listTimeoutMs, () => cancellation.cancel("deadline"));
    cancellation.add({ cancelled: () => cut.resolve(new Error(`no model list within ${listTimeoutMs} ms`)) });
    try {
      return await Promise.race([provider.list(cancellation), cut.promise]);
    } catch (error) {
      return error instanceof Error ? error : new Error(String(error));
    } finally {
      cancelTimer();
    }
  }

  function settle(provider: Watched, outcome: readonly ListedModel[] | Error): void {
    const { listing } = provider;
    const before = { ...listing };
    listing.lastFetchAt = clock.wallNow();
    if (outcome instanceof Error) {
      listing.lastError = (outcome.message || outcome.name).slice(0, maxErrorLength);
    } else {
      listing.listed = unique(outcome);
      listing.lastSuccessAt = listing.lastFetchAt;
      listing.lastError = undefined;
      listing.hidden = false;
    }
    hideFailed();
    logChange(before, listing);
    snapshot = takeSnapshot(snapshot.version + 1);
    if (watched.every((other) => other.listing.lastFetchAt !== undefined)) firstListings.resolve();
    for (const listener of listeners) listener();
  }

  /**
   * A failed provider's models are hidden once another provider is known to work. Until then it may be our own network
   * that is down, and the previous inventory stays (behaviour 2.7). One whose listing is under way has no say yet.
   */
  function hideFailed(): void {
    const anyWorks = watched.some(
      ({ listing, inFlight }) =>
        inFlight === undefined && listing.lastSuccessAt !== undefined && listing.lastError === undefined,
    );
    if (!anyWorks) return;
    for (const { listing } of watched) if (listing.lastError !== undefined) listing.hidden = true;
  }

  function logChange(before: ProviderListing, after: ProviderListing): void {
    const provider = after.name;
    if (after.lastError !== undefined) {
      if (before.lastError === undefined) log("warn", "model discovery failed", { provider, error: after.lastError });
      return;
    }
    const models = after.listed?.length ?? 0;
    if (before.lastError !== undefined) log("info", "model discovery works again", { provider, models });
    else if (!sameIds(before.listed, after.listed)) log("info", "models discovered", { provider, models });
  }

  /** The next round begins an interval after this one began; a provider still busy keeps the listing it has. */
  function every(name: "refresh" | "recheck", intervalMs: number, round: () => void): void {
    if (intervalMs <= 0) return;
    timers.set(
      name,
      clock.schedule(intervalMs, () => {
        every(name, intervalMs, round);
        round();
      }),
    );
  }

  function listAll(which: (listing: ProviderListing) => boolean): void {
    for (const provider of watched) if (which(provider.listing)) void listOnce(provider);
  }

  return {
    snapshot: () => snapshot,
    start() {
      if (mode === "allowlist") return;
      listAll(() => true);
      every("refresh", options.refreshIntervalMs, () => listAll(() => true));
      every("recheck", options.recheckIntervalMs, () => listAll(({ lastError }) => lastError !== undefined));
    },
    stop() {
      stopped = true;
      for (const cancelTimer of timers.values()) cancelTimer();
      timers.clear();
      for (const { inFlight } of watched) inFlight?.cancellation.cancel("drain");
      firstListings.resolve();
    },
    pending: () => firstListings.promise,
    recheck(providerName) {
      const provider = watched.find(({ listing }) => listing.name === providerName);
      if (provider === undefined) return Promise.resolve();
      if (provider.inFlight !== undefined) return provider.inFlight.ended;
      const now = clock.now();
      if (provider.lastOnDemandAt !== undefined && now - provider.lastOnDemandAt < onDemandIntervalMs) {
        return Promise.resolve();
      }
      provider.lastOnDemandAt = now;
      return listOnce(provider);
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

function sameIds(before: readonly ListedModel[] | undefined, after: readonly ListedModel[] | undefined): boolean {
  if (before === undefined || after === undefined || before.length !== after.length) return before === after;
  const ids = new Set(before.map(({ id }) => id));
  return after.every(({ id }) => ids.has(id));
}
