import { OperationError } from '../errors.ts';

/** The most values that one filter of a list names. */
export const MAX_FILTER_VALUES = 20;

/**
 * The values that a filter names, each once.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_FILTER_VALUES}
 */
export function filterValues(name: string, values: readonly string[]): string[] {
  return uniqueIds(values, { name, max: MAX_FILTER_VALUES });
}

/**
 * The ids of a question, each once, in the order asked.
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
