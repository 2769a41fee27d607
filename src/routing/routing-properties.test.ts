import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { inventory, virtualModel } from "../../test/support/inventory-text.ts";
import { Failure } from "../core/failure.ts";
import type { Route } from "../core/route.ts";
import { targetName } from "../core/target.ts";
import type { Strategy, VirtualModel } from "../core/virtual-model.ts";
import { createRouter } from "./router.ts";
import { validateVirtualModels } from "./validate.ts";

const concrete = ["a/x", "a/y", "b/x", "b/z", "c/w"];
const states = [
  "a: x y | b: x z | c: w",
  "a stale: x y | b: x z | c: w",
  "a stale: x y | b stale: x z | c failed",
  "a pending | b fresh!: x z | c: w",
];

/** Any virtual models at all: shadows, chains, cycles, repeated targets. */
const anyModels: fc.Arbitrary<readonly VirtualModel[]> = fc
  .uniqueArray(fc.constantFrom("v1", "v2", "v3", "x", "a/x", "z"), { minLength: 1, maxLength: 6 })
  .chain((sources) =>
    fc.tuple(
      ...sources.map((source) =>
        fc
          .tuple(
            fc.array(
              fc.tuple(
                fc.constantFrom("v1", "v2", "v3", "x", "z", "nope", ...concrete),
                fc.integer({ min: 1, max: 4 }),
              ),
              {
                minLength: 1,
                maxLength: 4,
              },
            ),
            fc.constantFrom<Strategy>("round_robin", "cost", "failover"),
            fc.boolean(),
            fc.boolean(),
          )
          .map(([targets, strategy, failover, enabled]) =>
            virtualModel(source, {
              targets: targets.map(([model, weight]) => ({ model, provider: undefined, weight })),
              strategy,
              failover,
              enabled,
            }),
          ),
      ),
    ),
  );

function routerFor(models: readonly VirtualModel[], text: string) {
  const snapshot = inventory(text);
  return createRouter({
    virtualModels: models,
    providers: snapshot.providers.map(({ providerName }) => ({ name: providerName })),
    inventory: () => snapshot,
    onInventoryChange: () => () => {},
    recheck: () => Promise.resolve(),
    priceOf: ({ model }) => ({ inputPerMtok: model.charCodeAt(0) }),
    clock: new FakeClock(),
  });
}

/** Names in turn, `rounds` times over, with their routes; a name without one at once is left out. */
function routes(
  models: readonly VirtualModel[],
  text: string,
  rounds: number,
): (readonly [name: string, route: Route])[] {
  const router = routerFor(models, text);
  const names = [...models.map(({ source }) => source), ...concrete, "y", "nope"];
  const found: (readonly [string, Route])[] = [];
  for (let round = 0; round < rounds; round++) {
    for (const name of names) {
      const route = router.resolve(name, undefined);
      if (!(route instanceof Promise) && !(route instanceof Failure)) found.push([name, route]);
    }
  }
  return found;
}

/** What can be reached behind a virtual model when everything is up, worked out apart from the router. */
function reachable(models: readonly VirtualModel[], source: string): readonly string[] {
  const redirects = new Map(models.filter(({ enabled }) => enabled).map((model) => [model.source, model]));
  // The source itself, else the first one listed that is called so at a provider.
  const ownName = ({ source, targets }: VirtualModel) => {
    const names = targets.map(({ model }) => model);
    const isItsModel = (name: string) => concrete.includes(name) && name.endsWith(`/${source}`);
    return names.includes(source) ? source : names.find(isItsModel);
  };
  const real = (name: string) =>
    concrete.filter((target) => target === name || target.endsWith(`/${name}`)).slice(0, 1);
  function behind(model: VirtualModel): string[] {
    return model.targets.flatMap(({ model: name }) => {
      const inner = name === model.source ? undefined : redirects.get(name);
      if (inner === undefined) return real(name);
      const own = ownName(model) === undefined ? undefined : ownName(inner);
      return own === undefined ? behind(inner) : real(own);
    });
  }
  const start = redirects.get(source);
  return start === undefined ? [] : [...new Set(behind(start))].toSorted();
}

describe("whatever virtual models there are", () => {
  const anyInventory = fc.constantFrom(...states);

  test("a route has a target, none twice, and only one without failover", () => {
    fc.assert(
      fc.property(anyModels, anyInventory, (models, text) => {
        for (const [, route] of routes(models, text, 3)) {
          const names = route.targets.map(targetName);
          expect(names.length).toBeGreaterThan(0);
          expect(new Set(names).size).toBe(names.length);
          if (!route.failover) expect(names).toHaveLength(1);
        }
      }),
    );
  });

  test("the same requests in the same order get the same routes", () => {
    fc.assert(
      fc.property(anyModels, anyInventory, (models, text) => {
        expect(routes(models, text, 3)).toEqual(routes(models, text, 3));
      }),
    );
  });

  test("a virtual model calls targets that are down only when it has no others", () => {
    fc.assert(
      fc.property(anyModels, (models) => {
        for (const [name, route] of routes(models, "a stale: x y | b: x z | c: w", 2)) {
          if (route.virtualModel !== name) continue;
          const down = route.targets.filter(({ providerName }) => providerName === "a").length;
          expect([0, route.targets.length]).toContain(down);
        }
      }),
    );
  });

  test("without cycles a failing over virtual model tries exactly what can be reached behind it, at every request", () => {
    let compared = 0;
    fc.assert(
      fc.property(anyModels, (models) => {
        if (validateVirtualModels(models, ["a", "b", "c"]).some(({ message }) => message.includes("cycle"))) return;
        for (const [name, route] of routes(models, "a: x y | b: x z | c: w", 3)) {
          if (route.virtualModel !== name || !route.failover) continue;
          compared++;
          expect(route.targets.map(targetName).toSorted()).toEqual([...reachable(models, name)]);
        }
      }),
      { numRuns: 500 },
    );
    expect(compared).toBeGreaterThan(500);
  });
});

describe("whatever the weights", () => {
  test("over a period each target is first exactly as often as its weight, and every route holds all targets", () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: concrete.length }), (weights) => {
        const targets = weights.map((weight, index) => ({ model: concrete[index] ?? "", provider: undefined, weight }));
        const router = routerFor([virtualModel("s rr", { targets })], states[0] ?? "");
        const firsts: string[] = [];
        const period = weights.reduce((sum, weight) => sum + weight, 0);
        for (let request = 0; request < period; request++) {
          const route = router.resolve("s", undefined);
          if (route instanceof Promise || route instanceof Failure) throw new Error("no route");
          expect(route.targets.map(targetName).toSorted()).toEqual(targets.map(({ model }) => model).toSorted());
          firsts.push(targetName(route.targets[0] ?? { providerName: "", model: "" }));
        }
        for (const { model, weight } of targets) expect(firsts.filter((first) => first === model)).toHaveLength(weight);
      }),
    );
  });
});
