// Prices in the spelling of the specification -> the price of core.

import type { Price } from "../core/usage.ts";
import type { Settings } from "./schema.ts";

type ModelBlock = NonNullable<Settings["providers"][string]["models"]>[number];
export type PricingBlock = NonNullable<NonNullable<ModelBlock["metadata"]>["pricing"]>;

/** Behaviour 1.17. A rate that is not given stays absent, so that the built-in one applies. */
export function priceOf(pricing: PricingBlock): Price {
  const tiers = pricing.tiers === undefined || pricing.tiers.length === 0 ? undefined : tiersOf(pricing.tiers);
  return present({
    inputPerMtok: pricing.input_per_mtok,
    outputPerMtok: pricing.output_per_mtok,
    cachedInputPerMtok: pricing.cached_input_per_mtok,
    cacheWritePerMtok: pricing.cache_write_per_mtok,
    reasoningOutputPerMtok: pricing.reasoning_output_per_mtok,
    audioInputPerMtok: pricing.audio_input_per_mtok,
    audioOutputPerMtok: pricing.audio_output_per_mtok,
    perRequest: pricing.per_request,
    tiers,
  });
}

/** Upper bounds, inclusive, become lower ones: each tier begins one token after the one before it ends. */
function tiersOf(tiers: NonNullable<PricingBlock["tiers"]>): NonNullable<Price["tiers"]> {
  return tiers.map((tier, index) => {
    const previousEnd = index === 0 ? undefined : tiers[index - 1]?.up_to_mtok;
    return {
      fromInputTokens: previousEnd === undefined ? 0 : Math.round(previousEnd * 1_000_000) + 1,
      ...present({
        inputPerMtok: tier.input_per_mtok,
        outputPerMtok: tier.output_per_mtok,
        cachedInputPerMtok: tier.cached_input_per_mtok,
      }),
    };
  });
}

/** What is wrong with the order of the tiers, if anything. */
export function tierComplaint(pricing: PricingBlock): string | undefined {
  const bounds = (pricing.tiers ?? []).map((tier) => tier.up_to_mtok);
  const lastIndex = bounds.length - 1;
  const ordered = bounds.every((bound, index) => {
    if (bound === undefined) return index === lastIndex;
    return index === 0 || bound > (bounds[index - 1] ?? Number.POSITIVE_INFINITY);
  });
  return ordered ? undefined : "tiers must ascend by up_to_mtok; only the last one may leave it out";
}

type Present<Fields> = { [Key in keyof Fields]?: Exclude<Fields[Key], undefined> };

function present<Fields extends Record<string, unknown>>(fields: Fields): Present<Fields>;
function present(fields: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
