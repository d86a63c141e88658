import { probes as changes } from './changes.ts';
import { probes as comparisons } from './comparisons.ts';
import { probes as computations } from './computations.ts';
import type { Probe } from './probe.ts';

/** All probes, by the name of the file with their recorded replies. */
export const PROBES: Readonly<Record<string, readonly Probe[]>> = {
  changes: distinctlyNamed(changes),
  comparisons: distinctlyNamed(comparisons),
  computations: distinctlyNamed(computations),
};

/** 1 and 1.0 have the same text, so later probes with the same name are numbered. */
function distinctlyNamed(probes: readonly Probe[]): Probe[] {
  const seen = new Map<string, number>();
  return probes.map((probe) => {
    const count = (seen.get(probe.name) ?? 0) + 1;
    seen.set(probe.name, count);
    return count === 1 ? probe : { ...probe, name: `${probe.name} (${count})` };
  });
}
