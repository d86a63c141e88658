import parse from 'parse-prometheus-text-format';

/** One series of a scraped metric; of a histogram, its number of observations. */
export interface Series {
  labels: { readonly [name: string]: string };
  value: number;
}

export interface Scraped {
  /** Names of the metrics, without the suffixes of histograms. */
  names: ReadonlySet<string>;
  /** The series of a metric whose labels include these. */
  series(name: string, labels?: { readonly [name: string]: string }): Series[];
}

/** Parses Prometheus' text format. */
export function parseMetrics(text: string): Scraped {
  const names = new Set(parse(text).map(({ name }) => name));
  // The parser merges all series of a histogram: without its type, it returns each of them.
  const families = parse(text.replaceAll(/^# TYPE \S+ histogram$/gm, ''));
  return {
    names,
    series(name, labels = {}) {
      const named = families.filter((family) => family.name === name || family.name === `${name}_count`);
      const metrics = named.flatMap((family) => family.metrics);
      const series = metrics.map((metric) => ({ labels: metric.labels ?? {}, value: Number(metric.value) }));
      return series.filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value));
    },
  };
}
