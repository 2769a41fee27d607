// What both load generators are told and what they tell.

export interface Load {
  readonly port: number;
  /** Sent in turn. */
  readonly requests: readonly Buffer[];
  /** Each with one request at a time. */
  readonly connections: number;
  /** After it no request is begun; those that run are waited for. */
  readonly durationMs: number;
}

export interface LoadResult {
  /** Right ones. */
  readonly answers: number;
  /** Not 200, too short, or cut off. */
  readonly wrong: number;
  readonly seconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
}

/** The value below which the share `quantile` of the sorted numbers lies; NaN without any. */
export function quantileOf(sorted: Float64Array, quantile: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * quantile))] ?? Number.NaN;
}

/** NaN without any. */
export function medianOf(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
