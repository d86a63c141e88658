import { readFile, writeFile } from 'node:fs/promises';
import { faultsOfRuns } from './faults.ts';
import { type CapacityReport, measureCapacity } from './measure.ts';
import { capacityTables } from './print.ts';
import { faultsOfSimulations, simulateClusters } from './scenarios.ts';
import { CAPACITY, CAPACITY_SMOKE } from './setup.ts';

export interface CapacityOptions {
  /** Only checks that everything runs. */
  smoke?: boolean | undefined;
  /** Only simulates, with the inputs of the committed report. */
  simulateOnly?: boolean | undefined;
  /** The report that docs/capacity.md is generated from: bench/capacity/report.json. */
  json?: string | undefined;
  progress: (step: string) => void;
}

const REPORT = new URL('report.json', import.meta.url);

/**
 * `npm run bench -- --capacity`: prints the inputs of the capacity model, what follows from them, and checks it against
 * runs and simulated clusters. The exit status is 1 if a prediction is outside its tolerance.
 */
export async function benchCapacity({ smoke, simulateOnly, json, progress }: CapacityOptions): Promise<void> {
  const measured = simulateOnly
    ? (JSON.parse(await readFile(REPORT, 'utf8')) as CapacityReport)
    : await measureCapacity(smoke ? CAPACITY_SMOKE : CAPACITY, progress);
  progress('simulated clusters');
  const report: CapacityReport = { ...measured, simulations: simulateClusters(measured.inputs) };
  const { simulations, ...others } = capacityTables(report);
  for (const text of simulateOnly ? [simulations] : [...Object.values(others), simulations]) console.log(`${text}\n`);
  if (json) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
  const faults = [...(simulateOnly ? [] : faultsOfRuns(report)), ...faultsOfSimulations(report.simulations)];
  for (const fault of faults) console.log(fault);
  // A smoke run is too short for meaningful figures.
  if (faults.length > 0 && !smoke) process.exitCode = 1;
}
