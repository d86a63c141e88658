import type { AnyBulkWriteOperation, ClientSession, Filter } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append.ts';
import type { CommunityMembership, CommunityRecord, CommunityUserRecord } from '../../../store/records/community.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { syncChannelMembers } from '../../channel/community-chat/sync-members.ts';
import { closeJoinRequests } from '../../join-request/close-join-requests.ts';
import { permissionsByRole } from '../../role/roles-in.ts';
import { lockUsers } from '../../user/lookup/lock-users.ts';
import { communityUsersEvents, type Movement } from '../community-events.ts';
import { COMMUNITY_MODERATOR } from './change-roles.ts';
import { updateMemberCounts } from './update-member-counts.ts';

export interface Move {
  community: CommunityRecord;
  users: ReadonlyArray<Pick<UserRecord, '_id' | 'userId' | 'displayName'>>;
  to: CommunityMembership;
  /** Why they are no members; null for members and for who was never one. */
  reason: 'left' | 'removed' | 'banned' | 'unbanned' | null;
  /** As what it is told; null for those whom a new community begins with. */
  movement: Movement | null;
  /** Whom it moves, of those it names; throws for those it must not. */
  moves: (membership: CommunityUserRecord | null, userId: string) => boolean;
  /** What must still hold of the community. */
  where?: Filter<CommunityRecord>;
  /** Those of the new members who moderate. */
  moderators?: readonly string[];
}

export interface Moved {
  community: CommunityRecord;
  /** The memberships that were named and exist, as they are now. */
  members: CommunityUserRecord[];
}

interface Told extends Moved {
  /** What is to be told of it, for the caller to append. */
  events: NewEvent[];
}

/**
 * Moves users in or out of a community: their memberships, the community's counts, its chat and their requests to join
 * change together. Everybody who moves somebody writes the community's record, so of two at once the later one starts
 * again and sees what the first did.
 *
 * @throws {OperationError} LAST_MODERATOR, LAST_MEMBER, NOT_FOUND when the community was deleted meanwhile, CONFLICT when
 *   what `where` says is no longer so
 */
export async function moveMembers(context: Context, session: ClientSession, move: Move): Promise<Told> {
  const { communityUsers } = context.store.collections;
  const { community, users, to, movement } = move;
  const { networkId, communityId } = community;
  const now = context.now();
  const userIds = idsOf(users);
  const before = new Map(
    (await communityUsers.find({ networkId, communityId, userId: { $in: userIds } }, { session }).toArray()).map(
      (member) => [member.userId, member],
    ),
  );
  const moving = users.filter(({ userId }) => move.moves(before.get(userId) ?? null, userId));
  if (moving.length === 0) return { community, members: [...before.values()], events: [] };

  // Who is renamed or deleted at the same time does not come in under the old name.
  const present = to === 'member' ? await lockUsers(context, session, networkId, idsOf(moving)) : moving;
  const rolesOf = (userId: string): string[] => {
    if (to !== 'member') return [];
    return move.moderators?.includes(userId) ? ['member', COMMUNITY_MODERATOR] : ['member'];
  };
  const given = [...new Set(moving.flatMap(({ userId }) => rolesOf(userId)))];
  const permissionsOf = await permissionsByRole(context, session, networkId, given);
  const writes = present.map((user): AnyBulkWriteOperation<CommunityUserRecord> => {
    const roles = rolesOf(user.userId);
    const changed = {
      communityMembership: to,
      isBanned: to === 'banned',
      notMemberReason: move.reason,
      displayName: user.displayName,
      roles,
      permissions: permissionsOf(roles),
      updatedAt: now,
      ...(to === 'member' && { lastJoin: now, lastActivity: now }),
    };
    const made = {
      userInternalId: user._id.toHexString(),
      channelId: community.channelId,
      createdAt: now,
      ...(to !== 'member' && { lastJoin: null, lastActivity: now }),
    };
    const filter = { networkId, communityId, userId: user.userId };
    return { updateOne: { filter, update: { $set: changed, $setOnInsert: made }, upsert: true } };
  });
  await communityUsers.bulkWrite(writes, { session });
  const left = moving.flatMap(({ userId }) => before.get(userId) ?? []).filter(isMember);
  const counted = await updateMemberCounts(context, session, {
    community,
    moderators: move.moderators,
    where: move.where,
    left,
    joined: to === 'member' ? idsOf(moving) : [],
    now,
  });
  const members = await communityUsers
    .find({ networkId, communityId, userId: { $in: userIds } }, { session })
    .toArray();
  const byUser = new Map(members.map((member) => [member.userId, member]));
  const moved = moving.flatMap(({ userId }) => byUser.get(userId) ?? []);
  const inChat = await syncChannelMembers(context, session, community, { members: moved, to, movement, now });
  const closing = {
    communityId,
    userIds: idsOf(moving),
    status: to === 'member' ? 'approved' : 'rejected',
    now,
  } as const;
  const answered = to === 'none' ? [] : await closeJoinRequests(context, session, closing);
  const told = movement ? movementEvents(movement, counted, idsOf(moving)) : [];
  return { community: counted, members, events: [...told, ...inChat, ...answered] };
}

/** Every movement changes the users (decisions.md), also a ban of somebody who was none, and its end. */
function movementEvents(movement: Movement, community: CommunityRecord, moved: string[]): NewEvent[] {
  return [
    ...communityUsersEvents(movement, community, moved),
    ...communityUsersEvents('community.userChanged', community, moved),
  ];
}

function idsOf(users: ReadonlyArray<{ userId: string }>): string[] {
  return users.map(({ userId }) => userId);
}

function isMember({ communityMembership }: CommunityUserRecord): boolean {
  return communityMembership === 'member';
}

/** What the request had read of those that moved is read anew. */
export function invalidateMembers(context: Context, { community, members }: Moved): void {
  const { communityId } = community;
  const { load } = context;
  load.communities.clear(communityId).prime(communityId, community);
  for (const member of members) {
    const key = [communityId, member.userId] as const;
    load.communityUsers.clear(key).prime(key, member);
    load.myJoinRequests.clear([member.userId, communityId]);
  }
}
