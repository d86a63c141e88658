import { OperationError } from '../../src/errors.ts';

/** How many records one field fetches by their ids. */
export const MAX_IDS = 100;

/**
 * The records behind ids that the viewer sees, in the order asked, each once.
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
