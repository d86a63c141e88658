import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { UserRecord } from '../../store/records/user.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;

/**
 * Records that some memberships of a renamed or deleted user are not updated yet.
 * @param user.isDeleted whether the viewer deletes the user now and is thus the actor of the remaining events
 */
export async function addUnfinishedUser(
  { store, viewer }: Pick<Context, 'store' | 'viewer'>,
  session: ClientSession,
  { networkId, userId, isDeleted }: UserKey & Pick<UserRecord, 'isDeleted'>,
): Promise<void> {
  const deletion = isDeleted && viewer && { unfinishedDeletions: { userId, actorId: viewer.userId } };
  const change = { $addToSet: { unfinishedUserIds: userId, ...deletion } };
  await store.collections.networks.updateOne({ networkId }, change, { session });
}

export async function removeUnfinishedUser(
  { store }: Pick<Context, 'store'>,
  session: ClientSession,
  { networkId, userId }: UserKey,
): Promise<void> {
  const change = { $pull: { unfinishedUserIds: userId, unfinishedDeletions: { userId } } };
  await store.collections.networks.updateOne({ networkId }, change, { session });
}

/** @returns who deleted a user whose memberships are not all ended yet; null when that was not recorded */
export async function actorOfDeletion(
  { store }: Pick<Context, 'store'>,
  session: ClientSession,
  { networkId, userId }: UserKey,
): Promise<string | null> {
  const network = await store.collections.networks.findOne({ networkId }, { session });
  return network?.unfinishedDeletions?.find((deletion) => deletion.userId === userId)?.actorId ?? null;
}

export async function unfinishedUsers({ store }: Pick<Context, 'store'>, networkId: string): Promise<UserKey[]> {
  const network = await store.collections.networks.findOne({ networkId }, { projection: { unfinishedUserIds: 1 } });
  return (network?.unfinishedUserIds ?? []).map((userId) => ({ networkId, userId }));
}
