import type { ClientSession, Collection, Filter, UpdateFilter } from 'mongodb';
import type { BaseRecord, HashFlag } from '../../store/records/base.ts';
import { hashFlagOf, withFlagOf } from './hash-flag.ts';

export interface Flaggable extends BaseRecord {
  flagCount: number;
  hashFlag: HashFlag | null;
}

interface Counted<Record extends Flaggable> {
  session: ClientSession;
  /** The collection of the flagged record; its own noun calls this. */
  collection: Collection<Record>;
  filter: Filter<Record>;
}

/**
 * Counts a new flag on its record and enters the user into its filter. `flagCount` moves first, so that of two users
 * who flag at once the later transaction conflicts before it reads the filter, and starts again.
 *
 * @returns the record as it is now, null when there is none
 */
export async function countFlag<Record extends Flaggable>({
  session,
  collection,
  filter,
  userId,
}: Counted<Record> & { userId: string }) {
  const raised = { $inc: { flagCount: 1 } } as unknown as UpdateFilter<Record>;
  const record = await collection.findOneAndUpdate(filter, raised, { session, returnDocument: 'after' });
  if (!record) return null;
  const hashFlag = withFlagOf(record.hashFlag, userId);
  await collection.updateOne(filter, { $set: { hashFlag } } as unknown as UpdateFilter<Record>, { session });
  return { ...record, hashFlag };
}

/** Counts a flag that was taken back; `flaggers` are those whose flags remain, since bits cannot be cleared one by one. */
export async function uncountFlag<Record extends Flaggable>({
  session,
  collection,
  filter,
  flaggers,
}: Counted<Record> & { flaggers: string[] }) {
  const lowered = { $inc: { flagCount: -1 }, $set: { hashFlag: hashFlagOf(flaggers) } };
  return collection.findOneAndUpdate(filter, lowered as unknown as UpdateFilter<Record>, {
    session,
    returnDocument: 'after',
  });
}
