import type { AnyBulkWriteOperation, ClientSession, Filter } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import { bannedOn, withoutEndedBan } from '../../../store/ended-bans.ts';
import type { BanTerms } from '../../../store/records/ban.ts';
import type { CommunityMembership, CommunityRecord, CommunityUserRecord } from '../../../store/records/community.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { together } from '../../../store/transaction.ts';
import { syncChannelMembers } from '../../channel/community-chat/sync-members.ts';
import { permissionsByRole } from '../../role/roles-in-transaction.ts';
import { lockUsers } from '../../user/lookup/lock-users.ts';
import { communityUsersEvents, type MembershipEvent } from '../community-events.ts';
import { closeJoinRequests } from '../join-requests/close-join-requests.ts';
import { COMMUNITY_MODERATOR } from './change-roles.ts';
import { updateMemberCounts } from './update-member-counts.ts';

export interface MembersChange {
  community: CommunityRecord;
  users: ReadonlyArray<Pick<UserRecord, '_id' | 'userId' | 'displayName'>>;
  to: CommunityMembership;
  /** Reason why the users are not members; null for members and for users who never were. */
  reason: 'left' | 'removed' | 'banned' | 'unbanned' | null;
  /** The event to append; null for the first members of a new community. */
  event: MembershipEvent | null;
  /** Whether to change the membership of a user; throws for a user who prevents the whole change. */
  shouldChange: (membership: CommunityUserRecord | null, userId: string) => boolean;
  /** Conditions that the community must still meet. */
  where?: Filter<CommunityRecord>;
  /** User ids of new members who become moderators. */
  moderators?: readonly string[];
  /** Terms of a ban. */
  ban?: BanTerms;
}

export interface ChangedMembers {
  community: CommunityRecord;
  /** Existing memberships of the users, after the change. */
  members: CommunityUserRecord[];
}

interface ChangedWithEvents extends ChangedMembers {
  /** The users whose memberships changed. */
  changedIds: string[];
  /** Events that the caller appends. */
  events: NewEvent[];
}

/**
 * Adds users to a community, removes or bans them: their memberships, the community's counts, its chat and their join
 * requests change together. Every change writes the community's record, so that of two concurrent changes the later one
 * retries.
 *
 * @throws {OperationError} LAST_MODERATOR; LAST_MEMBER; NOT_FOUND when the community was deleted meanwhile; CONFLICT
 *   when it no longer meets `where`
 */
export async function changeMembers(
  context: Context,
  session: ClientSession,
  change: MembersChange,
): Promise<ChangedWithEvents> {
  const { communityUsers } = context.store.collections;
  const { community, users, to, event } = change;
  const { networkId, communityId } = community;
  const now = context.now();
  const userIds = idsOf(users);
  const before = new Map(
    (await communityUsers.find({ networkId, communityId, userId: { $in: userIds } }, { session }).toArray()).map(
      (member) => [member.userId, withoutEndedBan(member, context.hasPassed)],
    ),
  );
  const changing = users.filter(({ userId }) => change.shouldChange(before.get(userId) ?? null, userId));
  const inOrder = (members: ReadonlyMap<string, CommunityUserRecord>) =>
    users.flatMap(({ userId }) => members.get(userId) ?? []);
  if (changing.length === 0) return { community, members: inOrder(before), changedIds: [], events: [] };

  const rolesOf = (userId: string): string[] => {
    if (to !== 'member') return [];
    return change.moderators?.includes(userId) ? ['member', COMMUNITY_MODERATOR] : ['member'];
  };
  const given = [...new Set(changing.flatMap(({ userId }) => rolesOf(userId)))];
  const [locked, permissionsOf] = await together(session, [
    // A concurrent rename or deletion of one of them conflicts.
    () => (to === 'member' ? lockUsers(context, session, networkId, idsOf(changing)) : changing),
    () => permissionsByRole(context, session, networkId, given),
  ]);
  const writes = locked.map((user): AnyBulkWriteOperation<CommunityUserRecord> => {
    const roles = rolesOf(user.userId);
    const changed = {
      communityMembership: to,
      isBanned: to === 'banned',
      notMemberReason: change.reason,
      displayName: user.displayName,
      roles,
      permissions: permissionsOf(roles),
      updatedAt: now,
      ...(to === 'member' && { lastJoin: now, lastActivity: now }),
    };
    const initial = {
      userInternalId: user._id.toHexString(),
      channelId: community.channelId,
      createdAt: now,
      ...(to !== 'member' && { lastJoin: null, lastActivity: now }),
    };
    const filter = { networkId, communityId, userId: user.userId };
    return { updateOne: { filter, update: { ...bannedOn(change.ban, changed), $setOnInsert: initial }, upsert: true } };
  });
  const left = changing.flatMap(({ userId }) => before.get(userId) ?? []).filter(isMember);
  const [counted] = await together(session, [
    () =>
      updateMemberCounts(context, session, {
        community,
        moderators: change.moderators,
        where: change.where,
        left,
        joined: to === 'member' ? idsOf(changing) : [],
        now,
      }),
    () => communityUsers.bulkWrite(writes, { session }),
  ]);
  const closing = {
    communityId,
    userIds: idsOf(changing),
    status: to === 'member' ? 'approved' : 'rejected',
    now,
  } as const;
  const [members, answered] = await together(session, [
    () => communityUsers.find({ networkId, communityId, userId: { $in: userIds } }, { session }).toArray(),
    () => (to === 'none' ? [] : closeJoinRequests(context, session, closing)),
  ]);
  const byUser = new Map(members.map((member) => [member.userId, member]));
  const changedMembers = changing.flatMap(({ userId }) => byUser.get(userId) ?? []);
  const inChat = await syncChannelMembers(context, session, community, {
    members: changedMembers,
    to,
    ban: change.ban,
    event,
    now,
  });
  const own = event ? membershipEvents(event, counted, idsOf(changing)) : [];
  return {
    community: counted,
    members: inOrder(byUser),
    changedIds: idsOf(changing),
    events: [...own, ...inChat, ...answered],
  };
}

/**
 * Every change also appends `community.userChanged`, a ban of a non-member included. It comes first: its payload has no
 * membership of the receiver, without which published clients take them for no member until the next event.
 */
function membershipEvents(event: MembershipEvent, community: CommunityRecord, userIds: string[]): NewEvent[] {
  return [
    ...communityUsersEvents('community.userChanged', community, userIds),
    ...communityUsersEvents(event, community, userIds),
  ];
}

function idsOf(users: ReadonlyArray<{ userId: string }>): string[] {
  return users.map(({ userId }) => userId);
}

function isMember({ communityMembership }: CommunityUserRecord): boolean {
  return communityMembership === 'member';
}

/** Updates the community and its members in the loaders of the request, and clears their join requests. */
export function invalidateMembers(context: Context, { community, members }: ChangedMembers): void {
  const { communityId } = community;
  const { load } = context;
  load.communities.clear(communityId).prime(communityId, community);
  for (const member of members) {
    const key = [communityId, member.userId] as const;
    load.communityUsers.clear(key).prime(key, member);
    load.myJoinRequests.clear([member.userId, communityId]);
  }
}
