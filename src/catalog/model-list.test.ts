import { describe, expect, test } from "bun:test";
import { inventory, virtualModel } from "../../test/support/inventory-text.ts";
import type { InventorySnapshot } from "../core/inventory.ts";
import { targetName } from "../core/target.ts";
import { createModelList, type ModelListOptions } from "./model-list.ts";
import { createMetadata } from "./model-metadata.ts";

function setUp(text: string, options: Partial<ModelListOptions> = {}) {
  let snapshot = inventory(text);
  const list = createModelList({
    inventory: () => snapshot,
    virtualModels: [],
    isOff: () => false,
    firstTarget: () => undefined,
    metadataOf: () => undefined,
    unqualified: false,
    onlyAliases: false,
    createdFallback: 1_700_000_000,
    ...options,
  });
  return { list, show: (next: string) => (snapshot = inventory(next, snapshot.version + 1)) };
}

function ids(text: string, options: Partial<ModelListOptions> = {}): string {
  return setUp(text, options)
    .list.entries()
    .map(({ id }) => id)
    .join(" ");
}

const virtualModels = [
  virtualModel("smart = a/x"),
  virtualModel("x = x, b/z"),
  virtualModel("a/y = a/y"),
  virtualModel("dark = a/x", { enabled: false }),
  virtualModel("policy ="),
];

describe("the list", () => {
  const table: readonly (readonly [
    name: string,
    inventory: string,
    options: Partial<ModelListOptions>,
    expected: string,
  ])[] = [
    ["has qualified ids in order of registration", "a: y x | b: x meta/l", {}, "a/y a/x b/x b/meta/l"],
    [
      "hides what is stale or failed",
      "a stale: x | b failed | c fresh!: y | d configured: z | e pending: w",
      {},
      "c/y d/z e/w",
    ],
    ["has bare ids once each, on request", "a: y x | b: x meta/l", { unqualified: true }, "y x meta/l"],
    ["gives a bare id of a stale provider as the next one's", "a stale: x | b: x", { unqualified: true }, "x"],
    ["has enabled redirects first, once each", "a: x y", { virtualModels }, "smart x a/y a/x"],
    [
      "has enabled redirects instead of the same bare ids",
      "a: x y",
      { virtualModels, unqualified: true },
      "smart x a/y y",
    ],
    ["has only enabled redirects, on request", "a: x y", { virtualModels, onlyAliases: true }, "smart x a/y"],
    [
      "leaves out what is switched off",
      "a: x y | b: x",
      { isOff: (target) => targetName(target) === "a/x" },
      "a/y b/x",
    ],
    [
      "gives a bare id that is switched off at one provider as the next one's",
      "a: x y | b: x",
      { isOff: (target) => targetName(target) === "a/x", unqualified: true },
      "y x",
    ],
    ["is empty without models", "a: ", {}, ""],
  ];
  for (const [name, text, options, expected] of table) {
    test(`${name}: "${expected}"`, () => {
      expect(ids(text, options)).toBe(expected);
    });
  }

  test("an entry has the listed date and owner, else the start of the gateway and the provider", () => {
    const snapshot: InventorySnapshot = {
      version: 1,
      providers: inventory("a: x y").providers.map((provider) => ({
        ...provider,
        models: [
          { id: "x", created: 1_234_567, ownedBy: "vendor" },
          { id: "y", created: undefined, ownedBy: undefined },
        ],
      })),
    };
    expect(setUp("a: x", { inventory: () => snapshot }).list.entries()).toEqual([
      { id: "a/x", object: "model", created: 1_234_567, owned_by: "vendor" },
      { id: "a/y", object: "model", created: 1_700_000_000, owned_by: "a" },
    ]);
  });

  test("the body is the OpenAI list of the entries", () => {
    const { list } = setUp("a: x");
    expect(JSON.parse(list.body())).toEqual({
      object: "list",
      data: [{ id: "a/x", object: "model", created: 1_700_000_000, owned_by: "a" }],
    });
  });

  test("a virtual model has its description and the metadata of what it begins with", () => {
    const { list } = setUp("a: x", {
      virtualModels: [virtualModel("smart = a/x", { description: "for hard work" })],
      firstTarget: () => ({ providerName: "a", model: "x" }),
      metadataOf: () => ({ context_window: 1000 }),
    });
    expect(list.find("smart")).toEqual({
      id: "smart",
      object: "model",
      created: 1_700_000_000,
      owned_by: "gomodel",
      metadata: { context_window: 1000, description: "for hard work" },
    });
  });

  test("is made once per snapshot", () => {
    const { list, show } = setUp("a: x");
    const first = list.entries();
    expect(list.entries()).toBe(first);
    show("a stale: x");
    expect(list.entries()).toEqual([]);
  });
});

describe("one model", () => {
  const { list } = setUp("a: x meta/l | b: x | c stale: w", { virtualModels });
  const table: readonly (readonly [id: string, owner: string | undefined])[] = [
    ["a/x", "a"],
    ["b/x", "b"],
    ["meta/l", "a"],
    ["a/meta/l", "a"],
    ["x", "gomodel"],
    ["smart", "gomodel"],
    ["dark", undefined],
    ["policy", undefined],
    ["c/w", undefined],
    ["w", undefined],
    ["nope", undefined],
    ["__proto__", undefined],
  ];
  for (const [id, owner] of table) {
    test(`${id} is ${owner === undefined ? "not there" : `owned by ${owner}`}`, () => {
      expect(list.find(id)?.owned_by).toBe(owner);
      expect(list.find(id)?.id).toBe(owner === undefined ? undefined : id);
    });
  }

  test("is found by its qualified id though the list is of bare ones, and of aliases only", () => {
    const options = { unqualified: true, onlyAliases: true, virtualModels };
    expect(setUp("a: y", options).list.find("a/y")?.owned_by).toBe("gomodel");
    expect(setUp("b: y", options).list.find("b/y")?.owned_by).toBe("b");
  });
});

describe("metadata of a concrete model", () => {
  const metadataOf = createMetadata({
    providers: [
      {
        name: "a",
        models: [
          { id: "x", price: undefined, contextWindow: 128_000, supportsPrefill: undefined },
          { id: "y", price: undefined, contextWindow: undefined, supportsPrefill: undefined },
        ],
      },
    ],
    priceOf: ({ model }) =>
      model === "y"
        ? { inputPerMtok: 0, outputPerMtok: 2, perRequest: 0.01, tiers: [{ fromInputTokens: 5 }] }
        : undefined,
  });

  test("has the configured context window", () => {
    expect(metadataOf({ providerName: "a", model: "x" })).toEqual({ context_window: 128_000 });
  });

  test("has every known rate, 0 included", () => {
    expect(metadataOf({ providerName: "a", model: "y" })).toEqual({
      pricing: { input_per_mtok: 0, output_per_mtok: 2, per_request: 0.01 },
    });
  });

  test("is left out when nothing is known", () => {
    expect(metadataOf({ providerName: "b", model: "x" })).toBeUndefined();
  });
});
