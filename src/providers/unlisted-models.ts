// The inventory of a provider that has no listing to ask for.

import type { ListedModel } from "../core/inventory.ts";
import type { ProviderConfig } from "../core/provider-config.ts";
import { unusable } from "./refused-answer.ts";

/**
 * Nothing of its own where models are configured: the operator's list then stands alone, in each mode. Otherwise the models that the type is
 * known to have. Throws a `Failure` that says what to configure when there are neither.
 */
export function unlistedModels(config: ProviderConfig, knownModels: readonly string[]): readonly ListedModel[] {
  if (config.models.length > 0) return [];
  if (knownModels.length > 0) return knownModels.map((id) => ({ id, created: undefined, ownedBy: undefined }));
  throw unusable(
    `providers of type ${config.type} cannot be asked for their models: name them in providers.${config.name}.models`,
  );
}
