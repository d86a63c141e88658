import { OperationError } from '../errors.ts';

/** Maximum values in one filter of a list. */
export const MAX_FILTER_VALUES = 20;

/**
 * The values of a filter without duplicates.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_FILTER_VALUES}
 */
export function filterValues(name: string, values: readonly string[]): string[] {
  return uniqueIds(values, { name, max: MAX_FILTER_VALUES });
}

/**
 * The ids of a query without duplicates, in the order of the input.
 * @throws {OperationError} INVALID_PARAMETERS for fewer than `min` or more than `max` of them
 */
export function uniqueIds(
  ids: readonly string[],
  { name, min = 0, max }: { name: string; min?: number; max: number },
): string[] {
  if (ids.length < min || ids.length > max) {
    const bounds = min === 0 ? `at most ${max}` : `${min} to ${max}`;
    throw new OperationError('INVALID_PARAMETERS', { detail: [`${name}: ${bounds} elements`], path: [name] });
  }
  return [...new Set(ids)];
}
