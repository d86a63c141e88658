import type { ClientSession, Filter, UpdateFilter } from 'mongodb';
import type { Context } from '../../context.ts';
import { appendEvents } from '../../events/append-events.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { MAX_BATCH } from '../batch.ts';
import { invalidate } from './flag-record.ts';
import type { Flaggable, FlagTarget } from './flag-target.ts';
import { removeAllFlags, removeSomeFlags } from './stored-flags.ts';

type Authorize = (session: ClientSession) => Promise<unknown>;

/**
 * Removes every flag of a record. More than {@link MAX_BATCH} flags are removed in several transactions, each of which
 * lowers `flagCount` by what it removed: an interrupted call leaves a correct count, and clearing again continues.
 * @param authorize checks the right to clear them in each transaction: the viewer may lose it meanwhile
 * @returns the record with its counters afterwards
 */
export async function clearFlags<Record extends Flaggable>(
  context: Context,
  target: FlagTarget<Record>,
  authorize: Authorize,
): Promise<Record> {
  // In transactions of their own, because an idempotent write must not store its answer before all flags are removed.
  for (let hasMore = target.record.flagCount > MAX_BATCH; hasMore; ) {
    hasMore = await context.store.transaction(async (session) => {
      await authorize(session);
      return removeBatch(context, session, target);
    }, target.lock);
  }
  const cleared = await context.transaction(async (session) => {
    await authorize(session);
    return removeRest(context, session, target);
  }, target.lock);
  invalidate(context, target);
  return cleared ?? target.record;
}

/** Removes {@link MAX_BATCH} flags of a record that has more. @returns whether it had more */
async function removeBatch<Record extends Flaggable>(
  context: Context,
  session: ClientSession,
  { collection, filter, referenceType, referenceId }: FlagTarget<Record>,
): Promise<boolean> {
  const many = { ...filter, flagCount: { $gt: MAX_BATCH } } as Filter<Record>;
  const fewer = { $inc: { flagCount: -MAX_BATCH } } as unknown as UpdateFilter<Record>;
  // Written first, so that a concurrent flag conflicts.
  if (!(await collection.findOneAndUpdate(many, fewer, { session }))) return false;
  await removeSomeFlags(context, session, { referenceType, referenceId, count: MAX_BATCH });
  return true;
}

/** Removes the last flags and reports that all were cleared. @returns the record, null when it had no flags */
async function removeRest<Record extends Flaggable>(
  context: Context,
  session: ClientSession,
  target: FlagTarget<Record>,
): Promise<Record | null> {
  const { collection, filter, referenceType, referenceId, isUpdatedByClearing } = target;
  const flagged = { ...filter, flagCount: { $gt: 0 } } as Filter<Record>;
  const set = { flagCount: 0, hashFlag: null, ...(isUpdatedByClearing && { updatedAt: context.now() }) };
  const none = { $set: set } as unknown as UpdateFilter<Record>;
  // Written first, so that a concurrent flag conflicts.
  const cleared = await collection.findOneAndUpdate(flagged, none, { session, returnDocument: 'after' });
  if (!cleared) return null;
  await removeAllFlags(context, session, { referenceType, referenceId });
  await target.markAncestors?.(session, false);
  const { authorId: affectedUserId, communityId, channelId } = target;
  const place = { communityId, channelId };
  await recordAudit(context, session, [
    { subjectType: referenceType, subjectId: referenceId, affectedUserId, ...place },
  ]);
  await appendEvents(context, session, [target.event('cleared', cleared as Record)]);
  return cleared as Record;
}
