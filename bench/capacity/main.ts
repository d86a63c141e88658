import { writeFile } from 'node:fs/promises';
import { CAPACITY, CAPACITY_SMOKE, measureCapacity } from './measure.ts';
import { capacityTables } from './print.ts';

export interface CapacityOptions {
  /** Only checks that everything runs. */
  smoke?: boolean | undefined;
  /** The report that docs/capacity.md is generated from: bench/capacity/report.json. */
  json?: string | undefined;
  progress: (step: string) => void;
}

/** `npm run bench -- --capacity`: prints the inputs of the capacity model, what follows from them, and the checked runs. */
export async function benchCapacity({ smoke, json, progress }: CapacityOptions): Promise<void> {
  const report = await measureCapacity(smoke ? CAPACITY_SMOKE : CAPACITY, progress);
  for (const text of Object.values(capacityTables(report))) console.log(`${text}\n`);
  if (json) await writeFile(json, `${JSON.stringify(report, null, 2)}\n`);
}
