import type { HttpResult } from '../http/results.ts';
import { printQuartiles } from '../http/results.ts';
import type { Quartiles } from '../rounds.ts';
import { type Cell, table } from '../table.ts';

/** One line of the table of aims. */
export interface AimResult {
  name: string;
  /** Quartiles of all rounds; null where this machine cannot measure it. */
  value: Quartiles | null;
  unit?: string;
  /** Absent for a figure that is shown beside others. */
  aim?: { atLeast: number } | { atMost: number };
  /** Processors that other programs used while it was measured; NaN where the system does not report it. */
  otherLoad: number;
  /** Why there is no value, or what differs from a full run. */
  note?: string;
}

/** Above this, absolute figures mean nothing, and ratios little; in processors. */
export const MAX_OTHER_LOAD = 0.1;

/** One part of the bench, with the aims it measures and readable details. */
export interface PartReport {
  results: AimResult[];
  details: string;
  /** The measured figures, for `--json`. */
  figures: unknown;
}

/** Whether the median meets the aim; null without an aim or a value. A median that is not a number is not met. */
export function isMet({ value, aim }: AimResult): boolean | null {
  if (!aim || !value) return null;
  return 'atLeast' in aim ? value.median >= aim.atLeast : value.median <= aim.atMost;
}

/** Whether other programs used so much of the machine that this is not a figure; false where the system does not report it. */
export const isBusy = ({ value, otherLoad }: AimResult): boolean => value !== null && otherLoad > MAX_OTHER_LOAD;

/** The line of a ratio of requests/s: the gateway's divided by those of `server`. */
export function ratioAim(
  results: readonly HttpResult[],
  { work, connections, server }: Pick<HttpResult, 'work' | 'connections' | 'server'>,
  atLeast?: number,
): AimResult {
  const result = results.find((one) => one.work === work && one.connections === connections && one.server === server);
  if (!result) throw new Error(`${work} of ${server} at ${connections} was not measured`);
  return {
    name: `${work}, ${connections === 1 ? '1 connection' : `${connections} connections`} ÷ ${server}`,
    value: result.subjectRatio,
    ...(atLeast !== undefined && { aim: { atLeast } }),
    otherLoad: result.otherLoad,
  };
}

export function printAims(results: readonly AimResult[]): string {
  const rows = results.map((result): Cell[] => {
    const { name, value, unit = '', aim, otherLoad, note } = result;
    const met = isMet(result);
    return [
      name,
      value ? `${printQuartiles(value)}${unit && ` ${unit}`}` : 'not measurable here',
      otherLoad,
      aim ? ('atLeast' in aim ? `≥ ${aim.atLeast}` : `≤ ${aim.atMost}`) : '',
      met === null ? '' : met ? 'met' : 'NOT MET',
      [...(isBusy(result) ? ['busy'] : []), ...(note ? [note] : [])].join(', '),
    ];
  });
  return table(['', 'median (quartiles)', 'other load', 'aim', '', ''], rows);
}
