import { loadavg } from 'node:os';
import { PARTS, type PartName, type PartRun } from './parts.ts';
import { type AimResult, isMet, type PartReport, printAims } from './result.ts';

export interface AimsReport {
  parts: Array<PartReport & { part: PartName; seconds: number; loadBefore: number; loadAfter: number }>;
  /** Names of the aims that are not met. */
  unmet: string[];
}

/** @throws {RangeError} for the name of a part that does not exist */
export function partsOf(only: string | undefined): PartName[] {
  const all = Object.keys(PARTS) as PartName[];
  if (only === undefined) return all;
  return only.split(',').map((name) => {
    const part = all.find((one) => one === name);
    if (!part) throw new RangeError(`There is no part ${name}; the parts are ${all.join(', ')}.`);
    return part;
  });
}

/** Measures the parts one after another. */
export async function measureAims(parts: readonly PartName[], run: PartRun): Promise<AimsReport> {
  const reports: AimsReport['parts'] = [];
  for (const part of parts) {
    run.progress(part);
    const startedAt = performance.now();
    const [loadBefore] = loadavg() as [number, ...number[]];
    const report = await PARTS[part](run);
    const [loadAfter] = loadavg() as [number, ...number[]];
    reports.push({ part, ...report, seconds: (performance.now() - startedAt) / 1_000, loadBefore, loadAfter });
    // A later part may fail or be interrupted.
    run.progress(`${part} is measured\n${printAims(report.results)}`);
  }
  const all = reports.flatMap(({ results }): AimResult[] => results);
  return { parts: reports, unmet: all.filter((one) => isMet(one) === false).map(({ name }) => name) };
}

export function printAimsReport({ parts, unmet }: AimsReport): string {
  const aimed = parts.flatMap(({ results }) => results).filter(({ aim }) => aim).length;
  return [
    ...parts.map(({ details }) => details),
    ...parts.map(
      ({ part, results, seconds, loadBefore, loadAfter }) =>
        `${part}: ${Math.round(seconds)} s, load average ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after\n${printAims(results)}`,
    ),
    unmet.length === 0 ? `All of ${aimed} aims are met.` : `${unmet.length} of ${aimed} aims are not met.`,
  ].join('\n\n');
}
