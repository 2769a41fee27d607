// Which models the operator has switched off, by entries of `virtual_models` that have no targets.

import { type Target, targetName } from "../core/target.ts";
import type { VirtualModel } from "../core/virtual-model.ts";

export interface Switches {
  /** Whether a concrete model may not be used. The most specific entry decides: the model at its provider, the model, the provider, `/`. */
  isOff(target: Target): boolean;
  /** Whether exactly this selector was switched off, so that it means nothing to a caller. */
  isOffByName(name: string): boolean;
}

/** Behaviour 1.8: selectors are `/`, `provider/`, `provider/model` and a bare model id. */
export function createSwitches(virtualModels: readonly VirtualModel[]): Switches {
  const enabledBySelector = new Map<string, boolean>();
  for (const { source, targets, enabled } of virtualModels) {
    if (targets.length === 0) enabledBySelector.set(source, enabled);
  }
  return {
    isOff(target) {
      const enabled =
        enabledBySelector.get(targetName(target)) ??
        enabledBySelector.get(target.model) ??
        enabledBySelector.get(`${target.providerName}/`) ??
        enabledBySelector.get("/");
      return enabled === false;
    },
    isOffByName: (name) => enabledBySelector.get(name) === false,
  };
}
