import { readFileSync } from 'node:fs';
import { parser } from '@prometheus-io/lezer-promql';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import '../../src/observe/metrics/definitions.ts';
import { allFamilies } from '../../src/observe/metrics/registry.ts';

interface Dashboard {
  panels: Array<{ title: string; targets?: Array<{ expr: string }> }>;
}

interface Rules {
  groups: Array<{ rules: Array<{ alert: string; expr: string; annotations: { summary: string; action: string } }> }>;
}

const read = (path: string) => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8');
const dashboard: Dashboard = JSON.parse(read('grafana/colloquy.json'));
const rules = (parse(read('prometheus/alerts.yaml')) as Rules).groups.flatMap((group) => group.rules);

/** Expressions by where they are; variables of Grafana replaced as it does. */
const expressions = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, expr.replaceAll('$__rate_interval', '1m')] as const),
  ),
  ...rules.map(({ alert, expr }) => [`alert ${alert}`, expr] as const),
];

/** Names of all series that are printed. */
const exported = new Set(
  allFamilies().flatMap(({ name, type }) =>
    type === 'histogram' ? ['_bucket', '_sum', '_count'].map((suffix) => `${name}${suffix}`) : [name],
  ),
);
const labelsOf = new Map(allFamilies().map(({ name, labels }) => [name, labels]));

/** Labels that Prometheus adds, those of workers and of histograms. */
const COMMON = ['job', 'instance', 'worker', 'le'];

interface Parsed {
  errors: number;
  metrics: Array<{ name: string; labels: string[] }>;
  grouping: string[];
}

function parsePromql(expression: string): Parsed {
  const parsed: Parsed = { errors: 0, metrics: [], grouping: [] };
  parser.parse(expression).iterate({
    enter({ node, type, from, to }) {
      const text = expression.slice(from, to);
      if (type.isError) parsed.errors += 1;
      if (type.name === 'VectorSelector') {
        const name = /^[a-zA-Z_:][\w:]*/.exec(text)?.[0] ?? '';
        const labels = node.getChild('LabelMatchers');
        const matchers = labels ? expression.slice(labels.from, labels.to) : '';
        parsed.metrics.push({
          name,
          labels: [...matchers.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!),
        });
      }
      if (type.name === 'GroupingLabels') parsed.grouping.push(...[...text.matchAll(/\w+/g)].map(([label]) => label));
    },
  });
  return parsed;
}

test('the check finds invalid expressions and their metrics', () => {
  expect(parsePromql('sum by (').errors).toBeGreaterThan(0);
  expect(parsePromql('sum by (code) (rate(a_total{b="c"}[5m])) / d')).toEqual({
    errors: 0,
    metrics: [
      { name: 'a_total', labels: ['b'] },
      { name: 'd', labels: [] },
    ],
    grouping: ['code'],
  });
});

test.each(expressions)('%s has a valid expression of metrics and labels that exist', (_, expression) => {
  const { errors, metrics, grouping } = parsePromql(expression);
  expect(errors).toBe(0);
  expect(metrics.length).toBeGreaterThan(0);
  const known = new Set(COMMON);
  for (const { name, labels } of metrics) {
    expect(exported).toContain(name);
    const own = labelsOf.get(name) ?? labelsOf.get(name.replace(/_(bucket|sum|count)$/, '')) ?? [];
    for (const label of own) known.add(label);
    for (const label of labels) expect([...COMMON, ...own]).toContain(label);
  }
  for (const label of grouping) expect([...known]).toContain(label);
});

test('every metric of Colloquy is on the dashboard', () => {
  const shown = new Set(
    expressions.flatMap(([, expression]) => parsePromql(expression).metrics.map(({ name }) => name)),
  );
  const missing = allFamilies()
    .filter(({ name }) => name.startsWith('colloquy_'))
    .filter(({ name }) => ![name, `${name}_bucket`, `${name}_count`].some((one) => shown.has(one)));
  expect(missing.map(({ name }) => name)).toEqual([]);
});

test('every alert says what has happened and what to do', () => {
  expect(rules.length).toBeGreaterThan(5);
  for (const { annotations } of rules) {
    expect(annotations.summary).toMatch(/\.$/);
    expect(annotations.action).toMatch(/\.$/);
  }
});
