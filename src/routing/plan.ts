// What every name means on one inventory snapshot; made once, asked by every request.

import type { InventorySnapshot } from "../core/inventory.ts";
import type { Route } from "../core/route.ts";
import { type Target, targetName } from "../core/target.ts";
import type { VirtualModel } from "../core/virtual-model.ts";
import { type Choice, joinOrders } from "./choice.ts";
import { type CompiledRedirect, type CompileOptions, compileRedirects, preferred } from "./compile-redirects.ts";
import { createTargetPool, indexInventory } from "./inventory-index.ts";
import type { Switches } from "./switches.ts";
import type { Redirects } from "./target-meaning.ts";

/** Why a name has no route yet. */
export interface Missing {
  /** A first listing is under way and may bring the name. */
  readonly listingsPending: boolean;
  /** Providers whose complete list lacks it: worth listing again. */
  readonly lackingProviders: readonly string[];
  /** The provider asked for by its own field is not registered. */
  readonly unknownProvider: string | undefined;
}

export interface Plan {
  /** Of the snapshot that it was made from. */
  readonly version: number;
  /** A name as callers write it: a virtual model, a bare id or `provider/model`. */
  byName(name: string): Route | Missing;
  /** A model of the provider that the request names in its `provider` field: virtual models are passed by. */
  atProvider(providerName: string, id: string): Route | Missing;
  firstTarget(source: string): Target | undefined;
}

export interface PlanOptions extends Pick<CompileOptions, "redirects" | "rotationOf" | "priceOf"> {
  readonly redirects: Redirects;
  readonly switches: Switches;
  readonly providers: readonly { readonly name: string }[];
  readonly snapshot: InventorySnapshot;
}

/** A route, or how to make one for each request. */
type RouteMaker = Route | (() => Route);
type Known = Map<string, RouteMaker>;

function made(maker: RouteMaker): Route {
  return typeof maker === "function" ? maker() : maker;
}

export function createPlan(options: PlanOptions): Plan {
  const { redirects, rotationOf, priceOf, switches } = options;
  const index = indexInventory(options.providers, options.snapshot);
  const pooled = createTargetPool();
  const compiled = compileRedirects({ redirects, index, isOff: switches.isOff, pooled, rotationOf, priceOf });
  const protectors = protectorsOf(compiled);
  /** Routes found before, by name and by provider and id: of virtual models and listed models only, so callers cannot make them grow. */
  const known: Known = new Map();
  const knownAtProvider: Known = new Map();

  function byName(name: string): Route | Missing {
    const hit = known.get(name);
    if (hit !== undefined) return made(hit);
    // No listing can bring back what its operator has switched off.
    if (switches.isOffByName(name)) return { ...missing(), listingsPending: false };
    const redirect = compiled.get(name);
    if (redirect === undefined) return concrete(index.concrete(name), name, known);
    if (redirect.choice === undefined) return missing(redirect.lacking);
    const maker = routeMaker(redirect.model, redirect.choice);
    known.set(name, maker);
    return made(maker);
  }

  function atProvider(providerName: string, id: string): Route | Missing {
    const key = `${providerName}/${id}`;
    const hit = knownAtProvider.get(key);
    if (hit !== undefined) return made(hit);
    if (index.isProvider(providerName)) return concrete([index.pinned(providerName, id)], key, knownAtProvider);
    return { listingsPending: false, lackingProviders: [], unknownProvider: providerName };
  }

  function concrete(candidates: readonly Target[], key: string, remembered: Known): Route | Missing {
    const found = preferred(
      candidates.filter((candidate) => !switches.isOff(candidate)),
      index,
    );
    if (found === undefined) return { ...missing(), listingsPending: index.pending && candidates.length === 0 };
    const unlisted = index.availability(found) === "unlisted";
    if (unlisted && index.knowsItsModels(found.providerName)) {
      return { ...missing([found.providerName]), listingsPending: false };
    }
    const target = pooled(found);
    const protector = protectors.get(targetName(target));
    const maker = protector === undefined ? plainRoute(target) : chainBehind(target, protector);
    if (index.isListed(target)) remembered.set(key, maker);
    return made(maker);
  }

  function missing(lacking: readonly string[] = []): Missing {
    const lackingProviders = [...new Set(lacking)].filter((name) => index.knowsItsModels(name));
    return { listingsPending: index.pending, lackingProviders, unknownProvider: undefined };
  }

  return {
    version: options.snapshot.version,
    byName,
    atProvider,
    firstTarget: (source) => compiled.get(source)?.choice?.first,
  };
}

function plainRoute(target: Target): Route {
  return Object.freeze({
    virtualModel: undefined,
    targets: Object.freeze([target]),
    failover: true,
    streamRecovery: "off",
  });
}

/** Ready routes where the orders are known beforehand; a new one per request only where rotations are nested. */
function routeMaker(model: VirtualModel, choice: Choice): RouteMaker {
  if (choice.fixed !== undefined) return Object.freeze(routeOf(model, choice.fixed));
  if (!choice.stable) return () => routeOf(model, choice.next("first"));
  const routes = new Map<readonly Target[], Route>();
  return () => {
    const order = choice.next("first");
    let route = routes.get(order);
    if (route === undefined) routes.set(order, (route = Object.freeze(routeOf(model, order))));
    return route;
  };
}

/** The model asked for by its provider, then the rest of the chain that shadows it, in listed order (behaviour 2.11.7). */
function chainBehind(target: Target, { model, legs }: CompiledRedirect): RouteMaker {
  const make = () => routeOf(model, joinOrders(legs, undefined, "later", target));
  return legs.every(({ fixed }) => fixed !== undefined) ? Object.freeze(make()) : make;
}

/** Without failover only the chosen target is left. The flag of the virtual model that was asked for counts, not of those behind it (A.3). */
function routeOf(model: VirtualModel, order: readonly Target[]): Route {
  const failover = model.failover || model.strategy === "failover";
  return {
    virtualModel: model.source,
    targets: failover ? order : order.slice(0, 1),
    failover,
    streamRecovery: model.streamRecovery,
  };
}

/** By concrete model; a virtual model with the qualified name goes before one with the bare id. */
function protectorsOf(compiled: ReadonlyMap<string, CompiledRedirect>): ReadonlyMap<string, CompiledRedirect> {
  const protectors = new Map<string, CompiledRedirect>();
  for (const redirect of compiled.values()) {
    for (const target of redirect.shadowed) {
      const name = targetName(target);
      if (!protectors.has(name) || redirect.model.source === name) protectors.set(name, redirect);
    }
  }
  return protectors;
}
