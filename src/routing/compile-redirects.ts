// Virtual models resolved against one inventory: which targets can be served now, and in which order they get their turn.

import type { Target } from "../core/target.ts";
import type { VirtualModel, VirtualModelTarget } from "../core/virtual-model.ts";
import { balancedChoice, type Choice, concreteChoice, type Rotate } from "./choice.ts";
import type { InventoryIndex } from "./inventory-index.ts";
import { isNameOf, meaningOf, type Redirects } from "./target-meaning.ts";

/** One virtual model on one inventory. */
export interface CompiledRedirect {
  readonly model: VirtualModel;
  /** Undefined when none of its targets can be served. */
  readonly choice: Choice | undefined;
  /** Everything behind it is at providers that are down: called all the same, in listed order (behaviour 2.11.6). */
  readonly down: boolean;
  /** The legs behind `choice`, in listed order. */
  readonly legs: readonly Choice[];
  /** Concrete models that it shadows and lists: asked for by provider they get its chain (behaviour 1.8, 2.11.7). */
  readonly shadowed: readonly Target[];
  /** Providers whose list lacks a target of it. */
  readonly lacking: readonly string[];
}

export interface CompileOptions {
  readonly redirects: Redirects;
  readonly index: InventoryIndex;
  readonly isOff: (target: Target) => boolean;
  /** One object per target. */
  readonly pooled: (target: Target) => Target;
  /** USD per million tokens, input and output together. */
  readonly priceOf: (target: Target) => number | undefined;
  /** The rotation of a virtual model over these of its targets. */
  readonly rotationOf: (model: VirtualModel, places: readonly number[]) => Rotate;
}

export function compileRedirects(options: CompileOptions): ReadonlyMap<string, CompiledRedirect> {
  const compiled = new Map<string, CompiledRedirect>();
  const underWay = new Set<string>();
  for (const model of options.redirects.values()) compile(model);
  return compiled;

  function compile(model: VirtualModel): CompiledRedirect | undefined {
    const known = compiled.get(model.source);
    if (known !== undefined) return known;
    // Validation has refused cycles; a leg that closes one is left out all the same, so that nothing can loop.
    if (underWay.has(model.source)) return undefined;
    underWay.add(model.source);
    const result = compileOne(model);
    underWay.delete(model.source);
    compiled.set(model.source, result);
    return result;
  }

  function compileOne(model: VirtualModel): CompiledRedirect {
    const served: { readonly choice: Choice; readonly place: number }[] = [];
    const down: Choice[] = [];
    const lacking: string[] = [];
    const shadowed: Target[] = [];
    model.targets.forEach((target, place) => {
      const meaning = meaningOf(model, target, options.redirects);
      if (meaning.kind === "chained") {
        const inner = compile(meaning.inner);
        if (inner?.choice === undefined) lacking.push(...(inner?.lacking ?? []));
        else if (inner.down) down.push(inner.choice);
        else served.push({ choice: inner.choice, place });
        return;
      }
      const candidates =
        meaning.kind === "pinned"
          ? [options.index.pinned(meaning.providerName, meaning.id)]
          : options.index.concrete(meaning.name);
      const allowed = candidates.filter((candidate) => !options.isOff(candidate)).map(options.pooled);
      const chosen = preferred(allowed, options.index);
      if (chosen === undefined) return;
      // A bare source shadows the model of the first provider that exposes it, also while that provider is down.
      for (const candidate of new Set([allowed[0] ?? chosen, chosen])) {
        if (isNameOf(model.source, candidate)) shadowed.push(candidate);
      }
      const choice = concreteChoice(chosen, options.priceOf);
      switch (options.index.availability(chosen)) {
        case "served":
          served.push({ choice, place });
          return;
        case "down":
          down.push(choice);
          return;
        case "unlisted":
          lacking.push(chosen.providerName);
          return;
        case "unknown-provider":
          return;
      }
    });
    const rest = { model, shadowed, lacking };
    const [first, ...others] = served;
    if (first !== undefined) {
      const rotate = options.rotationOf(
        model,
        served.map(({ place }) => place),
      );
      const legs = [first.choice, ...others.map(({ choice }) => choice)] as const;
      return { ...rest, choice: balancedChoice(legs, model.strategy, rotate), down: false, legs };
    }
    const [firstDown, ...othersDown] = down;
    if (firstDown === undefined) return { ...rest, choice: undefined, down: false, legs: [] };
    const legs = [firstDown, ...othersDown] as const;
    return { ...rest, choice: balancedChoice(legs, "failover", () => 0), down: true, legs };
  }
}

/** The first one that can be served, else the first one. */
export function preferred(candidates: readonly Target[], index: InventoryIndex): Target | undefined {
  return candidates.find((candidate) => index.availability(candidate) === "served") ?? candidates[0];
}

/** Rotations outlive an inventory as long as the same targets can be served, so that a refresh does not begin them anew. */
export function createRotations(
  make: (weights: readonly number[]) => { next(): number },
): CompileOptions["rotationOf"] {
  const kept = new Map<string, { readonly places: string; readonly rotate: Rotate }>();
  return (model, places) => {
    const written = places.join();
    const known = kept.get(model.source);
    if (known?.places === written) return known.rotate;
    const weights = places.map((place) => weightOf(model.targets[place]));
    // Two of them: requests in which it only backs another one up must not disturb the shares of those it serves first.
    const rotations = { first: make(weights), later: make(weights) };
    const rotate: Rotate = (role) => rotations[role].next();
    kept.set(model.source, { places: written, rotate });
    return rotate;
  };
}

function weightOf(target: VirtualModelTarget | undefined): number {
  return target?.weight ?? 1;
}
