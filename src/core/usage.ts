// What an answer used and what that costs.

/** Which provider's own figure a cost is (behaviour 1.17; Perplexity is ours beyond it). */
export type ReportedCostSource = "openrouter_credits" | "xai_cost_in_usd_ticks" | "edenai_cost" | "perplexity_cost";

/** Tokens as the provider reported them, in the OpenAI sense: sub-counts are part of their base. */
export interface Usage {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly totalTokens: number;
  /** Part of `inputTokens` unless `cacheIsExtra`. */
  readonly cachedInputTokens: number;
  readonly cacheWriteTokens: number;
  /** Part of `outputTokens` unless `reasoningIsExtra`. */
  readonly reasoningTokens: number;
  readonly audioInputTokens: number;
  readonly audioOutputTokens: number;
  /** The provider counts cached tokens beside its input tokens (Anthropic). */
  readonly cacheIsExtra: boolean;
  /** The provider counts reasoning tokens beside its output tokens (xAI). */
  readonly reasoningIsExtra: boolean;
  /** Exact cost from the provider, in USD, with where it came from (behaviour 1.17). */
  readonly reportedCost?: { readonly usd: number; readonly source: ReportedCostSource };
  /** Positive token fields that no rate is known for. */
  readonly unmappedFields: readonly string[];
  /** What makes the counts uncertain, for people; absent when the provider reported them. */
  readonly caveat?: string;
  /** The provider's own object. */
  readonly raw: Readonly<Record<string, unknown>>;
}

/** Null = unknown, 0 = free (behaviour 1.17). USD. */
export interface Cost {
  readonly inputUsd: number | null;
  readonly outputUsd: number | null;
  readonly totalUsd: number | null;
  readonly source: "model_pricing" | ReportedCostSource | null;
  /** What makes the figure uncertain, for people; null when nothing does. */
  readonly caveat: string | null;
}

/** USD per million tokens; a missing rate is unknown. Keys of behaviour 1.17 that chat and embeddings need. */
export interface Price {
  readonly inputPerMtok?: number;
  readonly outputPerMtok?: number;
  readonly cachedInputPerMtok?: number;
  readonly cacheWritePerMtok?: number;
  readonly reasoningOutputPerMtok?: number;
  readonly audioInputPerMtok?: number;
  readonly audioOutputPerMtok?: number;
  /** USD per request, added to the output cost. */
  readonly perRequest?: number;
  /** Other rates from a number of input tokens on, ascending; the last one that applies replaces the base rates. */
  readonly tiers?: readonly {
    readonly fromInputTokens: number;
    readonly inputPerMtok?: number;
    readonly outputPerMtok?: number;
    readonly cachedInputPerMtok?: number;
    readonly cacheWritePerMtok?: number;
  }[];
}
