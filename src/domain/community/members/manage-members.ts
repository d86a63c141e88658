import type { z } from 'zod';
import { canAddMembers, canBanMembers, canRemoveMembers, isBannedFrom, isMember } from '../../../access/community.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { type ErrorName, OperationError } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { userIds, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { rankOfRoles } from '../../role/rank.ts';
import { requireNotBlocked } from '../../user/blocks/blocks.ts';
import { requireUsers } from '../../user/lookup/require-users.ts';
import { communityIdInput } from '../community-fields.ts';
import { requireCommunity } from '../require-community.ts';
import { invalidateMembers, type Move, type Moved, moveMembers } from './move-members.ts';
import { requireCommunityRight } from './require-community-right.ts';

export const communityMembersInput = communityIdInput.extend({
  userIds: userIds().describe('Public ids of the users.'),
});
export type MembersInput = z.input<typeof communityMembersInput>;

/**
 * Makes users members without their asking, and answers their requests to join.
 * @throws {OperationError} NOT_FOUND, BANNED, PERMISSION_DENIED, FORBIDDEN for somebody who is banned, and where a block
 *   stands between them and the viewer
 */
export function addCommunityMembers(context: Context, asked: MembersInput): Promise<Moved> {
  return manage(context, asked, {
    may: canAddMembers,
    refusesBlocked: true,
    to: 'member',
    reason: null,
    movement: 'community.userAdded',
    moves(membership) {
      if (isBannedFrom(membership)) throw refused('FORBIDDEN', 'Whoever is banned is to be unbanned first.');
      return !isMember(membership);
    },
  });
}

/**
 * Ends memberships; who is no member stays none.
 * @throws {OperationError} NOT_FOUND, BANNED, FORBIDDEN for somebody who ranks higher, PERMISSION_DENIED,
 *   LAST_MODERATOR, LAST_MEMBER
 */
export function removeCommunityMembers(context: Context, asked: MembersInput): Promise<Moved> {
  return manage(context, asked, {
    may: canRemoveMembers,
    above: { errorName: 'FORBIDDEN', message: 'Some users rank higher and cannot be removed.' },
    to: 'none',
    reason: 'removed',
    movement: 'community.userRemoved',
    moves: isMember,
  });
}

/**
 * Bans users, members or not: they leave, and cannot come back.
 * @throws {OperationError} NOT_FOUND, BANNED, CANNOT_BAN for oneself and for somebody who ranks higher,
 *   PERMISSION_DENIED, LAST_MODERATOR, LAST_MEMBER
 */
export function banCommunityMembers(context: Context, asked: MembersInput): Promise<Moved> {
  const viewer = viewerOf(context);
  return manage(context, asked, {
    may: canBanMembers,
    above: { errorName: 'CANNOT_BAN', message: 'Some users rank higher and cannot be banned.' },
    to: 'banned',
    reason: 'banned',
    movement: 'community.userBanned',
    moves(membership, userId) {
      if (userId === viewer.userId) throw refused('CANNOT_BAN', 'Nobody bans themselves.');
      return !isBannedFrom(membership);
    },
  });
}

/**
 * Takes bans back: the users are no members, and may join again.
 * @throws {OperationError} NOT_FOUND, BANNED, NOT_BANNED for somebody who is not, PERMISSION_DENIED
 */
export function unbanCommunityMembers(context: Context, asked: MembersInput): Promise<Moved> {
  return manage(context, asked, {
    may: canBanMembers,
    to: 'none',
    reason: 'unbanned',
    movement: 'community.userUnbanned',
    moves(membership) {
      if (!isBannedFrom(membership)) throw refused('NOT_BANNED', 'Some users are not banned.');
      return true;
    },
  });
}

interface Managed extends Pick<Move, 'to' | 'reason' | 'movement' | 'moves'> {
  may: (viewer: Viewer, membership: CommunityUserRecord | null) => boolean;
  /** What is said of somebody who ranks higher than the viewer; absent where rank does not matter. */
  above?: { errorName: ErrorName; message: string };
  /** Whether a block between the viewer and a user stands in the way. */
  refusesBlocked?: true;
}

async function manage(
  context: Context,
  asked: MembersInput,
  { may, above, refusesBlocked, ...move }: Managed,
): Promise<Moved> {
  const { communityId, userIds } = validate(communityMembersInput, asked);
  const place = await requireCommunity(context, communityId, may);
  const users = await requireUsers(context, userIds);
  if (refusesBlocked) await requireNotBlocked(context, userIds, { path: ['userIds'] });
  const ranks = above && (await ranksOf(context, users));
  const moved = await context.transaction(
    async (session) => {
      const own = await requireCommunityRight(context, session, place, may);
      const managed = await moveMembers(context, session, {
        ...move,
        community: place.community,
        users,
        moves(membership, userId) {
          if (above && ranks?.isAbove(userId, membership, own)) throw refused(above.errorName, above.message);
          return move.moves(membership, userId);
        },
      });
      await append(context, session, managed.events);
      return managed;
    },
    lockFor(context, 'community', communityId),
  );
  invalidateMembers(context, moved);
  return moved;
}

/** Ranks by the roles that users hold in the network, and there as they are when it is asked. */
async function ranksOf(context: Context, users: readonly UserRecord[]) {
  const viewer = viewerOf(context);
  const rankOf = await rankOfRoles(context);
  const inNetwork = new Map(users.map(({ userId, roles }) => [userId, rankOf(roles)]));
  const rankThere = (membership: CommunityUserRecord | null) =>
    isMember(membership) ? rankOf(membership!.roles) : NO_RANK;
  return {
    isAbove: (userId: string, there: CommunityUserRecord | null, own: CommunityUserRecord | null) =>
      Math.max(inNetwork.get(userId) ?? NO_RANK, rankThere(there)) > Math.max(rankOf(viewer.roles), rankThere(own)),
  };
}

/** Below every role. */
const NO_RANK = -1;

function refused(errorName: ErrorName, message: string): OperationError {
  return new OperationError(errorName, { message, path: ['userIds'] });
}
