import { describe, expect, test } from "bun:test";
import { virtualModel } from "../../test/support/inventory-text.ts";
import type { VirtualModel } from "../core/virtual-model.ts";
import { validateVirtualModels } from "./validate.ts";

function problems(models: readonly VirtualModel[], providers: readonly string[] = ["a", "b"]): string[] {
  return validateVirtualModels(models, providers).map(
    ({ severity, where, message }) => `${severity} ${where}: ${message}`,
  );
}

function chain(length: number): VirtualModel[] {
  return Array.from({ length }, (_, index) =>
    virtualModel(`v${index + 1} = ${index + 1 === length ? "a/x" : `v${index + 2}`}`),
  );
}

describe("validateVirtualModels", () => {
  const accepted: Readonly<Record<string, readonly string[]>> = {
    "targets at registered providers": ["smart = a/x, b:y, z"],
    "a chain of two": ["outer = inner, a/x", "inner = b/y"],
    "the same inner model twice": ["outer = l, r", "l = in", "r = in", "in = a/x"],
    "mutual back-up of two shadowed models": ["x = x, y", "y = y, x"],
    "mutual back-up with the models written at their providers": ["x = a/x, y", "y = b:y, x"],
    "mutual back-up of qualified names": ["a/x = a/x, b/y", "b/y = b/y, a/x"],
    "three shadowed models in a ring": ["x = x, y", "y = y, z", "z = z, x"],
    "a virtual model whose name has a slash": ["smart = team/fast", "team/fast = a/x"],
    "a provider pinned beside a virtual model of that name": ["x = a:y", "y = a:x"],
    "a pinned id with a slash that begins with no provider's name": ["s = a:meta/llama"],
  };
  for (const [name, texts] of Object.entries(accepted)) {
    test(`accepts ${name}`, () => {
      expect(problems(texts.map((text) => virtualModel(text)))).toEqual([]);
    });
  }

  const cycles: readonly (readonly [texts: readonly string[], where: string, spelled: string])[] = [
    [["a1 = b1", "b1 = a1"], "a1", "a1 -> b1 -> a1"],
    [["p = q, a/x", "q = b/y, r", "r = p"], "p", "p -> q -> r -> p"],
    [["in = q", "q = r", "r = q"], "q", "q -> r -> q"],
    [["x = x, alias", "alias = x"], "x", "x -> alias -> x"],
    [["x = x, y", "y = x"], "x", "x -> y -> x"],
  ];
  for (const [texts, where, spelled] of cycles) {
    test(`refuses ${texts.join("; ")} and spells it out`, () => {
      expect(problems(texts.map((text) => virtualModel(text)))).toEqual([
        `error virtual_models ${where}: virtual models form a cycle: ${spelled}; remove one of these targets`,
      ]);
    });
  }

  test("a disabled member breaks a cycle", () => {
    expect(problems([virtualModel("p = q"), virtualModel("q = p", { enabled: false })])).toEqual([]);
  });

  test("accepts eight virtual models behind one another and refuses nine", () => {
    expect(problems(chain(8))).toEqual([]);
    expect(problems(chain(9))).toEqual([
      'error virtual_models v1: virtual model "v1" is chained 9 deep, at most 8 are allowed; name inner targets directly',
    ]);
  });

  test("says nothing of depth as long as there is a cycle", () => {
    const found = problems([...chain(9), virtualModel("p = q"), virtualModel("q = p")]);
    expect(found).toHaveLength(1);
    expect(found[0]).toContain("form a cycle: p -> q -> p");
  });

  test("measures the deepest way, whatever the order of declaration", () => {
    expect(problems([...chain(9).toReversed(), virtualModel("side = v3, v9")])).toHaveLength(1);
  });

  test("warns of a prefix that is no registered provider, and lists the registered ones", () => {
    expect(problems([virtualModel("s = c:x, d/y, a/z")])).toEqual([
      'warning virtual_models s: target "d/y" of "s": "d" is no registered provider (registered: a, b), so this is taken for a model id; write <provider>/d/y if it is one',
    ]);
    expect(problems([virtualModel("s = d/y")], [])[0]).toContain("(registered: none)");
  });

  test("reports everything at once", () => {
    const texts = ["s = c/x", "p = q", "q = p", "t = u", "u = t"];
    expect(problems(texts.map((text) => virtualModel(text)))).toHaveLength(3);
  });
});
