import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { UserRecord } from '../../store/records/user.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;

/** Records that the memberships of a renamed or deleted user are not all updated yet. */
export async function addUnfinishedUser(
  { store }: Pick<Context, 'store'>,
  session: ClientSession,
  { networkId, userId }: UserKey,
): Promise<void> {
  const change = { $addToSet: { unfinishedUserIds: userId } };
  await store.collections.networks.updateOne({ networkId }, change, { session });
}

export async function removeUnfinishedUser(
  { store }: Pick<Context, 'store'>,
  session: ClientSession,
  { networkId, userId }: UserKey,
): Promise<void> {
  await store.collections.networks.updateOne({ networkId }, { $pull: { unfinishedUserIds: userId } }, { session });
}

export async function unfinishedUsers({ store }: Pick<Context, 'store'>, networkId: string): Promise<UserKey[]> {
  const network = await store.collections.networks.findOne({ networkId });
  return (network?.unfinishedUserIds ?? []).map((userId) => ({ networkId, userId }));
}
