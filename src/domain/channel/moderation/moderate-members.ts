import type { z } from 'zod';
import { canChangeMembers, type MemberAction } from '../../../access/channel.ts';
import type { ChannelPlace } from '../../../access/message.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import { append } from '../../../events/append.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import { differs } from '../../differs.ts';
import { userIds, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { highestRank, rankOfViewer } from '../../role/rank.ts';
import { requireNotBlocked } from '../../user/blocks/blocks.ts';
import { requireUnbannedUsers } from '../../user/lookup/require-unbanned-users.ts';
import { channelUsersEvents } from '../channel-events.ts';
import { channelIdInput } from '../channel-input.ts';
import { findChannel } from '../get-channel.ts';
import { changeMembers, checkHasOwnMembers } from '../members/change-members.ts';
import { type ChannelWithMembers, invalidateChannel } from '../new-channel.ts';
import { muteOf, mutePeriod } from './limit-channel.ts';
import { refusal } from './refusal.ts';

export const channelMembersInput = channelIdInput.extend({ userIds: userIds().describe('Public ids of the users.') });
export type MembersInput = z.input<typeof channelMembersInput>;

/**
 * Makes users members of a channel; who is one stays one.
 * @throws {OperationError} NOT_FOUND for an unknown channel or user; PERMISSION_DENIED without ADD_CHANNEL_USER;
 *   BANNED for the viewer, and for users who are banned there: unban them first; BAD_REQUEST for a community's own
 *   channel or a conversation
 */
export async function addChannelMembers(context: Context, input: MembersInput): Promise<ChannelWithMembers> {
  const { place, given } = await moderating(context, input, 'add');
  await requireNotBlocked(context, given.userIds, { path: ['userIds'] });
  return changeMembers(context, {
    channel: place.channel,
    event: 'channel.membersAdded',
    users: await requireUnbannedUsers(context, given.userIds),
    next(before) {
      if (before?.membership === 'banned') throw new OperationError('BANNED', { path: ['userIds'] });
      return before?.membership === 'member' ? null : 'member';
    },
  });
}

/**
 * Ends the membership of users.
 * @throws {OperationError} NOT_FOUND also for who is no member; PERMISSION_DENIED without REMOVE_CHANNEL_USER or for
 *   somebody who ranks above the viewer; otherwise as {@link addChannelMembers}
 */
export async function removeChannelMembers(context: Context, input: MembersInput): Promise<ChannelWithMembers> {
  const { place, given } = await moderating(context, input, 'remove');
  return changeMembers(context, {
    channel: place.channel,
    event: 'channel.membersRemoved',
    users: await reachable(context, place, given.userIds),
    next(before) {
      if (before?.membership !== 'member') throw notFound('Channel user');
      return 'none';
    },
  });
}

/**
 * Bans users from a channel, members or not: they see nothing inside and cannot join.
 * @throws {OperationError} PERMISSION_DENIED without BAN_USER_FROM_CHANNEL or for somebody who ranks above the viewer;
 *   otherwise as {@link addChannelMembers}
 */
export async function banChannelMembers(context: Context, input: MembersInput): Promise<ChannelWithMembers> {
  const { place, given } = await moderating(context, input, 'ban');
  return changeMembers(context, {
    channel: place.channel,
    event: 'channel.banned',
    users: await reachable(context, place, given.userIds),
    next: (before) => (before?.membership === 'banned' ? null : 'banned'),
  });
}

/** Takes a ban back: they may join again. Who is not banned stays as they are; refusals as of {@link banChannelMembers}. */
export async function unbanChannelMembers(context: Context, input: MembersInput): Promise<ChannelWithMembers> {
  const { place, given } = await moderating(context, input, 'ban');
  return changeMembers(context, {
    channel: place.channel,
    event: 'channel.unbanned',
    users: await requireUnbannedUsers(context, given.userIds),
    next: (before) => (before?.membership === 'banned' ? 'none' : null),
  });
}

export const muteChannelMembersInput = channelMembersInput.extend({ mutePeriod: mutePeriod() });

/**
 * Mutes members of a channel for a time, or ends that: −1 for good, 0 not at all.
 * @throws {OperationError} NOT_FOUND also for who is no member; PERMISSION_DENIED without MUTE_CHANNEL_USER or for
 *   somebody who ranks above the viewer; BANNED
 */
export async function muteChannelMembers(
  context: Context,
  input: z.input<typeof muteChannelMembersInput>,
): Promise<ChannelWithMembers> {
  const given = validate(muteChannelMembersInput, input);
  const place = await enter(context, given.channelId, 'mute');
  const users = await reachable(context, place, given.userIds);
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
      const updatedAt = context.now();
      const mute = muteOf(given.mutePeriod, updatedAt);
      const before = await channelUsers.find(filter, { session }).toArray();
      if (before.length < users.length) throw notFound('Channel user');
      await channelUsers.updateMany(filter, { $set: { ...mute, updatedAt } }, { session });
      const changedIds = inOrder(before, given.userIds)
        .filter((member) => differs(member, mute))
        .map(({ userId }) => userId);
      await append(context, session, channelUsersEvents('channel.setMutedUsers', place.channel, changedIds));
      return before.map((member) => ({ ...member, ...mute, updatedAt }));
    },
    lockFor(context, 'channel', channelId),
  );
  invalidateChannel(context, place.channel, given.userIds);
  return { channel: place.channel, channelUsers: inOrder(muted, given.userIds) };
}

async function moderating(context: Context, input: MembersInput, action: MemberAction) {
  const given = validate(channelMembersInput, input);
  const place = await enter(context, given.channelId, action);
  checkHasOwnMembers(place.channel);
  return { place, given };
}

async function enter(context: Context, channelId: string, action: MemberAction): Promise<ChannelPlace> {
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  if (!canChangeMembers(viewerOf(context), place.membership, action)) throw refusal(place.membership);
  return place;
}

/** Users who do not rank above the viewer, by their roles in the channel or in the network; nobody acts on themselves. */
async function reachable(context: Context, { channel, membership }: ChannelPlace, ids: string[]) {
  const { userId } = viewerOf(context);
  if (ids.includes(userId)) {
    throw new OperationError('BAD_REQUEST', { message: 'This cannot be done to oneself.', path: ['userIds'] });
  }
  const [users, rank, standings] = await Promise.all([
    Promise.all(ids.map((id) => context.load.users.load(id))),
    rankOfViewer(context, membership?.membership === 'member' ? membership.roles : []),
    Promise.all(ids.map((id) => context.load.channelUsers.load([channel.channelId, id]))),
  ]);
  for (const [index, user] of users.entries()) {
    if (!user) throw notFound('User');
    const roleIds = [...user.roles, ...(standings[index]?.roles ?? [])];
    const roles = await Promise.all(roleIds.map((roleId) => context.load.roles.load(roleId)));
    if (highestRank(roles.filter((role) => role !== null)) > rank) {
      throw new OperationError('PERMISSION_DENIED', { message: 'Somebody ranks above you.', path: ['userIds'] });
    }
  }
  return users.filter((user) => user !== null);
}

function inOrder(found: ChannelUserRecord[], ids: string[]): ChannelUserRecord[] {
  const byUser = new Map(found.map((member) => [member.userId, member]));
  return ids.flatMap((userId) => byUser.get(userId) ?? []);
}
