import { describe, expect, test } from "bun:test";
import { FakeClock } from "../../test/support/fake-clock.ts";
import { inventory, routeText, virtualModel } from "../../test/support/inventory-text.ts";
import { Failure } from "../core/failure.ts";
import type { InventorySnapshot } from "../core/inventory.ts";
import type { Route } from "../core/route.ts";
import { targetName } from "../core/target.ts";
import type { Price } from "../core/usage.ts";
import type { VirtualModel } from "../core/virtual-model.ts";
import { createRouter, type RouterOptions } from "./router.ts";

/** A router on a written inventory; `show` swaps the inventory as discovery does. */
function setUp(
  text: string,
  models: readonly (string | VirtualModel)[] = [],
  options: Partial<Pick<RouterOptions, "priceOf" | "recheck">> = {},
) {
  const clock = new FakeClock();
  const listeners = new Set<() => void>();
  const rechecked: string[] = [];
  let snapshot: InventorySnapshot = inventory(text);
  const router = createRouter({
    virtualModels: models.map((model) => (typeof model === "string" ? virtualModel(model) : model)),
    providers: snapshot.providers.map(({ providerName }) => ({ name: providerName })),
    inventory: () => snapshot,
    onInventoryChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    recheck: (name) => {
      rechecked.push(name);
      return Promise.resolve();
    },
    priceOf: () => undefined,
    clock,
    ...options,
  });
  function show(next: string): void {
    snapshot = inventory(next, snapshot.version + 1);
    for (const listener of listeners) listener();
  }
  return { clock, router, rechecked, listeners, show };
}

/** The route as text; `later` when it is not there at once. */
function routeNow(subject: ReturnType<typeof setUp>, name: string, hint?: string): string {
  const found = subject.router.resolve(name, hint);
  return found instanceof Promise ? "later" : routeText(found);
}

/** The route that is there at once. */
function ready(subject: ReturnType<typeof setUp>, name: string): Route {
  const found = subject.router.resolve(name, undefined);
  if (found instanceof Promise || found instanceof Failure) throw new Error(`no route for ${name}`);
  return found;
}

async function routeOf(subject: ReturnType<typeof setUp>, name: string, hint?: string): Promise<Route | Failure> {
  const found = Promise.resolve(subject.router.resolve(name, hint));
  await subject.clock.advance(3000);
  return await found;
}

function counts(subject: ReturnType<typeof setUp>, name: string, requests: number): Record<string, number> {
  const result: Record<string, number> = {};
  for (let request = 0; request < requests; request++) {
    const order = routeNow(subject, name);
    result[order] = (result[order] ?? 0) + 1;
  }
  return result;
}

const twoProviders = "a: x y gx meta/llama | b: x z gx b/auto";

describe("names without virtual models", () => {
  const table: readonly (readonly [name: string, hint: string | undefined, expected: string])[] = [
    ["x", undefined, "a/x"],
    ["z", undefined, "b/z"],
    ["b/x", undefined, "b/x"],
    ["meta/llama", undefined, "a/meta/llama"],
    ["a/meta/llama", undefined, "a/meta/llama"],
    ["b/auto", undefined, "b/b/auto"],
    ["b/b/auto", undefined, "b/b/auto"],
    ["x", "b", "b/x"],
    ["b/x", "b", "b/x"],
    ["meta/llama", "a", "a/meta/llama"],
    ["b/auto", "b", "b/b/auto"],
    ["nope", undefined, "unsupported model: nope"],
    ["nope/x", undefined, "unsupported model: nope/x"],
    ["/x", undefined, "unsupported model: /x"],
    ["a/", undefined, "unsupported model: a/"],
    ["x", "c", "unknown provider: c (registered: a, b)"],
    ["x", "", "unknown provider:  (registered: a, b)"],
  ];
  for (const [name, hint, expected] of table) {
    test(`${name}${hint === undefined ? "" : ` with provider "${hint}"`} is ${expected}`, () => {
      expect(routeNow(setUp(twoProviders), name, hint)).toBe(expected);
    });
  }

  test("one redundant prefix is stripped, not two, and nothing else", () => {
    const subject = setUp("a stale: x");
    expect(routeNow(subject, "a/a/x", "a")).toBe("a/a/x");
    expect(routeNow(subject, "longer", "a")).toBe("a/longer");
    expect(routeNow(subject, "a/", "a")).toBe("a/a/");
  });

  test("of two listed ids that differ by the provider's name the shorter one is meant", () => {
    const subject = setUp("b: auto b/auto");
    expect(routeNow(subject, "b/auto")).toBe("b/auto");
    expect(routeNow(subject, "b/auto", "b")).toBe("b/auto");
  });

  test("a model that only an unregistered provider lists is not served", () => {
    const router = createRouter({
      virtualModels: [],
      providers: [{ name: "a" }],
      inventory: () => inventory("a: x | gone: x y"),
      onInventoryChange: () => () => {},
      recheck: () => Promise.resolve(),
      priceOf: () => undefined,
      clock: new FakeClock(),
    });
    expect(router.resolve("x", undefined)).toMatchObject({ targets: [{ providerName: "a", model: "x" }] });
    expect(router.resolve("y", undefined)).toMatchObject({ message: "unsupported model: y" });
  });

  test("an unknown provider is the caller's mistake, with a code", () => {
    expect(setUp(twoProviders).router.resolve("x", "c")).toMatchObject({
      origin: "request",
      status: 400,
      param: "provider",
      code: "provider_not_found",
    });
  });

  test("a name of 256 characters is shown whole", () => {
    const name = "m".repeat(256);
    expect(routeNow(setUp("a: x"), name)).toBe(`unsupported model: ${name}`);
  });

  test("a concrete route has no virtual model", () => {
    expect(setUp(twoProviders).router.resolve("x", undefined)).toEqual({
      virtualModel: undefined,
      targets: [{ providerName: "a", model: "x" }],
      failover: true,
      streamRecovery: "off",
    });
  });

  test("an unknown model is the caller's mistake, with a code, and its name is cut when it is endless", async () => {
    const failure = await routeOf(setUp(twoProviders), "m".repeat(100_000));
    expect(failure).toMatchObject({
      origin: "request",
      status: 400,
      type: "invalid_request_error",
      param: "model",
      code: "model_not_found",
      message: `unsupported model: ${"m".repeat(256)}...`,
    });
  });

  test("without providers nothing is supported", () => {
    const router = createRouter({
      virtualModels: [],
      providers: [],
      inventory: () => ({ version: 1, providers: [] }),
      onInventoryChange: () => () => {},
      recheck: () => Promise.resolve(),
      priceOf: () => undefined,
      clock: new FakeClock(),
    });
    expect(router.resolve("x", undefined)).toMatchObject({ message: "unsupported model: x" });
    expect(router.resolve("x", "a")).toMatchObject({ message: "unknown provider: a (registered: none)" });
  });

  test("a provider that is in no inventory is asked as it is", () => {
    const router = createRouter({
      virtualModels: [],
      providers: [{ name: "a" }],
      inventory: () => ({ version: 1, providers: [] }),
      onInventoryChange: () => () => {},
      recheck: () => Promise.resolve(),
      priceOf: () => undefined,
      clock: new FakeClock(),
    });
    expect(router.resolve("a/x", undefined)).toMatchObject({ targets: [{ providerName: "a", model: "x" }] });
  });
});

describe("providers in every state", () => {
  const table: readonly (readonly [inventory: string, name: string, expected: string])[] = [
    ["a pending", "a/x", "a/x"],
    ["a pending: c", "c", "a/c"],
    ["a pending", "x", "later"],
    ["a pending | b: x", "x", "b/x"],
    ["a fresh: x", "a/nope", "later"],
    ["a fresh!: x", "a/nope", "a/nope"],
    ["a configured: x", "a/nope", "later"],
    ["a configured!: x", "a/nope", "a/nope"],
    ["a stale: x", "a/x", "a/x"],
    ["a stale: x", "a/nope", "a/nope"],
    ["a failed", "a/x", "a/x"],
    ["a stale: x", "x", "a/x"],
    ["a stale: x | b: x", "x", "b/x"],
    ["a stale: x | b: x", "a/x", "a/x"],
    ["a failed | b: z", "x", "unsupported model: x"],
  ];
  for (const [text, name, expected] of table) {
    test(`on "${text}" ${name} is ${expected}`, () => {
      expect(routeNow(setUp(text), name)).toBe(expected);
    });
  }
});

describe("a listing that is still to come", () => {
  test("a bare name waits for it and is served as soon as it is there, though another provider hangs", async () => {
    const subject = setUp("a pending | hanging pending");
    const route = Promise.resolve(subject.router.resolve("x", undefined));
    await subject.clock.advance(500);
    subject.show("a: x | hanging pending");
    expect(routeText(await route)).toBe("a/x");
    expect(subject.clock.pending).toBe(0);
    expect(subject.listeners.size).toBe(0);
  });

  test("a bare name that no listing brings is refused when the last one has ended", async () => {
    const subject = setUp("a pending | b pending");
    const route = Promise.resolve(subject.router.resolve("x", undefined));
    subject.show("a: y | b pending");
    subject.show("a: y | b failed");
    expect(routeText(await route)).toBe("unsupported model: x");
  });

  test("a listing that does not bring the name leaves it waiting for the others", async () => {
    const subject = setUp("a pending | b pending");
    const route = Promise.resolve(subject.router.resolve("x", undefined));
    subject.show("a: y | b pending");
    await subject.clock.advance(100);
    subject.show("a: y | b: x");
    expect(routeText(await route)).toBe("b/x");
  });

  test("a name that is switched off itself does not wait", () => {
    const subject = setUp("a pending | b: x", [virtualModel("gone =", { enabled: false })]);
    expect(routeNow(subject, "gone")).toBe("unsupported model: gone");
  });

  test("a name whose provider is switched off does not wait", () => {
    const subject = setUp("a pending | b: x", [virtualModel("b/ =", { enabled: false })]);
    expect(routeNow(subject, "b/x")).toBe("unsupported model: b/x");
  });

  test("the wait ends after 3 s", async () => {
    const subject = setUp("a pending");
    let answer: string | undefined;
    void Promise.resolve(subject.router.resolve("x", undefined)).then((route) => (answer = routeText(route)));
    await subject.clock.advance(2999);
    expect(answer).toBeUndefined();
    await subject.clock.advance(1);
    expect(answer).toBe("unsupported model: x");
    expect(subject.listeners.size).toBe(0);
  });

  test("a virtual model waits for it only when nothing of it can be served", async () => {
    const subject = setUp("a pending | b: z", ["some = x, b/z", "all = x, b/nope"]);
    expect(routeNow(subject, "some")).toBe("b/z");
    const route = Promise.resolve(subject.router.resolve("all", undefined));
    subject.show("a: x | b: z");
    expect(routeText(await route)).toBe("a/x");
    expect(routeNow(subject, "some")).toBe("a/x b/z");
  });
});

describe("a model missing from a complete list", () => {
  test("is looked for once more at its provider, and served when it is there now", async () => {
    const subject: ReturnType<typeof setUp> = setUp("a: x | b: y", [], {
      recheck: (name) => {
        subject.show(`a: x new | b: y ${name}`);
        return Promise.resolve();
      },
    });
    expect(routeText(await routeOf(subject, "a/new"))).toBe("a/new");
  });

  test("is refused after the look", async () => {
    const subject = setUp("a: x | b: y");
    expect(routeText(await routeOf(subject, "b/nope"))).toBe("unsupported model: b/nope");
    expect(routeText(await routeOf(subject, "nope", "b"))).toBe("unsupported model: nope");
    expect(subject.rechecked).toEqual(["b", "b"]);
  });

  test("is refused after 3 s when the look hangs, and when it fails", async () => {
    const hanging = setUp("a: x", [], { recheck: () => new Promise(() => {}) });
    expect(routeText(await routeOf(hanging, "a/nope"))).toBe("unsupported model: a/nope");
    expect(hanging.clock.pending).toBe(0);
    const failing = setUp("a: x", [], { recheck: () => Promise.reject(new Error("down")) });
    expect(routeText(await routeOf(failing, "a/nope"))).toBe("unsupported model: a/nope");
  });

  test("is called when the look shows that its provider is down", async () => {
    const subject: ReturnType<typeof setUp> = setUp("a: x | b: y", [], {
      recheck: () => {
        subject.show("a stale!: x | b: y");
        return Promise.resolve();
      },
    });
    expect(routeText(await routeOf(subject, "a/nope"))).toBe("a/nope");
  });

  test("at a provider whose last listing failed is not looked for when a virtual model names it", () => {
    const subject = setUp("a fresh!: x", ["s = a/nope"]);
    expect(routeNow(subject, "s")).toBe("unsupported model: s");
  });

  test("as every target of a virtual model is looked for at each provider", async () => {
    const subject = setUp("a: x | b: y", ["s = a/n1, inner, a/n2", "inner = b/n3"]);
    expect(routeText(await routeOf(subject, "s"))).toBe("unsupported model: s");
    expect(subject.rechecked).toEqual(["a", "b"]);
  });
});

describe("virtual models", () => {
  const table: readonly (readonly [inventory: string, models: readonly string[], name: string, expected: string])[] = [
    [twoProviders, ["smart = b/z, a/x"], "smart", "b/z a/x"],
    [twoProviders, ["smart = z, x"], "smart", "b/z a/x"],
    [twoProviders, ["smart = b:x, a:a/x"], "smart", "b/x a/x"],
    [twoProviders, ["smart = a/x, x, a:x, b/x"], "smart", "a/x b/x"],
    [twoProviders, ["team/fast = b/z"], "team/fast", "b/z"],
    [twoProviders, ["a/x = b/z"], "a/x", "b/z"],
    [twoProviders, ["smart = nope, a/nope, nope/x, b/z"], "smart", "b/z"],
    ["a stale: x | b: z | c failed", ["smart = a/x, c/q, b/z"], "smart", "b/z"],
    ["a stale: x | b failed", ["smart = a/x, b/z"], "smart", "a/x b/z"],
    ["a stale: x | b: z", ["smart = b/nope, a/x"], "smart", "a/x"],
    ["a pending | b: z", ["smart = a/x, b/z"], "smart", "a/x b/z"],
    ["a fresh!: x | b fresh!: z", ["smart = a/x, b/z"], "smart", "a/x b/z"],
    // Shadowing: the source itself is the model underneath.
    [twoProviders, ["gx = gx, b/gx"], "gx", "a/gx b/gx"],
    [twoProviders, ["gx = b/z"], "gx", "b/z"],
    [twoProviders, ["gx = b/z"], "a/gx", "a/gx"],
    ["a stale: gx | b: z", ["gx = gx, b/z"], "gx", "b/z"],
    ["a fresh!: y", ["a/x = a/x"], "a/x", "unsupported model: a/x"],
    [twoProviders, ["smart = nope:x, nope:nope/x, b/z"], "smart", "b/z"],
    [twoProviders, ["smart = a/x", "smart = b/z"], "smart", "a/x"],
    // Chaining.
    [twoProviders, ["o = i, b/z", "i = a/x, a/y"], "o", "a/x a/y b/z"],
    [twoProviders, ["o = b/z, i", "i = a/x, b/z, a/y"], "o", "b/z a/x a/y"],
    [twoProviders, ["o = i, b/z", "i = a/nope"], "o", "b/z"],
    ["a stale: x | b: z", ["o = i, b/z", "i = a/x"], "o", "b/z"],
    ["a stale: x | b stale: z", ["o = i, b/z", "i = a/x"], "o", "a/x b/z"],
    [twoProviders, ["o = a:i", "i = b/z"], "o", "later"],
    // Mutual back-up: of the other protected model only the model itself.
    [twoProviders, ["x = x, z", "z = z, x, a/y"], "x", "a/x b/z"],
    [twoProviders, ["x = x, z", "z = z, x, a/y"], "z", "b/z a/x a/y"],
    [twoProviders, ["x = a/x, z", "z = b:z, x, a/y"], "x", "a/x b/z"],
    [twoProviders, ["x = b:x, x", "z = z, x"], "z", "b/z a/x"],
    [twoProviders, ["x = b/x, a/x", "z = z, x"], "z", "b/z b/x"],
    [twoProviders, ["a/x = a/x, b/z", "b/z = b/z, a/x, a/y"], "a/x", "a/x b/z"],
    // Any other redirect traverses a protected model's chain.
    [twoProviders, ["alias = x", "x = x, z", "z = z, x, a/y"], "alias", "a/x b/z"],
    [twoProviders, ["alias = z", "x = x, z", "z = z, x, a/y"], "alias", "b/z a/x a/y"],
    [twoProviders, ["new = b/x, x", "x = x, z"], "new", "b/x a/x b/z"],
    [twoProviders, ["y = z", "z = z, x"], "y", "b/z a/x"],
    // What replaces a model is no protection of it: its replacement is reached.
    [twoProviders, ["x = x, z", "z = a/y"], "x", "a/x a/y"],
  ];
  for (const [text, models, name, expected] of table) {
    test(`${models.join("; ")} on "${text}": ${name} is ${expected}`, () => {
      expect(routeNow(setUp(text, models), name)).toBe(expected);
    });
  }

  test("the route names the virtual model that matched, not those behind it", () => {
    const subject = setUp(twoProviders, ["o = i", "i = a/x"]);
    expect(subject.router.resolve("o", undefined)).toMatchObject({
      virtualModel: "o",
      failover: true,
      streamRecovery: "off",
    });
  });

  test("a cycle that no check has refused ends where it closes", () => {
    expect(routeNow(setUp(twoProviders, ["p = q, a/x", "q = p, b/z"]), "p")).toBe("b/z a/x");
  });

  test("without failover only the chosen target is left, unless the strategy is failover", () => {
    const subject = setUp(twoProviders, [
      virtualModel("rr rr = a/x, b/z", { failover: false, streamRecovery: "off" }),
      virtualModel("fo = a/x, b/z", { failover: false, streamRecovery: "off" }),
      virtualModel("nested rr = fo", { failover: false, streamRecovery: "off" }),
    ]);
    const routes = ["rr", "rr", "fo", "nested"].map((name) => ready(subject, name));
    expect(routes.map(routeText)).toEqual(["a/x", "b/z", "a/x b/z", "a/x"]);
    expect(routes.map(({ failover }) => failover)).toEqual([false, false, true, false]);
  });

  test("the flag of the virtual model that was asked for counts, not that of one behind it", () => {
    const subject = setUp(twoProviders, [
      "o = i, a/y",
      virtualModel("i rr = a/x, b/z", { failover: false, streamRecovery: "off" }),
    ]);
    expect(routeNow(subject, "o")).toBe("a/x b/z a/y");
  });

  describe("disabled", () => {
    const off = (text: string) => virtualModel(text, { enabled: false });

    test("with targets: the name means what it would mean without it", () => {
      const subject = setUp(twoProviders, [off("gx = b/z"), off("gone = b/z"), "s = gx, gone, b/z"]);
      expect(routeNow(subject, "gx")).toBe("a/gx");
      expect(routeNow(subject, "gone")).toBe("unsupported model: gone");
      expect(routeNow(subject, "s")).toBe("a/gx b/z");
    });

    test("without targets: the selector is refused and left out of every chain", () => {
      const subject = setUp(twoProviders, [off("a/x ="), "s = a/x, b/z", "only = a/x"]);
      expect(routeNow(subject, "a/x")).toBe("unsupported model: a/x");
      expect(routeNow(subject, "x", "a")).toBe("unsupported model: x");
      expect(routeNow(subject, "x")).toBe("b/x");
      expect(routeNow(subject, "s")).toBe("b/z");
      expect(routeNow(subject, "only")).toBe("unsupported model: only");
      expect(subject.rechecked).toEqual([]);
    });

    test("a bare id is off at every provider, a provider with all its models, / with everything", () => {
      const refused = (models: readonly VirtualModel[]) =>
        ["x", "a/x", "b/x", "a/y", "b/z"].filter((name) =>
          routeNow(setUp(twoProviders, models), name).startsWith("unsupported"),
        );
      expect(refused([off("x =")])).toEqual(["x", "a/x", "b/x"]);
      expect(refused([off("a/ =")])).toEqual(["a/x", "a/y"]);
      expect(refused([off("/ =")])).toEqual(["x", "a/x", "b/x", "a/y", "b/z"]);
      expect(refused([off("/ ="), virtualModel("b/ ="), off("b/z =")])).toEqual(["a/x", "a/y", "b/z"]);
    });

    test("a bare id is off by name although it is on at one provider", () => {
      const subject = setUp(twoProviders, [off("x ="), virtualModel("a/x =")]);
      expect(routeNow(subject, "x")).toBe("unsupported model: x");
      expect(routeNow(subject, "a/x")).toBe("a/x");
      expect(["a", "b"].map((providerName) => subject.router.isOff({ providerName, model: "x" }))).toEqual([
        false,
        true,
      ]);
    });

    test("a target that is off is not called either when all others are down", () => {
      const subject = setUp("a stale: x | b stale: z", [off("a/x ="), "s = a/x, b/z"]);
      expect(routeNow(subject, "s")).toBe("b/z");
    });
  });
});

describe("a concrete model asked for at its provider", () => {
  const table: readonly (readonly [
    models: readonly (string | VirtualModel)[],
    name: string,
    hint: string | undefined,
    expected: string,
  ])[] = [
    // Virtual models are passed by...
    [["x = b/z"], "x", "a", "a/x"],
    [["a/x = b/z"], "x", "a", "a/x"],
    [["a/x = b/z"], "a/x", "a", "a/x"],
    [["smart = b/z"], "smart", "a", "later"],
    // ...but the chain that shadows exactly this model and lists it is had.
    [["gx = gx, b/z"], "gx", "a", "a/gx b/z"],
    [["gx = gx, b/z"], "a/gx", "a", "a/gx b/z"],
    [["gx = gx, b/z"], "a/gx", undefined, "a/gx b/z"],
    [["gx = a/gx, b/z"], "a/gx", undefined, "a/gx b/z"],
    [["gx = b/z, a:gx"], "a/gx", undefined, "a/gx b/z"],
    [["a/gx = a/gx, b/z"], "gx", "a", "a/gx b/z"],
    [["a/gx = a/gx, b/z"], "a/gx", undefined, "a/gx b/z"],
    [["gx = a/gx, b/gx, b/z"], "b/gx", undefined, "b/gx a/gx b/z"],
    // The bare source shadows the first provider's model, not that of another one.
    [["gx = gx, b/z"], "b/gx", undefined, "b/gx"],
    [["gx = gx, b/z"], "gx", "b", "b/gx"],
    // An alias that merely lists it does not count.
    [["smart = a/gx, b/z"], "gx", "a", "a/gx"],
    // The qualified source is the more exact one.
    [["gx = gx, b/z", "a/gx = a/gx, b/x"], "gx", "a", "a/gx b/x"],
    [["a/gx = a/gx, b/x", "gx = gx, b/z"], "gx", "a", "a/gx b/x"],
    // The model comes first, whatever the strategy; then the chain in listed order.
    [["gx cost = b/z, gx, b/x"], "gx", "a", "a/gx b/z b/x"],
    [["gx = gx, i", "i = b/z, b/x"], "gx", "a", "a/gx b/z b/x"],
    // Mutual back-up holds here as well.
    [["gx = gx, z", "z = z, gx, b/x"], "gx", "a", "a/gx b/z"],
    [[virtualModel("gx rr = gx, b/z", { failover: false, streamRecovery: "off" })], "gx", "a", "a/gx"],
    [[virtualModel("gx = gx, b/z", { enabled: false })], "gx", "a", "a/gx"],
  ];
  for (const [models, name, hint, expected] of table) {
    const written = models.map((model) => (typeof model === "string" ? model : `${model.source} (changed)`)).join("; ");
    test(`${written}: ${name}${hint === undefined ? "" : ` with provider ${hint}`} is ${expected}`, () => {
      expect(routeNow(setUp(twoProviders, models), name, hint)).toBe(expected);
    });
  }

  test("keeps its chain while its provider is down, when the chain can act", () => {
    const subject = setUp("a stale: gx | b: gx z", ["gx = gx, b/z"]);
    expect(routeNow(subject, "a/gx")).toBe("a/gx b/gx b/z");
    expect(routeNow(setUp("a stale: gx | b: z", ["gx = gx, b/z"]), "gx", "a")).toBe("a/gx b/z");
  });

  test("also when none of that chain can be served", () => {
    const subject = setUp("a fresh!: y", ["a/x = a/x"]);
    expect(routeNow(subject, "x", "a")).toBe("a/x");
  });

  test("rotations in its chain go on turning", () => {
    const subject = setUp(twoProviders, ["gx = gx, i", "i rr = b/z, b/x"]);
    const orders = Array.from({ length: 3 }, () => routeNow(subject, "gx", "a"));
    expect(orders).toEqual(["a/gx b/z b/x", "a/gx b/x b/z", "a/gx b/z b/x"]);
  });

  test("its route names the virtual model whose chain it has", () => {
    expect(setUp(twoProviders, ["gx = gx, b/z"]).router.resolve("gx", "a")).toMatchObject({ virtualModel: "gx" });
  });
});

describe("cost", () => {
  const prices: Readonly<Record<string, Price>> = {
    "a/x": { inputPerMtok: 3, outputPerMtok: 15 },
    "b/z": { inputPerMtok: 1, outputPerMtok: 2 },
    "a/y": { inputPerMtok: 4, outputPerMtok: 1 },
    "a/gx": { perRequest: 0.1 },
    "b/x": { inputPerMtok: 0.5 },
    "a/meta/llama": { outputPerMtok: 4.5 },
    "b/b/auto": { inputPerMtok: 1, outputPerMtok: 4 },
  };
  const priceOf: RouterOptions["priceOf"] = (target) => prices[targetName(target)];
  const table: readonly (readonly [inventory: string, models: readonly string[], expected: string])[] = [
    [twoProviders, ["s cost = a/x, a/y, b/z"], "b/z a/x a/y"],
    [twoProviders, ["s cost = a/x, a/y"], "a/y a/x"],
    [twoProviders, ["s cost = a/gx, b/gx, a/x"], "a/x a/gx b/gx"],
    [twoProviders, ["s cost = a/gx, b/gx"], "a/gx b/gx"],
    [twoProviders, ["s cost = a/x, b/x"], "b/x a/x"],
    ["a: x | b stale: z", ["s cost = b/z, a/x"], "a/x"],
    [twoProviders, ["s cost = a/y, a/meta/llama"], "a/meta/llama a/y"],
    [twoProviders, ["s cost = a/y, b:b/auto"], "a/y b/b/auto"],
    [twoProviders, ["s cost = b:b/auto, a/y"], "b/b/auto a/y"],
    [twoProviders, ["s cost = a/y, i", "i = a/gx, b/z"], "a/gx b/z a/y"],
    [twoProviders, ["s cost = a/y, i", "i = a/x, b/z"], "a/x b/z a/y"],
    ["a: x y | b stale: z", ["s cost = a/y, i", "i = a/x, b/z"], "a/y a/x"],
    [twoProviders, ["s = a/gx, i", "i cost = a/x, b/z"], "a/gx b/z a/x"],
  ];
  for (const [text, models, expected] of table) {
    test(`${models.join("; ")} on "${text}" is ${expected}`, () => {
      expect(routeNow(setUp(text, models, { priceOf }), "s")).toBe(expected);
    });
  }

  test("follows prices that change with the time of day within a minute", async () => {
    let night = false;
    const subject = setUp(twoProviders, ["t = a/x, b/z", "s cost = a/x, b/z"], {
      priceOf: ({ model }) => ({ inputPerMtok: model === "x" ? 2 : night ? 1 : 3 }),
    });
    expect(routeNow(subject, "s")).toBe("a/x b/z");
    night = true;
    await subject.clock.advance(59_999);
    expect(routeNow(subject, "s")).toBe("a/x b/z");
    await subject.clock.advance(1);
    expect(routeNow(subject, "s")).toBe("b/z a/x");
    night = false;
    await subject.clock.advance(59_999);
    expect(routeNow(subject, "s")).toBe("b/z a/x");
    await subject.clock.advance(1);
    expect(routeNow(subject, "s")).toBe("a/x b/z");
  });
});

describe("round robin", () => {
  test("rotates by weight, then goes on in listed order", () => {
    const subject = setUp(twoProviders, ["s rr = a/x*2, a/y, b/z"]);
    const orders = Array.from({ length: 4 }, () => routeNow(subject, "s"));
    expect(orders).toEqual(["a/x a/y b/z", "a/y a/x b/z", "b/z a/x a/y", "a/x a/y b/z"]);
  });

  test("each virtual model has its own rotation", () => {
    const subject = setUp(twoProviders, ["s rr = a/x, b/z", "t rr = a/x, b/z"]);
    expect(["s", "t", "s", "t"].map((name) => routeNow(subject, name).split(" ")[0])).toEqual([
      "a/x",
      "a/x",
      "b/z",
      "b/z",
    ]);
  });

  test("an unavailable target is left out, and its share goes to the others by weight", () => {
    const subject = setUp("a stale: x y | b: x z", ["s rr = a/x*6, b/x*1, b/z*2"]);
    expect(counts(subject, "s", 9)).toEqual({ "b/x b/z": 3, "b/z b/x": 6 });
  });

  test("a refresh that changes nothing for it does not begin its rotation anew", () => {
    const subject = setUp("a: x y | b: z", ["s rr = a/x, a/y"]);
    const seen: string[] = [];
    for (let request = 0; request < 4; request++) {
      seen.push(routeNow(subject, "s"));
      subject.show(`a: x y | b: z n${request}`);
    }
    expect(seen).toEqual(["a/x a/y", "a/y a/x", "a/x a/y", "a/y a/x"]);
  });

  test("each level rotates on its own: shares multiply", () => {
    const subject = setUp(twoProviders, ["o rr = i, b/z", "i rr = a/x, a/y"]);
    expect(counts(subject, "o", 8)).toEqual({ "a/x a/y b/z": 2, "b/z a/x a/y": 2, "a/y a/x b/z": 2, "b/z a/y a/x": 2 });
  });

  test("what stands behind another target rotates as well when it takes over", () => {
    const subject = setUp(twoProviders, ["o = b/z, i", "i rr = a/x, a/y"]);
    expect(counts(subject, "o", 4)).toEqual({ "b/z a/x a/y": 2, "b/z a/y a/x": 2 });
  });

  test("requests in which it is only a back-up do not disturb its own shares", () => {
    const subject = setUp(twoProviders, ["o = b/z, i", "i rr = a/x, a/y"]);
    const own: string[] = [];
    for (let request = 0; request < 4; request++) {
      own.push(routeNow(subject, "i"));
      routeNow(subject, "o");
    }
    expect(own).toEqual(["a/x a/y", "a/y a/x", "a/x a/y", "a/y a/x"]);
  });
});

describe("snapshots", () => {
  test("the same name gives the same route object until the inventory changes", () => {
    const subject = setUp(twoProviders, ["s = a/x, b/z"]);
    const first = ready(subject, "s");
    expect(ready(subject, "s")).toBe(first);
    expect(Object.isFrozen(first.targets)).toBe(true);
    subject.show("a stale: x | b: z");
    expect(routeNow(subject, "s")).toBe("b/z");
    expect(routeText(first)).toBe("a/x b/z");
  });

  test("without a virtual model by cost the same routes are given as long as the inventory stays", async () => {
    const subject = setUp(twoProviders, ["s = a/x, b/z"]);
    const first = ready(subject, "s");
    await subject.clock.advance(60_000);
    expect(ready(subject, "s")).toBe(first);
  });

  test("each order of a rotation is one route object", () => {
    const subject = setUp(twoProviders, ["s rr = a/x, b/z"]);
    const [first, second, third] = Array.from({ length: 3 }, () => ready(subject, "s"));
    expect(routeText(first!)).toBe("a/x b/z");
    expect(second).not.toBe(first);
    expect(third).toBe(first);
  });

  const kept: readonly (readonly [inventory: string, name: string, hint: string | undefined, kept: boolean])[] = [
    ["a: x", "x", undefined, true],
    ["a: x", "a/x", undefined, true],
    ["a: x", "x", "a", true],
    ["a: gx | b: z", "gx", "a", true],
    ["a pending: c", "c", undefined, true],
    ["a pending", "a/x", undefined, false],
    ["a stale: x", "a/x", undefined, false],
    ["a fresh!: x", "nope", "a", false],
  ];
  for (const [text, name, hint, expected] of kept) {
    test(`the route of ${name} at ${hint ?? "any provider"} on "${text}" is ${expected ? "kept" : "made for each request"}`, () => {
      const { router } = setUp(text, ["gx = gx, b/z"]);
      const [first, second] = [router.resolve(name, hint), router.resolve(name, hint)];
      expect(first).toHaveProperty("targets");
      expect(second).toEqual(first);
      expect(second === first).toBe(expected);
    });
  }

  test("names at one provider have each their own route", () => {
    const subject = setUp(twoProviders);
    expect(["x", "y", "x"].map((name) => routeNow(subject, name, "a"))).toEqual(["a/x", "a/y", "a/x"]);
  });

  test("what a virtual model by cost begins with is its cheapest target", () => {
    const { router } = setUp(twoProviders, ["s cost = a/x, b/z"], {
      priceOf: ({ model }) => ({ inputPerMtok: model === "x" ? 2 : 1 }),
    });
    expect(router.firstTarget("s")).toEqual({ providerName: "b", model: "z" });
  });

  test("the model list learns what a virtual model begins with, without moving its rotation", () => {
    const subject = setUp(twoProviders, ["s rr = a/x, b/z", "o = nope, s", "dead = nope"]);
    expect(["s", "o", "dead", "x"].map((name) => subject.router.firstTarget(name)?.model)).toEqual([
      "x",
      "x",
      undefined,
      undefined,
    ]);
    expect(routeNow(subject, "s")).toBe("a/x b/z");
  });
});
