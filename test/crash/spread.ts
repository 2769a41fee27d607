// Measured values in a few words.

/** The value below which this share of them lies; NaN of none. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}

/** `median 1.2, p99 3.4, worst 5.6`. */
export function spread(values: readonly number[]): string {
  const [median, p99, worst] = [0.5, 0.99, 1].map((share) => quantile(values, share).toFixed(1));
  return `median ${median}, p99 ${p99}, worst ${worst}`;
}
