/** One measured value of a family, as it is sent between processes and printed. */
export interface Sample {
  /** Appended to the name of the family, such as `_bucket` of a histogram. */
  suffix: string;
  /** Names and values in the order in which they are printed. */
  labels: ReadonlyArray<readonly [name: string, value: string]>;
  value: number;
}

/** The current values of a metric. */
export interface FamilySnapshot {
  name: string;
  samples: Sample[];
}

export type MetricType = 'counter' | 'gauge' | 'histogram';

interface Definition<Labels extends readonly string[]> {
  /** Name as in Prometheus, with a unit: `_total`, `_seconds`, `_bytes`. */
  name: string;
  help: string;
  /** Names of the labels. Their values must come from fixed sets, since each combination is stored for ever. */
  labels?: Labels;
  /** Whether every process reports the same value, so that one of them is printed. @default false */
  isShared?: boolean;
}

type LabelValues<Labels extends readonly string[]> = { [Index in keyof Labels]: string };

/** A metric and what it has measured in this process. */
export abstract class Family<Labels extends readonly string[] = readonly string[], Child = unknown> {
  abstract readonly type: MetricType;
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
  readonly isShared: boolean;
  protected readonly children = new Map<string, { values: readonly string[]; child: Child }>();

  constructor({ name, help, labels, isShared = false }: Definition<Labels>) {
    this.name = name;
    this.help = help;
    this.labels = labels ?? [];
    this.isShared = isShared;
    if (families.has(name)) throw new Error(`The metric ${name} is defined twice.`);
    families.set(name, this as unknown as Family);
  }

  /** The value with these labels. Code that runs often keeps the returned object. */
  with(...values: LabelValues<Labels>): Child {
    const key = values.length === 1 ? values[0]! : values.join('\n');
    const known = this.children.get(key);
    if (known) return known.child;
    const child = this.createChild();
    this.children.set(key, { values, child });
    return child;
  }

  async snapshot(): Promise<FamilySnapshot> {
    const samples = [...this.children.values()].flatMap(({ values, child }) =>
      this.samplesOf(child, this.pairs(values)),
    );
    return { name: this.name, samples };
  }

  protected pairs(values: readonly string[]): Sample['labels'] {
    return this.labels.map((label, index) => [label, values[index]!] as const);
  }

  protected abstract createChild(): Child;
  protected abstract samplesOf(child: Child, labels: Sample['labels']): Sample[];
}

const families = new Map<string, Family>();

/** Every metric of this process, in the order of its definition. */
export function allFamilies(): Family[] {
  return [...families.values()];
}

export class CounterValue {
  value = 0;

  add(amount = 1): void {
    this.value += amount;
  }
}

/** A number that only increases while the process runs. */
export class Counter<const Labels extends readonly string[] = readonly []> extends Family<Labels, CounterValue> {
  readonly type = 'counter';

  /** The sum over all labels. */
  total(): number {
    let total = 0;
    for (const { child } of this.children.values()) total += child.value;
    return total;
  }

  /** The sum over the labels that a condition accepts. */
  totalWhere(accepts: (...values: LabelValues<Labels>) => boolean): number {
    let total = 0;
    for (const { values, child } of this.children.values())
      if (accepts(...(values as LabelValues<Labels>))) total += child.value;
    return total;
  }

  protected createChild(): CounterValue {
    return new CounterValue();
  }

  protected samplesOf({ value }: CounterValue, labels: Sample['labels']): Sample[] {
    return [{ suffix: '', labels, value }];
  }
}

/** Reads the current values of a gauge; for a gauge without labels, one number. */
export type ReadGauge<Labels extends readonly string[]> = () =>
  | number
  | null
  | ReadonlyArray<readonly [LabelValues<Labels>, number]>
  | Promise<number | null>;

/** A number that is read when it is requested, and may decrease. */
export class Gauge<const Labels extends readonly string[] = readonly []> extends Family<Labels, never> {
  readonly type: MetricType;
  private readonly readers = new Set<ReadGauge<Labels>>();

  /** @param type `counter` for a value that the system counts. @default gauge */
  constructor({ type = 'gauge', ...definition }: Definition<Labels> & { type?: 'gauge' | 'counter' }) {
    super(definition);
    this.type = type;
  }

  /** Adds a source of values; those of several sources are added up. @returns a function that removes it */
  readFrom(read: ReadGauge<Labels>): () => void {
    this.readers.add(read);
    return () => void this.readers.delete(read);
  }

  /** The sum of all values; 0 without a source. A source that fails or is unknown counts nothing. */
  async total(): Promise<number> {
    const { samples } = await this.snapshot();
    return samples.reduce((total, { value }) => total + value, 0);
  }

  override async snapshot(): Promise<FamilySnapshot> {
    const read = await Promise.all([...this.readers].map(async (one) => one()).map((one) => one.catch(() => null)));
    const sums = new Map<string, { values: readonly string[]; value: number }>();
    for (const found of read) {
      if (found === null) continue;
      const pairs = typeof found === 'number' ? [[[] as readonly string[], found] as const] : found;
      for (const [values, value] of pairs) {
        const key = values.join('\n');
        sums.set(key, { values, value: (sums.get(key)?.value ?? 0) + value });
      }
    }
    const samples = Array.from(sums.values(), ({ values, value }) => ({
      suffix: '',
      labels: this.pairs(values),
      value,
    }));
    return { name: this.name, samples };
  }

  protected createChild(): never {
    throw new Error('A gauge is read from its sources.');
  }

  protected samplesOf(): Sample[] {
    return [];
  }
}

export class HistogramValue {
  /** Upper bounds, ascending. */
  readonly bounds: readonly number[];
  /** Observations in each bucket; the last one has no upper bound. */
  readonly counts: Float64Array;
  sum = 0;
  count = 0;

  constructor(bounds: readonly number[]) {
    this.bounds = bounds;
    this.counts = new Float64Array(bounds.length + 1);
  }

  observe(value: number): void {
    const { bounds, counts } = this;
    let index = 0;
    while (index < bounds.length && value > bounds[index]!) index += 1;
    counts[index] = counts[index]! + 1;
    this.sum += value;
    this.count += 1;
  }
}

/** The distribution of observed values over buckets. */
export class Histogram<const Labels extends readonly string[] = readonly []> extends Family<Labels, HistogramValue> {
  readonly type = 'histogram';
  private readonly bounds: readonly number[];

  constructor({ buckets, ...definition }: Definition<Labels> & { buckets: readonly number[] }) {
    super(definition);
    this.bounds = buckets;
  }

  /** How many values were observed with any labels. */
  total(): number {
    let total = 0;
    for (const { child } of this.children.values()) total += child.count;
    return total;
  }

  protected createChild(): HistogramValue {
    return new HistogramValue(this.bounds);
  }

  protected samplesOf({ bounds, counts, sum, count }: HistogramValue, labels: Sample['labels']): Sample[] {
    let below = 0;
    const buckets = Array.from(counts, (inBucket, index) => {
      below += inBucket;
      const le = index === bounds.length ? '+Inf' : String(bounds[index]);
      return { suffix: '_bucket', labels: [...labels, ['le', le] as const], value: below };
    });
    return [...buckets, { suffix: '_sum', labels, value: sum }, { suffix: '_count', labels, value: count }];
  }
}
