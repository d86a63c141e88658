import type { ClientSession, Collection, Filter, UpdateFilter } from 'mongodb';
import type { Flaggable } from './flag-target.ts';
import { hashFlagOf, withFlagOf } from './hash-flag.ts';

interface Counted<Record extends Flaggable> {
  session: ClientSession;
  /** The flagged record's collection, passed by the resource that owns it. */
  collection: Collection<Record>;
  filter: Filter<Record>;
}

/**
 * Counts a new flag on its record and adds the user to its filter. `flagCount` is written first, so that of two
 * concurrent flags the later transaction conflicts before it reads the filter, and retries.
 * @returns the updated record, and the statement that stores its filter; null if it does not exist
 */
export async function countFlag<Record extends Flaggable>({
  session,
  collection,
  filter,
  userId,
}: Counted<Record> & { userId: string }): Promise<{ counted: Record; storeFilter(): Promise<unknown> } | null> {
  const raised = { $inc: { flagCount: 1 } } as unknown as UpdateFilter<Record>;
  const record = await collection.findOneAndUpdate(filter, raised, { session, returnDocument: 'after' });
  if (!record) return null;
  const hashFlag = withFlagOf(record.hashFlag, userId);
  const stored = { $set: { hashFlag } } as unknown as UpdateFilter<Record>;
  return {
    counted: { ...(record as Record), hashFlag },
    storeFilter: () => collection.updateOne(filter, stored, { session }),
  };
}

/**
 * Counts a withdrawn flag and rebuilds the filter, since bits cannot be cleared one by one.
 * @param counted.flaggers the users whose flags remain
 */
export async function subtractFlag<Record extends Flaggable>({
  session,
  collection,
  filter,
  flaggers,
}: Counted<Record> & { flaggers: string[] }): Promise<Record | null> {
  const lowered = { $inc: { flagCount: -1 }, $set: { hashFlag: hashFlagOf(flaggers) } };
  const record = await collection.findOneAndUpdate(filter, lowered as unknown as UpdateFilter<Record>, {
    session,
    returnDocument: 'after',
  });
  return record as Record | null;
}
