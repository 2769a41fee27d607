// Which price holds for a target: the bundled one, with the operator's rates on top.

import type { Clock } from "../core/clock.ts";
import type { ConfiguredModel } from "../core/provider-config.ts";
import { type Target, targetName } from "../core/target.ts";
import type { Cost, Price, Usage } from "../core/usage.ts";
import type { PriceLookUp } from "./bundled-prices.ts";
import { costOf } from "./cost.ts";

/** Model names come from callers as well: what is remembered of them is bounded. */
const maxRemembered = 10_000;

/** How long a price that depends on the time of day is taken as it is. */
const timedPriceMs = 60_000;

export interface PricesOptions {
  readonly providers: readonly {
    readonly name: string;
    readonly type: string;
    readonly models: readonly ConfiguredModel[];
  }[];
  /** Prices of public models; `bundledPrice` outside tests. */
  readonly lookUp: PriceLookUp;
  readonly clock: Clock;
}

export interface Prices {
  /** Undefined when nobody knows: a local model, a model that is in no list. */
  priceOf(target: Target): Price | undefined;
  /** The cost of an answer of `target`, at the rates of this moment. */
  costOf(usage: Usage, target: Target): Cost;
}

interface Remembered {
  readonly price: Price | undefined;
  /** On the wall clock; undefined = for good. */
  readonly until: number | undefined;
}

/** Prices per provider type and model, overridden rate by rate by `providers.<name>.models[].pricing` (behaviour 1.7, 1.17). */
export function createPrices(options: PricesOptions): Prices {
  const types = new Map(options.providers.map((provider) => [provider.name, provider.type]));
  const overrides = new Map<string, Price>();
  for (const provider of options.providers) {
    for (const model of provider.models) {
      if (model.price !== undefined) {
        overrides.set(targetName({ providerName: provider.name, model: model.id }), model.price);
      }
    }
  }
  const remembered = new Map<string, Remembered>();

  function priceOf(target: Target): Price | undefined {
    const type = types.get(target.providerName);
    if (type === undefined) return undefined;
    const key = targetName(target);
    const known = remembered.get(key);
    const now = options.clock.wallNow();
    if (known !== undefined && (known.until === undefined || now < known.until)) return known.price;
    const { price: listed, changesWithTime } = options.lookUp(type, target.model, now);
    const price = withOverride(listed, overrides.get(key));
    if (remembered.size >= maxRemembered) remembered.clear();
    remembered.set(key, { price, until: changesWithTime ? now + timedPriceMs : undefined });
    return price;
  }

  return { priceOf, costOf: (usage, target) => costOf(usage, priceOf(target)) };
}

/** An overridden rate holds at every size of request: it replaces the list's steps for that rate, too. */
function withOverride(listed: Price | undefined, own: Price | undefined): Price | undefined {
  if (own === undefined) return listed;
  if (listed === undefined) return own;
  const stepped = {
    inputPerMtok: own.inputPerMtok,
    outputPerMtok: own.outputPerMtok,
    cachedInputPerMtok: own.cachedInputPerMtok,
    cacheWritePerMtok: own.cacheWritePerMtok,
  };
  return {
    ...listed,
    ...given(own),
    tiers: own.tiers ?? listed.tiers?.map((tier) => ({ ...tier, ...given(stepped) })),
  };
}

/** Without the members that are there and undefined, which would erase what they are spread over. */
function given<T extends object>(values: T): Partial<T> {
  const present: Partial<T> = { ...values };
  for (const key in present) if (present[key] === undefined) delete present[key];
  return present;
}
