import { COSTS } from '../src/limits/cost.ts';
import { LIMIT_SECTIONS, type Limit } from '../src/limits/limits.ts';
import { replaceSections, table } from './markdown.ts';

/** `docs/reference/limits.md` with its tables generated from the limits module. */
export function printLimits(page: URL): string {
  const sections = Object.entries(LIMIT_SECTIONS).map(([name, limits]) => [name, printSection(limits)]);
  return replaceSections(page, { ...Object.fromEntries(sections), costs: printCosts() });
}

function printSection(limits: { readonly [name: string]: Limit }): string {
  const rows = Object.entries(limits).map(([name, limit]) => [
    limit.bounds,
    formatValue(limit),
    limit.refusal,
    `\`${name}\``,
  ]);
  return table(['what is bounded', 'at most', 'beyond it', 'name'], rows);
}

function formatValue({ value, unit }: Limit): string {
  if (unit === 'ms' && value % 1_000 === 0) return `${value / 1_000} s`;
  if (unit === 'bytes' && value % 1_048_576 === 0) return `${value / 1_048_576} MiB`;
  if (unit === 'bytes' && value % 1_024 === 0) return `${value / 1_024} KiB`;
  return [value.toLocaleString('en'), unit].filter(Boolean).join(' ');
}

function printCosts(): string {
  const rows = Object.values(COSTS).map(({ cost, applies }) => [applies, cost.toLocaleString('en')]);
  return table(['field', 'cost'], rows);
}
