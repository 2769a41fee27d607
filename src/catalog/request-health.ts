// How requests to each provider and model went in the last ten minutes.

import type { Clock } from "../core/clock.ts";
import type { Failure } from "../core/failure.ts";
import type { Turn } from "../core/turn.ts";

const bucketMs = 30_000;
const buckets = 20;

/** Model names come from callers: per provider, the ones unused for longest are forgotten first. */
const maxModelsPerProvider = 1024;

const minErrors = 3;

interface ModelHealth {
  readonly model: string;
  readonly requests: number;
  readonly errors: number;
}

interface ProviderHealth {
  readonly windowSeconds: 600;
  readonly requests: number;
  readonly errors: number;
  /** With an outcome in the window; most requests first. */
  readonly models: readonly ModelHealth[];
  /** Some model has at least 3 errors that are at least half of its requests (behaviour 2.6). */
  readonly degraded: boolean;
}

export interface RequestHealth {
  /** Counts the turn's outcome. Skipped and cancelled turns are none, and what the gateway itself did to a turn is not the provider's. */
  turnEnd(turn: Turn): void;
  ofProvider(providerName: string): ProviderHealth;
}

/** Counts per 30 s, overwritten in a circle. */
class Window {
  readonly #requests = new Uint32Array(buckets);
  readonly #errors = new Uint32Array(buckets);
  #newest = 0;

  count(bucket: number, failed: boolean): void {
    this.#forget(bucket);
    const slot = bucket % buckets;
    this.#requests[slot] = (this.#requests[slot] ?? 0) + 1;
    if (failed) this.#errors[slot] = (this.#errors[slot] ?? 0) + 1;
  }

  totals(bucket: number): { requests: number; errors: number } {
    this.#forget(bucket);
    const add = (sum: number, value: number) => sum + value;
    return { requests: this.#requests.reduce(add, 0), errors: this.#errors.reduce(add, 0) };
  }

  #forget(bucket: number): void {
    for (let old = Math.max(this.#newest, bucket - buckets) + 1; old <= bucket; old++) {
      this.#requests[old % buckets] = 0;
      this.#errors[old % buckets] = 0;
    }
    this.#newest = Math.max(this.#newest, bucket);
  }
}

/** In memory, per process (behaviour 2.6). */
export function createRequestHealth(clock: Clock): RequestHealth {
  const providers = new Map<string, Map<string, Window>>();
  /** The last model of each provider's map. */
  const newest = new Map<string, string>();
  const currentBucket = () => Math.floor(clock.now() / bucketMs);

  function windowOf(providerName: string, model: string): Window {
    let models = providers.get(providerName);
    if (models === undefined) providers.set(providerName, (models = new Map()));
    let window = models.get(model);
    if (window === undefined) {
      window = new Window();
      const oldest = models.size >= maxModelsPerProvider ? models.keys().next() : undefined;
      if (oldest?.done === false) models.delete(oldest.value);
    } else if (newest.get(providerName) === model) {
      return window;
    } else {
      models.delete(model);
    }
    // A map keeps the order of insertion: the first one is the one unused for longest.
    models.set(model, window);
    newest.set(providerName, model);
    return window;
  }

  return {
    turnEnd(turn) {
      const failed = turn.outcome === "failed" || turn.outcome === "truncated";
      if (!failed && turn.outcome !== "succeeded") return;
      if (failed && !isAnswerOfProvider(turn.failure)) return;
      windowOf(turn.target.providerName, turn.target.model).count(currentBucket(), failed);
    },
    ofProvider(providerName) {
      const bucket = currentBucket();
      const models: ModelHealth[] = [];
      for (const [model, window] of providers.get(providerName) ?? []) {
        const totals = window.totals(bucket);
        if (totals.requests > 0) models.push({ model, ...totals });
      }
      return {
        windowSeconds: 600,
        requests: models.reduce((sum, model) => sum + model.requests, 0),
        errors: models.reduce((sum, model) => sum + model.errors, 0),
        models: models.toSorted((a, b) => b.requests - a.requests || (a.model < b.model ? -1 : 1)),
        degraded: models.some(({ requests, errors }) => errors >= minErrors && errors * 2 >= requests),
      };
    },
  };
}

/** Any error answer, 4xx as well, and any way of giving none; not what the gateway or the caller brought about. */
function isAnswerOfProvider(failure: Failure | undefined): boolean {
  switch (failure?.origin) {
    case "status":
    case "answer":
    case "transport":
    case "timeout":
    case undefined:
      return true;
    case "request":
    case "diverged":
    case "circuit-open":
    case "no-breaker-slot":
    case "cancelled":
    case "deadline":
    case "drain":
    case "bug":
      return false;
  }
}
