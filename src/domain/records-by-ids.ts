import { type MaybePromise, whenAllLoaded } from '../lib/maybe-promise.ts';
import { uniqueIds } from './unique-ids.ts';

/** Maximum ids of a query by ids; some queries accept fewer. */
export const MAX_IDS = 100;

/**
 * Records by their ids, in the order of the ids and without duplicates. Records that `load` does not find, or that the
 * viewer cannot see, are omitted.
 *
 * @param bounds.name parameter of the ids, for the error
 * @throws {OperationError} INVALID_PARAMETERS for more than `max` ids
 */
export function recordsByIds<Record>(
  ids: readonly string[],
  { name, max = MAX_IDS }: { name: string; max?: number },
  load: (id: string) => MaybePromise<Record | null>,
): MaybePromise<Record[]> {
  return whenAllLoaded(
    uniqueIds(ids, { name, max }).map((id) => load(id)),
    (records) => (records as Array<Record | null>).filter((record) => record !== null),
  );
}
