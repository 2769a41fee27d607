import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { defaultBreaker } from "../../test/support/fake-provider.ts";
import type { Verdict } from "../core/admission.ts";
import type { BreakerPolicy } from "../core/policy.ts";
import { createBreakers } from "./breakers.ts";

function setUp(policy: Partial<BreakerPolicy>, clock = new FakeClock()) {
  const changes: string[] = [];
  const breakers = createBreakers({
    providers: [{ name: "p", policy: { ...defaultBreaker, ...policy } }],
    clock,
    onTransition: ({ providerName, model, from, to }) => changes.push(`${providerName}/${model ?? "*"} ${from}>${to}`),
  });
  const acquire = (model: string) => breakers.tryAcquire({ providerName: "p", model });
  const run = (model: string, verdict: Verdict, times = 1): void => {
    for (let n = 0; n < times; n++) {
      const given = acquire(model);
      if ("refused" in given) throw new Error(`refused: ${given.refused}`);
      given.settle(verdict);
    }
  };
  return { clock, breakers, changes, acquire, run };
}

describe("scope provider", () => {
  test("its view tells the state, since when it is open and no models", () => {
    const { clock, run, breakers } = setUp({});
    const closed = { providerName: "p", scope: "provider", state: "closed", timeoutMs: 30_000, models: [] } as const;
    expect(breakers.views()).toEqual([{ ...closed, openedAt: undefined }]);
    clock.tick(1234);
    run("a", "failure", 5);
    expect(breakers.views()).toEqual([{ ...closed, state: "open", openedAt: 1234 }]);
    clock.tick(30_000);
    run("a", "none");
    expect(breakers.views()).toEqual([{ ...closed, state: "half-open", openedAt: undefined }]);
  });

  test("all models of a provider share one circuit", () => {
    const { acquire, run, changes } = setUp({});
    run("a", "failure", 3);
    run("b", "failure", 2);
    expect(acquire("c")).toEqual({ refused: "circuit-open", retryAfterMs: 30_000 });
    expect(changes).toEqual(["p/* closed>open"]);
  });
});

describe("a breaker that is off", () => {
  test.each([{ enabled: false }, { failureThreshold: 0 }])(
    "%p admits everything and has no state to show",
    (policy) => {
      const { acquire, run, breakers } = setUp(policy);
      run("a", "failure", 1000);
      expect(acquire("a")).toMatchObject({ probe: false });
      expect(breakers.views()).toEqual([]);
    },
  );
});

describe("scope model", () => {
  test("one model's open circuit leaves the other served", () => {
    const { acquire, run, changes } = setUp({ scope: "model" });
    run("a", "failure", 5);
    expect(acquire("a")).toHaveProperty("refused", "circuit-open");
    expect(acquire("b")).toHaveProperty("probe", false);
    expect(changes).toEqual(["p/a closed>open"]);
  });

  test("a fast model does not reset the count of another", () => {
    const { acquire, run } = setUp({ scope: "model", failureThreshold: 3 });
    for (let n = 0; n < 3; n++) {
      run("slow", "failure");
      run("fast", "success");
    }
    expect(acquire("slow")).toHaveProperty("refused", "circuit-open");
  });

  test("the 1,025th model is refused when all slots are active, and admitted as soon as one frees up", () => {
    const { acquire } = setUp({ scope: "model" });
    const held = Array.from({ length: 1024 }, (_, n) => acquire(`m${n}`));
    expect(acquire("one-more")).toEqual({ refused: "no-breaker-slot", retryAfterMs: 1000 });
    const [first] = held;
    if (first === undefined || "refused" in first) throw new Error("refused");
    first.settle("success");
    expect(acquire("one-more")).toHaveProperty("probe", false);
    expect(acquire("m0")).toHaveProperty("refused", "no-breaker-slot");
  });

  test("open circuits keep their slots", () => {
    const { acquire, run } = setUp({ scope: "model", failureThreshold: 1 });
    for (let n = 0; n < 1024; n++) run(`m${n}`, "failure");
    expect(acquire("one-more")).toHaveProperty("refused", "no-breaker-slot");
  });

  test("at the limit the idle closed circuit used longest ago makes room", () => {
    const { acquire, run, breakers } = setUp({ scope: "model" });
    for (let n = 0; n < 1024; n++) run(`m${n}`, "success");
    run("m0", "success");
    expect(acquire("one-more")).toHaveProperty("probe", false);
    const models = breakers.views()[0]?.models.map(({ model }) => model) ?? [];
    expect(models).toHaveLength(1024);
    expect(models).toContain("m0");
    expect(models).not.toContain("m1");
  });

  test("closed circuits idle for ten minutes vanish when a new model is looked up, open ones stay", () => {
    const { clock, run, breakers } = setUp({ scope: "model", failureThreshold: 1 });
    run("open", "failure");
    run("idle", "success");
    clock.tick(599_999);
    run("recent", "success");
    clock.tick(1);
    run("new", "success");
    expect(breakers.views()[0]?.models.map(({ model }) => model)).toEqual(["open", "recent", "new"]);
  });

  test("100,000 names of a caller's choice leave 1,024 circuits", () => {
    const { run, breakers } = setUp({ scope: "model" });
    for (let n = 0; n < 100_000; n++) run(`name-${n}`, "success");
    expect(breakers.views()[0]?.models).toHaveLength(1024);
  });

  test("its view tells each model's state, and before any request that of a closed circuit", () => {
    const { clock, run, breakers } = setUp({ scope: "model", failureThreshold: 1 });
    const view = { providerName: "p", scope: "model", timeoutMs: 30_000 } as const;
    expect(breakers.views()).toEqual([{ ...view, state: "closed", openedAt: undefined, models: [] }]);
    run("b", "success");
    clock.tick(1234);
    run("a", "failure");
    const models = [
      { model: "b", state: "closed" },
      { model: "a", state: "open" },
    ] as const;
    expect(breakers.views()).toEqual([{ ...view, state: "open", openedAt: 1234, models }]);
  });

  test("a request that has only begun does not change the provider's state shown, a refused one does", () => {
    const { acquire, run, breakers } = setUp({ scope: "model", failureThreshold: 1 });
    run("a", "failure");
    acquire("b");
    expect(breakers.views()[0]?.state).toBe("open");
    run("b", "success");
    expect(breakers.views()[0]?.state).toBe("closed");
    acquire("a");
    expect(breakers.views()[0]?.state).toBe("open");
  });

  test("the provider's state shown is that of the most recently completed request", () => {
    const { run, breakers } = setUp({ scope: "model", failureThreshold: 1 });
    run("a", "failure");
    expect(breakers.views()[0]?.state).toBe("open");
    run("b", "success");
    expect(breakers.views()[0]?.state).toBe("closed");
  });
});

describe("whether a call would be let through", () => {
  test.each(["provider", "model"] as const)(
    "with scope %s is told without taking a permit or changing anything",
    (scope) => {
      const { clock, breakers, acquire, run, changes } = setUp({ scope, failureThreshold: 1 });
      const admits = (): boolean => breakers.admits({ providerName: "p", model: "a" });
      expect(admits()).toBe(true);
      run("a", "failure");
      expect(admits()).toBe(false);
      clock.tick(29_999);
      expect(admits()).toBe(false);
      clock.tick(1);
      expect([admits(), admits()]).toEqual([true, true]);
      expect(changes).toHaveLength(1);
      const probe = acquire("a");
      expect(admits()).toBe(false);
      if ("refused" in probe) throw new Error("refused");
      probe.settle("success");
      expect(admits()).toBe(true);
    },
  );

  test("is yes for a model without a circuit, and makes none", () => {
    const { breakers } = setUp({ scope: "model" });
    expect(breakers.admits({ providerName: "p", model: "new" })).toBe(true);
    expect(breakers.views()[0]?.models).toEqual([]);
  });

  test("is no for a new model while each of the 1,024 circuits is taken", () => {
    const { breakers, acquire } = setUp({ scope: "model" });
    const permits = Array.from({ length: 1024 }, (_, n) => acquire(`name-${n}`));
    expect(breakers.admits({ providerName: "p", model: "new" })).toBe(false);
    const [first] = permits;
    if (first === undefined || "refused" in first) throw new Error("refused");
    first.settle("success");
    expect(breakers.admits({ providerName: "p", model: "new" })).toBe(true);
  });

  test("is yes where no breaker is", () => {
    expect(setUp({ enabled: false }).breakers.admits({ providerName: "p", model: "a" })).toBe(true);
  });
});

describe("a reset by hand", () => {
  test("closes the circuit that all models of a provider share", () => {
    const { breakers, acquire, run, changes } = setUp({ failureThreshold: 1 });
    run("a", "failure");
    breakers.reset("p");
    expect(acquire("b")).toHaveProperty("probe", false);
    expect(changes).toEqual(["p/* closed>open", "p/* open>closed"]);
  });

  test("closes the circuits of all models", () => {
    const { breakers, acquire, run, changes } = setUp({ scope: "model", failureThreshold: 1 });
    run("a", "failure");
    run("b", "failure");
    breakers.reset("p");
    expect([acquire("a"), acquire("b")]).toMatchObject([{ probe: false }, { probe: false }]);
    expect(changes).toEqual(["p/a closed>open", "p/b closed>open", "p/a open>closed", "p/b open>closed"]);
  });

  test("does nothing where no breaker is", () => {
    const { breakers, changes } = setUp({ enabled: false });
    breakers.reset("p");
    expect(changes).toEqual([]);
  });
});
