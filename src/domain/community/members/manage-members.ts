import type { z } from 'zod';
import { canAddMembers, canBanMembers, canRemoveMembers, isBannedFrom, isMember } from '../../../access/community.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { type ErrorName, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { CommunityUserRecord } from '../../../store/records/community.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { banAct, banFields, banTerms, changesTerms } from '../../ban/ban-terms.ts';
import { userIds, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { rankOfRoles } from '../../role/rank.ts';
import { requireNotBlocked } from '../../user/blocks/blocks.ts';
import { requireUsers } from '../../user/lookup/require-users.ts';
import type { Rights } from '../../user/roles/require-right.ts';
import { communityIdInput } from '../community-fields.ts';
import { requireCommunity } from '../require-community.ts';
import { type ChangedMembers, changeMembers, invalidateMembers, type MembersChange } from './change-members.ts';
import { requireCommunityRight } from './require-community-right.ts';

export const communityMembersInput = communityIdInput.extend({
  userIds: userIds().describe('Public ids of the users.'),
});
export type MembersInput = z.input<typeof communityMembersInput>;

export const banCommunityMembersInput = communityMembersInput.extend(banFields);

/**
 * Adds users to a community and approves their pending join requests.
 * @throws {OperationError} NOT_FOUND; BANNED; PERMISSION_DENIED; FORBIDDEN for a banned user, and if a block exists
 *   between the viewer and a user
 */
export function addCommunityMembers(context: Context, input: MembersInput): Promise<ChangedMembers> {
  return manage(context, input, {
    may: canAddMembers,
    refusesBlocked: true,
    to: 'member',
    reason: null,
    event: 'community.userAdded',
    shouldChange(membership) {
      if (isBannedFrom(membership)) throw rejected('FORBIDDEN', 'Unban banned users first.');
      return !isMember(membership);
    },
  });
}

/**
 * Removes members; users who are no members are left unchanged.
 * @throws {OperationError} NOT_FOUND, BANNED, FORBIDDEN for a user of a higher rank, PERMISSION_DENIED, LAST_MODERATOR,
 *   LAST_MEMBER
 */
export function removeCommunityMembers(context: Context, input: MembersInput): Promise<ChangedMembers> {
  return manage(context, input, {
    may: canRemoveMembers,
    higherRank: { errorName: 'FORBIDDEN', message: 'Some users rank higher and cannot be removed.' },
    to: 'none',
    reason: 'removed',
    event: 'community.userRemoved',
    shouldChange: isMember,
  });
}

/**
 * Bans users, members or not: memberships end, and they cannot join again until the ban ends. For a banned user it only
 * changes the terms, if any are given.
 * @throws {OperationError} NOT_FOUND, BANNED, CANNOT_BAN for oneself and for a user of a higher rank,
 *   PERMISSION_DENIED, LAST_MODERATOR, LAST_MEMBER
 */
export async function banCommunityMembers(
  context: Context,
  input: z.input<typeof banCommunityMembersInput>,
): Promise<ChangedMembers> {
  const viewer = viewerOf(context);
  const terms = validate(banCommunityMembersInput, input);
  return manage(context, input, {
    may: canBanMembers,
    higherRank: { errorName: 'CANNOT_BAN', message: 'Some users rank higher and cannot be banned.' },
    to: 'banned',
    reason: 'banned',
    event: 'community.userBanned',
    ban: banTerms(context, terms),
    shouldChange(membership, userId) {
      if (userId === viewer.userId) throw rejected('CANNOT_BAN', 'You cannot ban yourself.');
      return !isBannedFrom(membership) || changesTerms(terms);
    },
  });
}

/**
 * Unbans users. They do not become members, but may join again.
 * @throws {OperationError} NOT_FOUND, BANNED, NOT_BANNED for a user who is not banned, PERMISSION_DENIED
 */
export function unbanCommunityMembers(context: Context, input: MembersInput): Promise<ChangedMembers> {
  return manage(context, input, {
    may: canBanMembers,
    to: 'none',
    reason: 'unbanned',
    event: 'community.userUnbanned',
    shouldChange(membership) {
      if (!isBannedFrom(membership)) throw rejected('NOT_BANNED', 'Some users are not banned.');
      return true;
    },
  });
}

interface Managed extends Pick<MembersChange, 'to' | 'reason' | 'event' | 'shouldChange' | 'ban'> {
  may: (viewer: Viewer, membership: CommunityUserRecord | null) => boolean;
  /** The error for a user of a higher rank than the viewer; undefined if rank does not matter. */
  higherRank?: { errorName: ErrorName; message: string };
  /** Whether users who blocked the viewer, or whom the viewer blocked, are rejected. */
  refusesBlocked?: true;
}

async function manage(
  context: Context,
  input: MembersInput,
  { may, higherRank, refusesBlocked, ...change }: Managed,
): Promise<ChangedMembers> {
  const { communityId, userIds } = validate(communityMembersInput, input);
  const place = await requireCommunity(context, communityId, may);
  const users = await requireUsers(context, userIds);
  const ranks = higherRank && (await ranksOf(context, users));
  const changed = await context.transaction(
    async (session) => {
      const own = await requireCommunityRight(context, session, place, may);
      if (refusesBlocked) await requireNotBlocked(context, userIds, { path: ['userIds'], session });
      const result = await changeMembers(context, session, {
        ...change,
        community: place.community,
        users,
        shouldChange(membership, userId) {
          if (higherRank && ranks?.isAbove(userId, membership, own))
            throw rejected(higherRank.errorName, higherRank.message);
          return change.shouldChange(membership, userId);
        },
      });
      const acts = result.changedIds.map((subjectId) => ({
        ...memberAct(subjectId),
        ...banAct(change.ban),
        communityId,
      }));
      await recordAudit(context, session, acts);
      await appendEvents(context, session, result.events);
      return result;
    },
    lockFor(context, 'community', communityId),
  );
  invalidateMembers(context, changed);
  return changed;
}

function memberAct(userId: string) {
  return { subjectType: 'user' as const, subjectId: userId, affectedUserId: userId };
}

/** Compares ranks, by roles of the users in the network as loaded, and other roles as passed in. */
async function ranksOf(context: Context, users: readonly UserRecord[]) {
  const rankOf = await rankOfRoles(context);
  const inNetwork = new Map(users.map(({ userId, roles }) => [userId, rankOf(roles)]));
  const rankInCommunity = (membership: CommunityUserRecord | null) =>
    isMember(membership) ? rankOf(membership!.roles) : NO_RANK;
  return {
    isAbove: (userId: string, membership: CommunityUserRecord | null, own: Rights<CommunityUserRecord>) =>
      Math.max(inNetwork.get(userId) ?? NO_RANK, rankInCommunity(membership)) >
      Math.max(rankOf(own.viewer.roles), rankInCommunity(own.membership)),
  };
}

/** A rank below that of every role. */
const NO_RANK = -1;

function rejected(errorName: ErrorName, message: string): OperationError {
  return new OperationError(errorName, { message, path: ['userIds'] });
}
