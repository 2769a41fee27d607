// The content of `GET /v1/models` and `GET /v1/models/{id}`, made once per inventory snapshot.

import type { InventorySnapshot, ListedModel, ProviderInventory } from "../core/inventory.ts";
import { type Target, targetName } from "../core/target.ts";
import type { VirtualModel } from "../core/virtual-model.ts";
import type { ModelMetadata } from "./model-metadata.ts";

/** One model in the OpenAI form. */
interface ModelEntry {
  readonly id: string;
  readonly object: "model";
  /** Seconds since the epoch. */
  readonly created: number;
  readonly owned_by: string;
  readonly metadata?: ModelMetadata;
}

export interface ModelListOptions {
  readonly inventory: () => InventorySnapshot;
  readonly virtualModels: readonly VirtualModel[];
  /** Whether a concrete model is switched off. */
  readonly isOff: (target: Target) => boolean;
  /** The concrete model that a virtual model begins with now. */
  readonly firstTarget: (source: string) => Target | undefined;
  readonly metadataOf: (target: Target) => ModelMetadata | undefined;
  /** `UNQUALIFIED_MODEL_IDS_AT_MODELS_ENDPOINT`: bare ids. Default false: `provider/model`. */
  readonly unqualified: boolean;
  /** `KEEP_ONLY_ALIASES_AT_MODELS_ENDPOINT`: virtual models only. Default false. */
  readonly onlyAliases: boolean;
  /** Seconds since the epoch, for models that do not say when they were made. */
  readonly createdFallback: number;
}

export interface ModelList {
  /** Virtual models as declared, then concrete models by provider. */
  entries(): readonly ModelEntry[];
  /** The whole answer as JSON. */
  body(): string;
  /** A virtual model, `provider/model` or a bare id, whatever form the list has. Undefined when it is not served or hidden. */
  find(id: string): ModelEntry | undefined;
}

interface Built {
  readonly version: number;
  readonly entries: readonly ModelEntry[];
  readonly body: string;
  readonly byId: ReadonlyMap<string, ModelEntry>;
}

/** Behaviour 1.3 and 2.7: the models of providers that are down are hidden. */
export function createModelList(options: ModelListOptions): ModelList {
  let built: Built | undefined;

  function current(): Built {
    const snapshot = options.inventory();
    if (built?.version !== snapshot.version) built = build(snapshot);
    return built;
  }

  function build(snapshot: InventorySnapshot): Built {
    const virtual = entriesOfVirtualModels();
    const { qualified, bare } = entriesOfProviders(snapshot.providers.filter(isShown));
    const concrete = options.unqualified ? bare : qualified;
    // A virtual model may have a real model's name: callers get the virtual one, so it is the one that is listed.
    const real = options.onlyAliases ? [] : [...concrete.values()].filter(({ id }) => !virtual.has(id));
    const entries = Object.freeze([...virtual.values(), ...real]);
    return {
      version: snapshot.version,
      entries,
      body: JSON.stringify({ object: "list", data: entries }),
      byId: new Map([...bare, ...qualified, ...virtual]),
    };
  }

  function entriesOfVirtualModels(): Map<string, ModelEntry> {
    const entries = new Map<string, ModelEntry>();
    for (const { source, targets, enabled, description } of options.virtualModels) {
      if (!enabled || targets.length === 0 || entries.has(source)) continue;
      const first = options.firstTarget(source);
      const metadata = first === undefined ? undefined : options.metadataOf(first);
      const described = description === undefined ? metadata : { ...metadata, description };
      entries.set(source, entry(source, options.createdFallback, "gomodel", described));
    }
    return entries;
  }

  function entriesOfProviders(providers: readonly ProviderInventory[]) {
    const qualified = new Map<string, ModelEntry>();
    const bare = new Map<string, ModelEntry>();
    for (const { providerName, models } of providers) {
      for (const model of models) {
        const target = { providerName, model: model.id };
        if (options.isOff(target)) continue;
        const id = targetName(target);
        const made = entryOf(id, providerName, model, options.metadataOf(target));
        qualified.set(id, made);
        // Registration order: a bare id is the first provider's, as in routing.
        if (!bare.has(model.id)) bare.set(model.id, { ...made, id: model.id });
      }
    }
    return { qualified, bare };
  }

  function entryOf(
    id: string,
    providerName: string,
    model: ListedModel,
    metadata: ModelMetadata | undefined,
  ): ModelEntry {
    return entry(id, model.created ?? options.createdFallback, model.ownedBy ?? providerName, metadata);
  }

  return {
    entries: () => current().entries,
    body: () => current().body,
    find: (id) => current().byId.get(id),
  };
}

function entry(id: string, created: number, ownedBy: string, metadata: ModelMetadata | undefined): ModelEntry {
  const made = { id, object: "model", created, owned_by: ownedBy } as const;
  return Object.freeze(metadata === undefined ? made : { ...made, metadata });
}

function isShown({ state }: ProviderInventory): boolean {
  return state !== "stale" && state !== "failed";
}
