import type { ClientSession, FindCursor } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import { eachBatch } from '../../../store/keyset.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { MAX_BATCH, MAX_BATCH_WITH_EVENTS } from '../../batch.ts';
import { communityUsersEvents } from '../community-events.ts';
import { cancelJoinRequests } from '../join-requests/close-join-requests.ts';
import { COMMUNITY_MODERATOR } from './change-roles.ts';

type UserKey = Pick<UserRecord, 'networkId' | 'userId'>;
type NamedUser = UserKey & Pick<UserRecord, 'displayName'>;
type Membership = Pick<CommunityUserRecord, 'communityId'>;

interface Ended {
  events: NewEvent[];
  /** Whether memberships or join requests remain after this batch. */
  hasMore: boolean;
}

/** Copies the user's name to the memberships that hold another, up to {@link MAX_BATCH} of them. */
export async function renameMember(
  context: Context,
  session: ClientSession,
  user: NamedUser,
): Promise<{ hasMore: boolean }> {
  const outdated = await outdatedMemberships(context, user, session).limit(MAX_BATCH).toArray();
  if (outdated.length > 0) await copyName(context, session, { user, outdated });
  return { hasMore: outdated.length === MAX_BATCH };
}

/**
 * Copies the user's name to all memberships that hold another. Reads them once, since no index continues a search for
 * outdated names where the previous batch ended.
 * @param inTransaction runs the work in a transaction with the user's current record
 */
export async function renameMemberEverywhere(
  context: Context,
  user: NamedUser,
  inTransaction: (work: (session: ClientSession, user: NamedUser) => Promise<void>) => Promise<void>,
): Promise<void> {
  const cursor = outdatedMemberships(context, user).batchSize(MAX_BATCH);
  await eachBatch<Membership>(cursor, async (outdated) => {
    await inTransaction((session, now) => copyName(context, session, { user: now, outdated }));
    return true;
  });
}

function outdatedMemberships(
  { store }: Context,
  { networkId, userId, displayName }: NamedUser,
  session?: ClientSession,
): FindCursor<Membership> {
  return store.collections.communityUsers
    .find({ networkId, userId, displayName: { $ne: displayName } }, { ...(session && { session }) })
    .project<Membership>({ _id: 0, communityId: 1 });
}

async function copyName(
  { store }: Context,
  session: ClientSession,
  { user: { networkId, userId, displayName }, outdated }: { user: NamedUser; outdated: Membership[] },
): Promise<void> {
  const communityId = { $in: outdated.map((member) => member.communityId) };
  await store.collections.communityUsers.updateMany(
    { networkId, userId, communityId },
    { $set: { displayName } },
    { session },
  );
}

/**
 * Ends memberships and join requests of a deleted user, up to {@link MAX_BATCH_WITH_EVENTS} of each. A community may be
 * left without a moderator; the network's moderators can appoint another.
 */
export async function endMemberships(context: Context, session: ClientSession, user: UserKey): Promise<Ended> {
  const requests = await cancelJoinRequests(context, session, { ...user, limit: MAX_BATCH_WITH_EVENTS });
  const memberships = await endBatch(context, session, user);
  return {
    events: [...memberships.events, ...requests],
    hasMore: memberships.hasMore || requests.length === MAX_BATCH_WITH_EVENTS,
  };
}

async function endBatch(context: Context, session: ClientSession, { networkId, userId }: UserKey): Promise<Ended> {
  const { communities, communityUsers } = context.store.collections;
  const now = context.now();
  const own = { networkId, userId, communityMembership: 'member' } as const;
  const members = await communityUsers
    .find(own, { session, projection: { _id: 0, communityId: 1, roles: 1 } })
    .limit(MAX_BATCH_WITH_EVENTS)
    .toArray();
  if (members.length === 0) return { events: [], hasMore: false };
  const idsOf = (list: typeof members) => list.map(({ communityId }) => communityId);
  const count = (ids: string[], counter: 'membersCount' | 'moderatorMemberCount') =>
    communities.updateMany(
      { networkId, communityId: { $in: ids } },
      { $inc: { [counter]: -1 }, $set: { updatedAt: now } },
      { session },
    );
  const communityId = { $in: idsOf(members) };
  await communityUsers.updateMany({ ...own, communityId }, { $set: endedMembership(now) }, { session });
  await count(idsOf(members), 'membersCount');
  const moderated = members.filter(({ roles }) => roles.includes(COMMUNITY_MODERATOR));
  if (moderated.length > 0) await count(idsOf(moderated), 'moderatorMemberCount');
  const live = { networkId, communityId, isDeleted: false };
  const left = await communities.find(live, { session, projection: { _id: 0, communityId: 1, path: 1 } }).toArray();
  return {
    events: left.flatMap((community) => [
      ...communityUsersEvents('community.userChanged', community, [userId]),
      ...communityUsersEvents('community.left', community, [userId]),
    ]),
    hasMore: members.length === MAX_BATCH_WITH_EVENTS,
  };
}

function endedMembership(updatedAt: Date): Partial<CommunityUserRecord> {
  return { communityMembership: 'none', notMemberReason: 'deleted', roles: [], permissions: [], updatedAt };
}
