import { OperationError } from '../../src/errors.ts';

/** Maximum number of records that one field fetches by their ids. */
export const MAX_IDS = 100;

/**
 * Records by their ids, in the order of the ids and without duplicates; records that the viewer cannot see are omitted.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_IDS} ids
 */
export async function recordsByIds<Record>(
  ids: readonly string[],
  load: (id: string) => Promise<Record | null>,
): Promise<Record[]> {
  if (ids.length > MAX_IDS) throw new OperationError('INVALID_PARAMETERS', { detail: [`At most ${MAX_IDS} ids.`] });
  const records = await Promise.all([...new Set(ids)].map(load));
  return records.filter((record) => record !== null);
}
