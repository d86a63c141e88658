import { probes as changes } from './changes.ts';
import { probes as comparisons } from './comparisons.ts';
import { probes as computations } from './computations.ts';
import type { Probe } from './probe.ts';

/** Every probe, by the name of the file its recorded answers are in. */
export const PROBES: Readonly<Record<string, readonly Probe[]>> = {
  changes: distinctlyNamed(changes),
  comparisons: distinctlyNamed(comparisons),
  computations: distinctlyNamed(computations),
};

/** 1 and 1.0 read the same, so later probes of one name are numbered. */
function distinctlyNamed(probes: readonly Probe[]): Probe[] {
  const seen = new Map<string, number>();
  return probes.map((probe) => {
    const count = (seen.get(probe.name) ?? 0) + 1;
    seen.set(probe.name, count);
    return count === 1 ? probe : { ...probe, name: `${probe.name} (${count})` };
  });
}
