import { readFileSync } from 'node:fs';
import type { CapacityReport } from '../bench/capacity/measure.ts';
import { capacityTables } from '../bench/capacity/print.ts';
import { replaceSections } from './markdown.ts';

/** docs/capacity.md with the tables of the committed report of `npm run bench -- --capacity`. */
export function printCapacity(page: URL): string {
  const report = new URL('../bench/capacity/report.json', import.meta.url);
  return replaceSections(page, capacityTables(JSON.parse(readFileSync(report, 'utf8')) as CapacityReport));
}
