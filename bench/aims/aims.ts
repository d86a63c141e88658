import { cpus, loadavg } from 'node:os';
import { PARTS, type PartName, type PartRun } from './parts.ts';
import { type AimResult, isBusy, isMet, MAX_OTHER_LOAD, type PartReport, printAims } from './result.ts';

/** One line of the table, as `--json` keeps it. */
export type JudgedResult = AimResult & {
  /** Null without an aim, or where this machine cannot measure it. */
  isMet: boolean | null;
  /** Other programs used so much of the machine that this is not a figure. */
  isBusy: boolean;
};

export interface AimsReport {
  parts: Array<
    Omit<PartReport, 'results'> & {
      part: PartName;
      results: JudgedResult[];
      seconds: number;
      loadBefore: number;
      loadAfter: number;
    }
  >;
  /** Parts that are not measured yet, or failed. */
  missing: PartName[];
  /** Names of the aims that are met, that are not, and that this machine cannot measure. */
  met: string[];
  unmet: string[];
  unmeasurable: string[];
  /** Whether other programs used the machine meanwhile, so that these are not figures. */
  isBusy: boolean;
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

/**
 * Measures the parts one after another.
 * @param save called after each part with the report so far, since a later part may fail or be interrupted
 */
export async function measureAims(
  parts: readonly PartName[],
  run: PartRun,
  save: (report: AimsReport) => Promise<void> = async () => undefined,
): Promise<AimsReport> {
  const measured: AimsReport['parts'] = [];
  for (const [index, part] of parts.entries()) {
    run.progress(part);
    const startedAt = performance.now();
    const [loadBefore] = loadavg() as [number, ...number[]];
    const { results, ...report } = await PARTS[part](run);
    const [loadAfter] = loadavg() as [number, ...number[]];
    const seconds = (performance.now() - startedAt) / 1_000;
    measured.push({ part, ...report, results: results.map(judged), seconds, loadBefore, loadAfter });
    run.progress(`${part} is measured\n${printAims(results)}`);
    await save(aimsReport(measured, parts.slice(index + 1)));
  }
  return aimsReport(measured, []);
}

const judged = (result: AimResult): JudgedResult => ({ ...result, isMet: isMet(result), isBusy: isBusy(result) });

export function aimsReport(parts: AimsReport['parts'], missing: PartName[]): AimsReport {
  const results = parts.flatMap(({ results }) => results);
  const aimed = results.filter(({ aim }) => aim);
  const namesOf = (wanted: boolean | null) => aimed.filter(({ isMet }) => isMet === wanted).map(({ name }) => name);
  return {
    parts,
    missing,
    met: namesOf(true),
    unmet: namesOf(false),
    unmeasurable: namesOf(null),
    isBusy: results.some(({ isBusy }) => isBusy),
  };
}

export function printAimsReport(report: AimsReport): string {
  const { parts } = report;
  return [
    ...parts.map(({ details }) => details),
    ...parts.map(
      ({ part, results, seconds, loadBefore, loadAfter }) =>
        `${part}: ${Math.round(seconds)} s, load average ${loadBefore.toFixed(1)} before, ${loadAfter.toFixed(1)} after\n${printAims(results)}`,
    ),
    printVerdict(report),
  ].join('\n\n');
}

/** How many aims are met, and whether the machine was quiet. */
export function printVerdict({ parts, met, unmet, unmeasurable, isBusy }: AimsReport): string {
  const measured = met.length + unmet.length;
  const results = parts.flatMap(({ results }) => results);
  const busy = results.filter((one) => one.isBusy);
  const most = Math.max(...busy.map(({ otherLoad }) => otherLoad));
  return [
    unmet.length === 0
      ? `All of ${measured} measured aims are met.`
      : `${unmet.length} of ${measured} measured aims are not met.`,
    ...(unmeasurable.length > 0
      ? [`${unmeasurable.length} more cannot be measured on this machine: ${unmeasurable.join('; ')}.`]
      : []),
    ...(isBusy
      ? [
          `BUSY: other programs used up to ${most.toFixed(1)} of ${cpus().length} processors during ${busy.length} of ${results.length} measurements (at most ${MAX_OTHER_LOAD} is quiet). These are not figures.`,
        ]
      : []),
  ].join('\n');
}
