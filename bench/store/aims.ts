import type { OperationResult } from './compare.ts';
import type { OperationName } from './subject.ts';

/** Duration of one operation at a time, relative to a server that returns prepared bytes. */
const MAX_TIMES_ECHO: { readonly [name in OperationName]?: number } = { 'point read': 1.2, 'range of 50': 1.3 };
/** Durable inserts of all concurrent writers. */
const MIN_INSERTS_PER_SECOND = 5_000;
/** Duration with many records, relative to few. */
const MAX_GROWTH = 1.3;

type Measured = Pick<OperationResult, 'name' | 'together' | 'perSecond' | 'timesEcho' | 'growth'>;

/** The aims that the store alone does not meet. */
export const faultsOfStore = (operations: readonly Measured[]): string[] => operations.flatMap(faultsOf);

function faultsOf({ name, together, perSecond, timesEcho, growth }: Measured): string[] {
  const operation = together === 1 ? name : `${name}, ${together} concurrent`;
  const maxTimesEcho = together === 1 ? MAX_TIMES_ECHO[name] : undefined;
  const minPerSecond = name === 'insert' && together > 1 ? MIN_INSERTS_PER_SECOND : 0;
  return [
    ...(maxTimesEcho !== undefined && timesEcho > maxTimesEcho
      ? [`${operation}: ${timesEcho.toFixed(2)} × echo, not ${maxTimesEcho}`]
      : []),
    ...(perSecond < minPerSecond ? [`${operation}: ${Math.round(perSecond)} per second, not ${minPerSecond}`] : []),
    ...(growth > MAX_GROWTH ? [`${operation}: growth of ${growth.toFixed(2)}, not ${MAX_GROWTH}`] : []),
  ];
}
