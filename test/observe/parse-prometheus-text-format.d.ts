declare module 'parse-prometheus-text-format' {
  interface Metric {
    value?: string;
    labels?: Record<string, string>;
    /** Of histograms. */
    buckets?: Record<string, string>;
    count?: string;
    sum?: string;
  }
  interface Family {
    name: string;
    help: string;
    type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
    metrics: Metric[];
  }
  export default function parsePrometheusTextFormat(text: string): Family[];
}
