declare module 'parse-prometheus-text-format' {
  interface Metric {
    value?: string;
    labels?: Record<string, string>;
  }
  interface Family {
    name: string;
    help: string;
    type: 'COUNTER' | 'GAUGE' | 'HISTOGRAM' | 'SUMMARY' | 'UNTYPED';
    metrics: Metric[];
  }
  export default function parsePrometheusTextFormat(text: string): Family[];
}
