import type { ClientSession, Filter, UpdateFilter } from 'mongodb';
import type { Context } from '../../context.ts';
import { append } from '../../events/append.ts';
import { MAX_BATCH } from '../batch.ts';
import { invalidate } from './flag-record.ts';
import type { Flaggable, FlagTarget } from './flag-target.ts';
import { removeAllFlags, removeSomeFlags } from './stored-flags.ts';

/**
 * Removes every flag of a record. More than {@link MAX_BATCH} flags are removed in several transactions, each of which
 * lowers `flagCount` by what it removed: an interrupted call leaves a correct count, and clearing again continues.
 * @returns the record with its counters afterwards
 */
export async function clearFlags<Record extends Flaggable>(
  context: Context,
  target: FlagTarget<Record>,
): Promise<Record> {
  const first = await context.transaction((session) => clearBatch(context, session, target), target.lock);
  // A keyed write joins all transactions of its request, so the rest has to wait for its commit.
  if (first === 'more') {
    await context.afterCommit(async () => {
      let rest = first as Cleared<Record>;
      while (rest === 'more') {
        rest = await context.store.transaction((session) => clearBatch(context, session, target), target.lock);
      }
    });
  }
  invalidate(context, target);
  if (first === 'more') return { ...target.record, flagCount: 0, hashFlag: null };
  return first ?? target.record;
}

/** The record without flags, null when it had none, `more` when flags are left. */
type Cleared<Record> = Record | 'more' | null;

/** Updates the counters first, so that a concurrent flag conflicts. */
async function clearBatch<Record extends Flaggable>(
  context: Context,
  session: ClientSession,
  target: FlagTarget<Record>,
): Promise<Cleared<Record>> {
  const { collection, filter, referenceType, referenceId } = target;
  const reference = { referenceType, referenceId };
  const options = { session, returnDocument: 'after' } as const;
  const few = { ...filter, flagCount: { $gt: 0, $lte: MAX_BATCH } } as Filter<Record>;
  const none = { $set: { flagCount: 0, hashFlag: null } } as unknown as UpdateFilter<Record>;
  const cleared = (await collection.findOneAndUpdate(few, none, options)) as Record | null;
  if (cleared) {
    await removeAllFlags(context, session, reference);
    await target.markAncestors?.(session, false);
    await append(context, session, [target.event('cleared', cleared)]);
    return cleared;
  }
  const many = { ...filter, flagCount: { $gt: MAX_BATCH } } as Filter<Record>;
  const fewer = { $inc: { flagCount: -MAX_BATCH } } as unknown as UpdateFilter<Record>;
  if (!(await collection.findOneAndUpdate(many, fewer, options))) return null;
  await removeSomeFlags(context, session, { ...reference, count: MAX_BATCH });
  return 'more';
}
