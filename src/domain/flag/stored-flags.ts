import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { FlagRecord } from '../../store/records/content.ts';
import type { FlagReference } from './flag-target.ts';

/**
 * Stores a user's flag on a record, or changes its reason. The caller updates the record's counters.
 * @returns whether the user had not flagged it before
 */
export async function insertFlag(
  context: Context,
  session: ClientSession,
  key: FlagReference & Pick<FlagRecord, 'userId'>,
  content: Pick<FlagRecord, 'reason' | 'detail' | 'authorId' | 'communityId' | 'channelId'>,
): Promise<boolean> {
  const now = context.now();
  const { upsertedCount } = await context.store.collections.flags.updateOne(
    { networkId: viewerOf(context).networkId, ...key },
    { $set: { ...content, updatedAt: now }, $setOnInsert: { createdAt: now } },
    { upsert: true, session },
  );
  return upsertedCount === 1;
}

/** Deletes one user's flag. @returns whether there was one */
export async function removeFlag(
  context: Context,
  session: ClientSession,
  key: FlagReference & Pick<FlagRecord, 'userId'>,
): Promise<boolean> {
  const filter = { networkId: viewerOf(context).networkId, ...key };
  const { deletedCount } = await context.store.collections.flags.deleteOne(filter, { session });
  return deletedCount === 1;
}

export async function removeAllFlags(
  context: Context,
  session: ClientSession,
  reference: FlagReference,
): Promise<void> {
  const { networkId } = viewerOf(context);
  await context.store.collections.flags.deleteMany({ networkId, ...reference }, { session });
}

export async function removeSomeFlags(
  context: Context,
  session: ClientSession,
  { count, ...reference }: FlagReference & { count: number },
): Promise<void> {
  const { networkId } = viewerOf(context);
  const { flags } = context.store.collections;
  const found = await flags
    .find({ networkId, ...reference }, { session, projection: { userId: 1 } })
    .limit(count)
    .toArray();
  const userId = { $in: found.map((flag) => flag.userId) };
  await flags.deleteMany({ networkId, ...reference, userId }, { session });
}

/** The users who flagged a record. */
export async function flaggersOf(
  context: Context,
  session: ClientSession,
  reference: FlagReference,
): Promise<string[]> {
  const flags = await context.store.collections.flags
    .find({ networkId: viewerOf(context).networkId, ...reference }, { session, projection: { userId: 1 } })
    .toArray();
  return flags.map((flag) => flag.userId);
}
