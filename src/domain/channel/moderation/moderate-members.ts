import type { z } from 'zod';
import { canChangeMembers, type MemberAction } from '../../../access/channel.ts';
import type { ChannelPlace } from '../../../access/message.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { type ChannelUserRecord, MUTED_FOREVER, type MuteTerms } from '../../../store/records/chat.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { banFields, banTerms, changesTerms } from '../../ban/ban-terms.ts';
import { differs } from '../../differs.ts';
import { text, userIds, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { rankOfRoles } from '../../role/rank.ts';
import { requireNotBlocked } from '../../user/blocks/blocks.ts';
import { requireUnbannedUsers } from '../../user/lookup/require-unbanned-users.ts';
import { requireUsers } from '../../user/lookup/require-users.ts';
import { channelUsersEvents } from '../channel-events.ts';
import { channelIdInput } from '../channel-input.ts';
import { findChannel } from '../get-channel.ts';
import { actsOnMembers } from '../members/acts-on-members.ts';
import { assertMembersCanChange, changeMembers } from '../members/change-members.ts';
import { requireChannelRight } from '../members/require-channel-right.ts';
import { type ChannelWithMembers, invalidateChannel } from '../new-channel.ts';
import { muteOf, mutePeriod } from './limit-channel.ts';
import { refusal } from './refusal.ts';

export const channelMembersInput = channelIdInput.extend({ userIds: userIds().describe('Public ids of the users.') });
export type MembersInput = z.input<typeof channelMembersInput>;

export const banChannelMembersInput = channelMembersInput.extend(banFields);

/**
 * Adds users to a channel; members stay members.
 * @throws {OperationError} NOT_FOUND for an unknown channel or user; PERMISSION_DENIED without ADD_CHANNEL_USER; BANNED
 *   for a banned viewer, and for banned users, who must be unbanned first; BAD_REQUEST for the channel of a community
 *   or a conversation
 */
export async function addChannelMembers(context: Context, input: MembersInput): Promise<ChannelWithMembers> {
  const { place, given, right } = await requireMembersCanChange(context, input, 'add');
  return changeMembers(context, {
    channel: place.channel,
    right,
    require: (session) => requireNotBlocked(context, given.userIds, { path: ['userIds'], session }),
    event: 'channel.membersAdded',
    users: await requireUnbannedUsers(context, given.userIds),
    next(before) {
      if (before?.membership === 'banned') throw new OperationError('BANNED', { path: ['userIds'] });
      return before?.membership === 'member' ? null : 'member';
    },
  });
}

/**
 * Removes members from a channel.
 * @throws {OperationError} NOT_FOUND also for users who are no members; PERMISSION_DENIED without REMOVE_CHANNEL_USER
 *   or for a user above the viewer's rank; otherwise as {@link addChannelMembers}
 */
export async function removeChannelMembers(context: Context, input: MembersInput): Promise<ChannelWithMembers> {
  const { place, given, right } = await requireMembersCanChange(context, input, 'remove');
  return changeMembers(context, {
    channel: place.channel,
    right,
    event: 'channel.membersRemoved',
    users: await requireRankedBelow(context, place, given.userIds),
    next(before) {
      if (before?.membership !== 'member') throw notFound('Channel user');
      return 'none';
    },
  });
}

/**
 * Bans users from a channel, members or not: they cannot see its content or join it until the ban ends. For a banned
 * user it only changes the terms, if any are given.
 * @throws {OperationError} PERMISSION_DENIED without BAN_USER_FROM_CHANNEL or for a user above the viewer's rank;
 *   otherwise as {@link addChannelMembers}
 */
export async function banChannelMembers(
  context: Context,
  input: z.input<typeof banChannelMembersInput>,
): Promise<ChannelWithMembers> {
  const terms = validate(banChannelMembersInput, input);
  const ban = banTerms(context, terms);
  const { place, given, right } = await requireMembersCanChange(context, input, 'ban');
  return changeMembers(context, {
    channel: place.channel,
    right,
    event: 'channel.banned',
    users: await requireRankedBelow(context, place, given.userIds),
    ban,
    next: (before) => (before?.membership === 'banned' && !changesTerms(terms) ? null : 'banned'),
  });
}

/**
 * Unbans users, who may join again; other users are left unchanged.
 * @throws {OperationError} as {@link banChannelMembers}
 */
export async function unbanChannelMembers(context: Context, input: MembersInput): Promise<ChannelWithMembers> {
  const { place, given, right } = await requireMembersCanChange(context, input, 'ban');
  return changeMembers(context, {
    channel: place.channel,
    right,
    event: 'channel.unbanned',
    users: await requireUsers(context, given.userIds),
    next: (before) => (before?.membership === 'banned' ? 'none' : null),
  });
}

export const muteChannelMembersInput = channelMembersInput.extend({
  mutePeriod: mutePeriod(),
  reason: text({ min: 0, max: 1_000 }).nullish().describe('Why, for moderators. The muted user does not see it.'),
});

/**
 * Mutes members for a period in milliseconds; −1 without end, 0 ends a mute. Replaces the terms of an earlier mute.
 * @throws {OperationError} NOT_FOUND also for users who are no members; PERMISSION_DENIED without MUTE_CHANNEL_USER or
 *   for a user above the viewer's rank; BANNED
 */
export async function muteChannelMembers(
  context: Context,
  input: z.input<typeof muteChannelMembersInput>,
): Promise<ChannelWithMembers> {
  const viewer = viewerOf(context);
  const given = validate(muteChannelMembersInput, input);
  const place = await requireModerator(context, given.channelId, 'mute');
  const users = await requireRankedBelow(context, place, given.userIds);
  const { networkId, channelId } = place.channel;
  const filter = {
    networkId,
    channelId,
    userId: { $in: users.map(({ userId }) => userId) },
    membership: 'member' as const,
  };
  const { channelUsers } = context.store.collections;
  const muted = await context.transaction(
    async (session) => {
      await requireChannelRight(context, session, place, policyOf('mute'));
      const updatedAt = context.now();
      const mute = muteOf(given.mutePeriod, updatedAt);
      const terms = termsOf(mute, { reason: given.reason || null, mutedBy: viewer.userId, mutedAt: updatedAt });
      const before = await channelUsers.find(filter, { session }).toArray();
      if (before.length < users.length) throw notFound('Channel user');
      await channelUsers.updateMany(
        filter,
        terms
          ? { $set: { ...mute, ...terms, updatedAt } }
          : { $set: { ...mute, updatedAt }, $unset: { mute: true, mutedUntil: true } },
        { session },
      );
      const changedIds = inOrder(before, given.userIds)
        .filter((member) => differs(member, mute))
        .map(({ userId }) => userId);
      const { reason } = given;
      const act = { ...(reason && { reason }), details: { mutePeriod: given.mutePeriod } };
      await recordAudit(context, session, actsOnMembers(place.channel, changedIds, act));
      await appendEvents(context, session, channelUsersEvents('channel.setMutedUsers', place.channel, changedIds));
      return before.map(({ mute: _, mutedUntil: __, ...member }) => ({ ...member, ...mute, ...terms, updatedAt }));
    },
    lockFor(context, 'channel', channelId),
  );
  invalidateChannel(context, place.channel, given.userIds);
  return { channel: place.channel, channelUsers: inOrder(muted, given.userIds) };
}

/** The stored terms of a mute; null for the end of one. */
function termsOf(
  { isMuted, muteTimeout }: ReturnType<typeof muteOf>,
  mute: MuteTerms,
): Required<Pick<ChannelUserRecord, 'mute' | 'mutedUntil'>> | null {
  return isMuted ? { mute, mutedUntil: muteTimeout ?? MUTED_FOREVER } : null;
}

async function requireMembersCanChange(context: Context, input: MembersInput, action: MemberAction) {
  const given = validate(channelMembersInput, input);
  const place = await requireModerator(context, given.channelId, action);
  assertMembersCanChange(place.channel);
  return { place, given, right: { place, may: policyOf(action) } };
}

async function requireModerator(context: Context, channelId: string, action: MemberAction): Promise<ChannelPlace> {
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  if (!policyOf(action)(viewerOf(context), place.membership)) throw refusal(place.membership);
  return place;
}

function policyOf(action: MemberAction) {
  return (viewer: Viewer, membership: ChannelUserRecord | null) => canChangeMembers(viewer, membership, action);
}

/** Loads users whom the viewer may act on: not themselves and none of a higher rank in the channel or in the network. */
async function requireRankedBelow(context: Context, { channel, membership }: ChannelPlace, ids: string[]) {
  const { userId, roles } = viewerOf(context);
  if (ids.includes(userId)) {
    throw new OperationError('BAD_REQUEST', { message: 'You cannot do this to yourself.', path: ['userIds'] });
  }
  const [users, rankOf, memberships] = await Promise.all([
    Promise.all(ids.map((id) => context.load.users.load(id))),
    rankOfRoles(context),
    Promise.all(ids.map((id) => context.load.channelUsers.load([channel.channelId, id]))),
  ]);
  const rank = rankOf([...roles, ...rolesThere(membership)]);
  for (const [index, user] of users.entries()) {
    if (!user) throw notFound('User');
    if (rankOf([...user.roles, ...rolesThere(memberships[index])]) > rank) {
      throw new OperationError('PERMISSION_DENIED', { message: 'Some users rank higher than you.', path: ['userIds'] });
    }
  }
  return users.filter((user) => user !== null);
}

/** Roles by which a user ranks in the channel: those of members. */
function rolesThere(membership: ChannelUserRecord | null | undefined): readonly string[] {
  return membership?.membership === 'member' ? membership.roles : [];
}

function inOrder(found: ChannelUserRecord[], ids: string[]): ChannelUserRecord[] {
  const byUser = new Map(found.map((member) => [member.userId, member]));
  return ids.flatMap((userId) => byUser.get(userId) ?? []);
}
