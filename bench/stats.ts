/** The quantile `share` of sorted values. */
export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function sorted(values: readonly number[]): number[] {
  return [...values].sort((a, b) => a - b);
}

export function median(values: readonly number[]): number {
  return percentile(sorted(values), 0.5);
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

export interface Latencies {
  /** Milliseconds. */
  p50: number;
  p99: number;
}

export function latenciesOf(milliseconds: readonly number[]): Latencies {
  const ordered = sorted(milliseconds);
  return { p50: percentile(ordered, 0.5), p99: percentile(ordered, 0.99) };
}

export function shuffled<Item>(items: readonly Item[]): Item[] {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last--) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other]!, mixed[last]!];
  }
  return mixed;
}
