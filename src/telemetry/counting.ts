// Counters, gauges and histograms whose series are found by their label values: one `Map` look-up per label, one addition.

/** The figure of one series; whoever has it adds to it. */
export interface Cell {
  value: number;
}

/** One histogram series. */
export interface Distribution {
  /** Values that are no finite number change nothing. */
  observe(value: number): void;
}

interface Definition {
  readonly name: string;
  readonly help: string;
  readonly labelNames: readonly string[];
}

/** A metric with everything that was counted. */
export interface Family extends Definition {
  readonly type: "counter" | "gauge" | "histogram";
  /** As they are now, in the order in which the series came up. */
  samples(): Iterable<Sample>;
}

export interface Sample {
  /** Behind the family's name: `_bucket`, `_sum`, `_count`; mostly empty. */
  readonly suffix: string;
  /** Names and values by turns. */
  readonly labels: readonly string[];
  readonly value: number;
}

/** Finds the series of these label values, in the order of `labelNames`; the first time it makes one at 0. */
type Find<Series> = (...labelValues: readonly string[]) => Series;

/** A figure that only grows. */
export function createCounter(families: Family[], definition: Definition): Find<Cell> {
  return createCells(families, "counter", definition);
}

/** A figure that also falls. */
export function createGauge(families: Family[], definition: Definition): Find<Cell> {
  return createCells(families, "gauge", definition);
}

/** Counts per range of values; `buckets` are the upper bounds, ascending, included. */
export function createHistogram(
  families: Family[],
  definition: Definition & { readonly buckets: readonly number[] },
): Find<Distribution> {
  const { buckets, labelNames } = definition;
  const all: { readonly labels: readonly string[]; readonly series: BucketCounts }[] = [];
  families.push({
    ...definition,
    type: "histogram",
    *samples() {
      for (const { labels, series } of all) yield* series.samples(labels);
    },
  });
  return createFinder((labelValues) => {
    const series = new BucketCounts(buckets);
    all.push({ labels: pairs(labelNames, labelValues), series });
    return series;
  });
}

class BucketCounts implements Distribution {
  readonly #bounds: readonly number[];
  /** One per bound and one for what is above the last. */
  readonly #counts: Float64Array;
  #sum = 0;

  constructor(bounds: readonly number[]) {
    this.#bounds = bounds;
    this.#counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    if (!Number.isFinite(value)) return;
    const bounds = this.#bounds;
    let index = 0;
    while (index < bounds.length && value > (bounds[index] ?? Infinity)) index++;
    this.#counts[index] = (this.#counts[index] ?? 0) + 1;
    this.#sum += value;
  }

  *samples(labels: readonly string[]): Generator<Sample> {
    let below = 0;
    for (const [index, count] of this.#counts.entries()) {
      below += count;
      const bound = this.#bounds[index];
      yield {
        suffix: "_bucket",
        labels: ["le", bound === undefined ? "+Inf" : String(bound), ...labels],
        value: below,
      };
    }
    yield { suffix: "_sum", labels, value: this.#sum };
    yield { suffix: "_count", labels, value: below };
  }
}

function createCells(families: Family[], type: "counter" | "gauge", definition: Definition): Find<Cell> {
  const all: (Cell & Sample)[] = [];
  families.push({ ...definition, type, samples: () => all });
  return createFinder((labelValues) => {
    const cell = { suffix: "", labels: pairs(definition.labelNames, labelValues), value: 0 };
    all.push(cell);
    return cell;
  });
}

function pairs(labelNames: readonly string[], labelValues: readonly string[]): readonly string[] {
  return labelNames.flatMap((name, index) => [name, labelValues[index] ?? ""]);
}

interface Branch<Series> {
  readonly next: Map<string, Branch<Series>>;
  series: Series | undefined;
}

function createFinder<Series>(make: (labelValues: readonly string[]) => Series): Find<Series> {
  const root: Branch<Series> = { next: new Map(), series: undefined };
  return (...labelValues) => {
    let branch = root;
    for (const value of labelValues) {
      let next = branch.next.get(value);
      if (next === undefined) {
        next = { next: new Map(), series: undefined };
        branch.next.set(value, next);
      }
      branch = next;
    }
    return (branch.series ??= make(labelValues));
  };
}
