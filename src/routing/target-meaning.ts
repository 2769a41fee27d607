// What a target of a virtual model names: a concrete model, or another virtual model with everything behind it.

import { splitSelector, type Target, targetName } from "../core/target.ts";
import type { VirtualModel, VirtualModelTarget } from "../core/virtual-model.ts";

/**
 * pinned: this model of this provider, whatever virtual models there are. literal: what the name means underneath all
 * virtual models. chained: another virtual model with everything behind it.
 */
export type TargetMeaning =
  | { readonly kind: "pinned"; readonly providerName: string; readonly id: string }
  | { readonly kind: "literal"; readonly name: string }
  | { readonly kind: "chained"; readonly inner: VirtualModel };

/** Enabled virtual models with targets by their source; the first one of a name counts. */
export type Redirects = ReadonlyMap<string, VirtualModel>;

export function redirectsOf(virtualModels: readonly VirtualModel[]): Redirects {
  const redirects = new Map<string, VirtualModel>();
  for (const virtualModel of virtualModels) {
    // A disabled one is as if it were not there: its name means what it would mean without it.
    if (!virtualModel.enabled || virtualModel.targets.length === 0) continue;
    if (!redirects.has(virtualModel.source)) redirects.set(virtualModel.source, virtualModel);
  }
  return redirects;
}

/**
 * Behaviour 1.8 and the page "Failover": two real models may back each other up, for a chain that shadows one reaches of the
 * other only the model itself, and a source that lists its own name means that model too. Any other redirect traverses the
 * chain of a protected model.
 */
export function meaningOf(owner: VirtualModel, target: VirtualModelTarget, redirects: Redirects): TargetMeaning {
  const inner = redirects.get(target.model);
  if (target.provider !== undefined || inner === undefined) return underneath(target);
  const protectedModel = ownModelOf(inner);
  if (protectedModel !== undefined && ownModelOf(owner) !== undefined) return underneath(protectedModel);
  return { kind: "chained", inner };
}

function underneath({ provider, model }: VirtualModelTarget): TargetMeaning {
  return provider === undefined
    ? { kind: "literal", name: model }
    : { kind: "pinned", providerName: provider, id: model };
}

/**
 * The target by which a virtual model adds failover to the real model of its name instead of replacing it: its source as
 * such, else at a provider. Undefined for a plain redirect. Told from the declaration alone, so that it is the same at start
 * as with any inventory.
 */
function ownModelOf(virtualModel: VirtualModel): VirtualModelTarget | undefined {
  const { source, targets } = virtualModel;
  return (
    targets.find(({ provider, model }) => provider === undefined && model === source) ??
    targets.find(({ provider, model }) => {
      const concrete = provider === undefined ? splitSelector(model) : pin(provider, model);
      return concrete !== undefined && isNameOf(source, concrete);
    })
  );
}

/** Whether `name` is this concrete model's, qualified or bare. */
export function isNameOf(name: string, target: Target): boolean {
  return name === target.model || name === targetName(target);
}

/** A provider and an id; one redundant prefix of the provider's own name is taken off the id (behaviour 1.6). */
export function pin(providerName: string, id: string): Target {
  const prefix = `${providerName}/`;
  const redundant = id.startsWith(prefix) && id.length > prefix.length;
  return { providerName, model: redundant ? id.slice(prefix.length) : id };
}
