import type { z } from 'zod';
import { isChannelMember } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { ChannelRecord } from '../../../store/records/chat.ts';
import { validate } from '../../input.ts';
import { channelIdInput } from '../channel-input.ts';
import { findChannel } from '../get-channel.ts';
import type { ChannelWithMembers } from '../new-channel.ts';
import { assertMembersCanChange, changeMembers, viewerUser } from './change-members.ts';

/**
 * Makes the viewer a member of a channel that they see. Members are left unchanged. Earlier messages do not count as
 * unread. A member of a community is a member of its channel: published clients join it whenever they open it.
 * @throws {OperationError} NOT_FOUND, BANNED, BAD_REQUEST for others in a community's own channel, and for a conversation
 */
export async function joinChannel(
  context: Context,
  input: z.input<typeof channelIdInput>,
): Promise<ChannelWithMembers> {
  const { channelId } = validate(channelIdInput, input);
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  const { channel, membership } = place;
  if (channel.communityId !== null && isChannelMember(membership)) return { channel, channelUsers: [membership!] };
  assertMembersCanChange(channel);
  return changeMembers(context, {
    channel,
    event: 'channel.joined',
    users: [await viewerUser(context)],
    // It may have become private meanwhile.
    where: channel.isPublic ? { isPublic: true } : undefined,
    next(before) {
      if (before?.membership === 'banned') throw new OperationError('BANNED');
      return before?.membership === 'member' ? null : 'member';
    },
  });
}

/**
 * Ends the viewer's membership and its roles. Does nothing for users who are not members.
 * @throws {OperationError} NOT_FOUND, BANNED, BAD_REQUEST for the channel of a community or a conversation
 */
export async function leaveChannel(
  context: Context,
  input: z.input<typeof channelIdInput>,
): Promise<ChannelWithMembers> {
  const { channelId } = validate(channelIdInput, input);
  const channel = (await findChannel(context, channelId))?.channel ?? (await hiddenChannelOfMember(context, channelId));
  if (!channel || channel.isDeleted) throw notFound('Channel');
  assertMembersCanChange(channel);
  return changeMembers(context, {
    channel,
    event: 'channel.left',
    users: [await viewerUser(context)],
    next(before) {
      if (before?.membership === 'banned') throw new OperationError('BANNED');
      return before?.membership === 'member' ? 'none' : null;
    },
  });
}

/** A channel that the viewer is a member of but no longer sees, such as the chat of a hidden room. */
async function hiddenChannelOfMember(context: Context, channelId: string): Promise<ChannelRecord | null> {
  const membership = await context.load.channelUsers.load([channelId, viewerOf(context).userId]);
  return isChannelMember(membership) ? context.load.channels.load(channelId) : null;
}
