import type { ClientSession, Collection, Filter, UpdateFilter } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { Flaggable } from './count-flag.ts';
import type { FlagReference } from './record-flag.ts';

interface Cleared<Record extends Flaggable> {
  session: ClientSession;
  /** The collection of the flagged record; its own noun calls this. */
  collection: Collection<Record>;
  filter: Filter<Record>;
  reference: Omit<FlagReference, 'userId'>;
}

/**
 * Removes every flag on a record. Its counters change first, so that a flag which comes at once conflicts.
 * @returns the record as it is now; null when there is none, or nobody flagged it
 */
export async function clearFlags<Record extends Flaggable>(
  context: Context,
  { session, collection, filter, reference }: Cleared<Record>,
) {
  const { networkId } = viewerOf(context);
  const record = await collection.findOneAndUpdate(
    { ...filter, flagCount: { $gt: 0 } },
    { $set: { flagCount: 0, hashFlag: null } } as unknown as UpdateFilter<Record>,
    { session, returnDocument: 'after' },
  );
  if (record) await context.store.collections.flags.deleteMany({ networkId, ...reference }, { session });
  return record;
}
