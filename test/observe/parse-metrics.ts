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
  const families = new Map(parse(text).map((family) => [family.name, family]));
  return {
    names: new Set(families.keys()),
    series(name, labels = {}) {
      const series = (families.get(name)?.metrics ?? []).map((metric) => ({
        labels: metric.labels ?? {},
        value: Number(metric.value ?? metric.count),
      }));
      return series.filter((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value));
    },
  };
}
