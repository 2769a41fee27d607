// Turns the model name of a request into a route: the targets that get their turn, in order.

import type { Clock } from "../core/clock.ts";
import { type Failure, invalidRequest } from "../core/failure.ts";
import type { InventorySnapshot } from "../core/inventory.ts";
import type { Route, Router } from "../core/route.ts";
import type { Target } from "../core/target.ts";
import type { Price } from "../core/usage.ts";
import type { VirtualModel } from "../core/virtual-model.ts";
import { createRotations } from "./compile-redirects.ts";
import { createPlan, type Missing, type Plan } from "./plan.ts";
import { createSwitches } from "./switches.ts";
import { redirectsOf } from "./target-meaning.ts";
import { WeightedRotation } from "./weighted-rotation.ts";

/** How long a request waits for a listing before its name counts as unknown (decision 15). */
const maxWaitMs = 3000;

/** Prices change with the time of day: how long the order of `cost` may be out of date. */
const priceAgeMs = 60_000;

const maxNameLength = 256;

export interface RouterOptions {
  readonly virtualModels: readonly VirtualModel[];
  /** In order of registration. */
  readonly providers: readonly { readonly name: string }[];
  readonly inventory: () => InventorySnapshot;
  /** Calls the listener after each new snapshot; gives how to end that. */
  readonly onInventoryChange: (listener: () => void) => () => void;
  /** Lists a provider again on demand; resolves when that is done or not due. */
  readonly recheck: (providerName: string) => Promise<void>;
  readonly priceOf: (target: Target) => Price | undefined;
  readonly clock: Clock;
}

/** The router, and what the model list wants to know from it. */
export interface ModelRouter extends Router {
  /** The concrete model that a virtual model begins with now, without counting as a request; undefined when none can be served. */
  firstTarget(source: string): Target | undefined;
  /** Whether a concrete model is switched off by an entry without targets. */
  isOff(target: Target): boolean;
}

/** Behaviour 1.6, 1.8, 2.8 and 2.11. Works on one compiled plan per inventory snapshot. */
export function createRouter(options: RouterOptions): ModelRouter {
  const redirects = redirectsOf(options.virtualModels);
  const switches = createSwitches(options.virtualModels);
  const rotationOf = createRotations((weights) => new WeightedRotation(weights));
  const pricesMatter = [...redirects.values()].some(({ strategy }) => strategy === "cost");
  const registered = options.providers.map(({ name }) => name).join(", ") || "none";
  let plan = makePlan(options.inventory());
  let planMadeAt = options.clock.now();

  function makePlan(snapshot: InventorySnapshot): Plan {
    const { providers } = options;
    return createPlan({ redirects, switches, providers, snapshot, rotationOf, priceOf: combinedPrice });
  }

  function combinedPrice(target: Target): number | undefined {
    const price = options.priceOf(target);
    if (price === undefined || (price.inputPerMtok === undefined && price.outputPerMtok === undefined))
      return undefined;
    return (price.inputPerMtok ?? 0) + (price.outputPerMtok ?? 0);
  }

  function currentPlan(): Plan {
    const snapshot = options.inventory();
    if (snapshot.version !== plan.version || (pricesMatter && options.clock.now() - planMadeAt >= priceAgeMs)) {
      plan = makePlan(snapshot);
      planMadeAt = options.clock.now();
    }
    return plan;
  }

  function find(model: string, providerHint: string | undefined): Route | Missing {
    return providerHint === undefined ? currentPlan().byName(model) : currentPlan().atProvider(providerHint, model);
  }

  async function findLater(
    model: string,
    providerHint: string | undefined,
    missing: Missing,
  ): Promise<Route | Failure> {
    if (missing.listingsPending) await untilFound(() => find(model, providerHint));
    else await withinWait(Promise.allSettled(missing.lackingProviders.map((name) => options.recheck(name))));
    const found = find(model, providerHint);
    return isRoute(found) ? found : unsupported(model);
  }

  /** Tries again at every new snapshot, so that one provider that hangs holds up no name of another. */
  function untilFound(attempt: () => Route | Missing): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const endListening = options.onInventoryChange(() => {
      const found = attempt();
      if (isRoute(found) || !found.listingsPending) resolve();
    });
    return withinWait(promise).finally(endListening);
  }

  async function withinWait(work: Promise<unknown>): Promise<void> {
    const limit = Promise.withResolvers<void>();
    const cancelTimer = options.clock.schedule(maxWaitMs, limit.resolve);
    await Promise.race([work, limit.promise]);
    cancelTimer();
  }

  return {
    resolve(model, providerHint) {
      const found = find(model, providerHint);
      if (isRoute(found)) return found;
      if (found.unknownProvider !== undefined) return unknownProvider(found.unknownProvider, registered);
      if (!found.listingsPending && found.lackingProviders.length === 0) return unsupported(model);
      return findLater(model, providerHint, found);
    },
    firstTarget: (source) => currentPlan().firstTarget(source),
    isOff: switches.isOff,
  };
}

function isRoute(found: Route | Missing): found is Route {
  return "targets" in found;
}

function unsupported(model: string): Failure {
  return invalidRequest(`unsupported model: ${shortened(model)}`, { param: "model", code: "model_not_found" });
}

function unknownProvider(name: string, registered: string): Failure {
  return invalidRequest(`unknown provider: ${shortened(name)} (registered: ${registered})`, {
    param: "provider",
    code: "provider_not_found",
  });
}

function shortened(name: string): string {
  return name.length <= maxNameLength ? name : `${name.slice(0, maxNameLength)}...`;
}
