import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { FlagRecord } from '../../store/records/content.ts';

export type FlagReference = Pick<FlagRecord, 'referenceType' | 'referenceId' | 'userId'>;

/**
 * Keeps one flag per user and record; a repeat changes its reason. Counts nothing: when the answer is `new`, the
 * caller raises the record's counters with `countFlag` in the same transaction. The caller has made sure that the
 * user sees the record (attacks 9).
 *
 * @param flag.reason as `flagReason` returned it
 */
export async function recordFlag(
  context: Context,
  session: ClientSession,
  flag: FlagReference & Pick<FlagRecord, 'reason' | 'detail'>,
): Promise<'new' | 'changed'> {
  const { reason, detail, ...reference } = flag;
  const now = context.now();
  const { upsertedCount } = await context.store.collections.flags.updateOne(
    { networkId: viewerOf(context).networkId, ...reference },
    { $set: { reason, detail, updatedAt: now }, $setOnInsert: { createdAt: now } },
    { upsert: true, session },
  );
  return upsertedCount === 1 ? 'new' : 'changed';
}

/** Takes one user's flag back. @returns whether there was one */
export async function removeFlag(context: Context, session: ClientSession, reference: FlagReference): Promise<boolean> {
  const filter = { networkId: viewerOf(context).networkId, ...reference };
  const { deletedCount } = await context.store.collections.flags.deleteOne(filter, { session });
  return deletedCount === 1;
}

/** Who flags a record, for rebuilding its filter after a flag was taken back. */
export async function flaggersOf(
  context: Context,
  session: ClientSession,
  reference: Omit<FlagReference, 'userId'>,
): Promise<string[]> {
  const flags = await context.store.collections.flags
    .find({ networkId: viewerOf(context).networkId, ...reference }, { session, projection: { userId: 1 } })
    .toArray();
  return flags.map((flag) => flag.userId);
}
