import '../src/observe/metrics/definitions.ts';
import { allFamilies } from '../src/observe/metrics/registry.ts';
import { replaceSections, table } from './markdown.ts';

/** `docs/reference/metrics.md` with its table generated from the definitions of the metrics. */
export function printMetrics(page: URL): string {
  const rows = allFamilies().map(({ name, type, labels, help }) => [
    `\`${name}\``,
    type,
    labels.map((label) => `\`${label}\``).join(', '),
    help,
  ]);
  return replaceSections(page, { metrics: table(['metric', 'type', 'labels', 'meaning'], rows) });
}
