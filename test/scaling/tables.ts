import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SCATTERED } from './scattered.ts';
import type { Shape } from './shapes.ts';

const PAGE = join(import.meta.dirname, '..', '..', 'docs', 'reference', 'sharding.md');

/** The text of docs/reference/sharding.md between `<!-- name -->` and `<!-- /name -->`; with `WRITE_DOCS` it is replaced first. */
export function generatedSection(name: string, text: string): string {
  const page = readFileSync(PAGE, 'utf8');
  const [opening, closing] = [`<!-- ${name} -->\n\n`, `\n\n<!-- /${name} -->`];
  const [start, end] = [page.indexOf(opening), page.indexOf(closing)];
  if (start < 0 || end < start) throw new Error(`docs/reference/sharding.md has no section ${name}`);
  const from = start + opening.length;
  if (process.env.WRITE_DOCS) writeFileSync(PAGE, page.slice(0, from) + text + page.slice(end));
  return process.env.WRITE_DOCS ? text : page.slice(from, end);
}

/** Queries that reach the shards of their records, or of one range. */
export function targetedTable(shapes: readonly Shape[]): string {
  return table(
    ['collection', 'filter', 'commands', 'reaches'],
    shapes
      .filter(({ reach }) => reach === 'one' || reach === 'part')
      .map(({ collection, by, verbs, reach }) => [
        collection,
        by,
        [...verbs].sort().join(', '),
        reach === 'one' ? 'its records' : 'one range',
      ]),
  );
}

/** Queries that reach every shard with a part of the network. */
export function scatteredTable(shapes: readonly Shape[]): string {
  return table(
    ['collection', 'filter', 'order', 'reason'],
    shapes
      .filter(({ reach }) => reach === 'network')
      .map(({ collection, by, orders }) => [
        collection,
        by,
        [...orders].sort().join(', '),
        SCATTERED[collection]?.[by] ?? '',
      ]),
  );
}

function table(head: string[], rows: string[][]): string {
  const widths = head.map((title, i) => Math.max(title.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: string[]) => `| ${cells.map((cell, i) => cell.padEnd(widths[i]!)).join(' | ')} |`;
  return [line(head), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n');
}
