import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { cancelJoinRequests } from '../../join-request/close-join-requests.ts';
import { communityUsersEvents } from '../community-events.ts';
import { COMMUNITY_MODERATOR } from './change-roles.ts';

type Whose = Pick<UserRecord, 'networkId' | 'userId'>;

/** Memberships repeat the user's name. */
export async function renameMember(
  context: Context,
  session: ClientSession,
  { networkId, userId, displayName }: Whose & Pick<UserRecord, 'displayName'>,
): Promise<void> {
  const { communityUsers } = context.store.collections;
  await communityUsers.updateMany({ networkId, userId }, { $set: { displayName } }, { session });
}

/**
 * Ends every membership of a deleted user, however many, in as many commands as one. A community may be left without
 * a moderator by it; whoever moderates the network appoints another.
 *
 * @returns what is to be told in the communities, and of the requests to join others
 */
export async function endMemberships(
  context: Context,
  session: ClientSession,
  { networkId, userId }: Whose,
): Promise<NewEvent[]> {
  const { communities, communityUsers } = context.store.collections;
  const now = context.now();
  const own = { networkId, userId, communityMembership: 'member' } as const;
  const projection = { _id: 0, communityId: 1, roles: 1 } as const;
  const members = await communityUsers.find(own, { session, projection }).toArray();
  const cancelled = await cancelJoinRequests(context, session, { networkId, userId });
  if (members.length === 0) return cancelled;
  const idsOf = (list: typeof members) => list.map(({ communityId }) => communityId);
  const moderated = members.filter(({ roles }) => roles.includes(COMMUNITY_MODERATOR));
  const gone = {
    communityMembership: 'none',
    notMemberReason: 'deleted',
    roles: [] as string[],
    permissions: [] as string[],
    updatedAt: now,
  } as const;
  const count = (ids: string[], counter: 'membersCount' | 'moderatorMemberCount') =>
    communities.updateMany(
      { networkId, communityId: { $in: ids } },
      { $inc: { [counter]: -1 }, $set: { updatedAt: now } },
      { session },
    );
  await communityUsers.updateMany(own, { $set: { ...gone, roles: [], permissions: [] } }, { session });
  await count(idsOf(members), 'membersCount');
  if (moderated.length > 0) await count(idsOf(moderated), 'moderatorMemberCount');
  const live = { networkId, communityId: { $in: idsOf(members) }, isDeleted: false };
  const left = await communities.find(live, { session, projection: { _id: 0, communityId: 1, path: 1 } }).toArray();
  const told = left.flatMap((community) => [
    ...communityUsersEvents('community.left', community, [userId]),
    ...communityUsersEvents('community.userChanged', community, [userId]),
  ]);
  return [...told, ...cancelled];
}
