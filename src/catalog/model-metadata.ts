// What `GET /v1/models` says about a model besides its name.

import type { ConfiguredModel } from "../core/provider-config.ts";
import { type Target, targetName } from "../core/target.ts";
import type { Price } from "../core/usage.ts";

/** `metadata` of an entry; members that nobody knows are left out. */
export interface ModelMetadata {
  readonly description?: string;
  /** Tokens. */
  readonly context_window?: number;
  /** USD per million tokens, keys of behaviour 1.17. */
  readonly pricing?: Readonly<Record<string, number>>;
}

export interface MetadataOptions {
  readonly providers: readonly { readonly name: string; readonly models: readonly ConfiguredModel[] }[];
  readonly priceOf: (target: Target) => Price | undefined;
}

/** Gives the metadata of concrete models; undefined when there is none. */
export function createMetadata(options: MetadataOptions): (target: Target) => ModelMetadata | undefined {
  const windows = new Map<string, number>();
  for (const { name, models } of options.providers) {
    for (const { id, contextWindow } of models) {
      if (contextWindow !== undefined) windows.set(targetName({ providerName: name, model: id }), contextWindow);
    }
  }
  return (target) => {
    const contextWindow = windows.get(targetName(target));
    const pricing = pricingOf(options.priceOf(target));
    if (contextWindow === undefined && pricing === undefined) return undefined;
    return {
      ...(contextWindow === undefined ? {} : { context_window: contextWindow }),
      ...(pricing === undefined ? {} : { pricing }),
    };
  };
}

function pricingOf(price: Price | undefined): Record<string, number> | undefined {
  if (price === undefined) return undefined;
  const rates: readonly (readonly [string, number | undefined])[] = [
    ["input_per_mtok", price.inputPerMtok],
    ["output_per_mtok", price.outputPerMtok],
    ["cached_input_per_mtok", price.cachedInputPerMtok],
    ["cache_write_per_mtok", price.cacheWritePerMtok],
    ["reasoning_output_per_mtok", price.reasoningOutputPerMtok],
    ["audio_input_per_mtok", price.audioInputPerMtok],
    ["audio_output_per_mtok", price.audioOutputPerMtok],
    ["per_request", price.perRequest],
  ];
  const pricing: Record<string, number> = {};
  for (const [key, rate] of rates) if (rate !== undefined) pricing[key] = rate;
  return Object.keys(pricing).length === 0 ? undefined : pricing;
}
