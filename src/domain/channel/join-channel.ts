import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { checked, id } from '../input.ts';
import { changeMembers, checkHasOwnMembers, viewerUser } from './change-members.ts';
import { findChannel } from './get-channel.ts';
import type { ChannelWithMembers } from './new-channel.ts';

const joining = z.object({ channelId: id() });

/**
 * Makes the viewer a member of a channel that they see; who is one already stays one. Nothing that was said before
 * counts as unread.
 * @throws {OperationError} NOT_FOUND, BANNED, BAD_REQUEST for a community's own channel or a conversation
 */
export async function joinChannel(context: Context, input: z.input<typeof joining>): Promise<ChannelWithMembers> {
  const { channelId } = checked(joining, input);
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  checkHasOwnMembers(place.channel);
  return changeMembers(context, {
    channel: place.channel,
    users: [await viewerUser(context)],
    next(before) {
      if (before?.membership === 'banned') throw new OperationError('BANNED');
      return before?.membership === 'member' ? null : 'member';
    },
  });
}

/**
 * Ends the viewer's membership; who is no member stays none. Roles end with it.
 * @throws {OperationError} NOT_FOUND, BANNED, BAD_REQUEST for a community's own channel or a conversation
 */
export async function leaveChannel(context: Context, input: z.input<typeof joining>): Promise<ChannelWithMembers> {
  const { channelId } = checked(joining, input);
  const place = await findChannel(context, channelId);
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  checkHasOwnMembers(place.channel);
  return changeMembers(context, {
    channel: place.channel,
    users: [await viewerUser(context)],
    next(before) {
      if (before?.membership === 'banned') throw new OperationError('BANNED');
      return before?.membership === 'member' ? 'none' : null;
    },
  });
}
