import type { HasPassed, Viewer } from '../context.ts';
import { OperationError } from '../errors.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord, MessageRecord } from '../store/records/chat.ts';
import { canModerateMessages, canSeeInsideChannel, isChannelMember, isMutedNow, mayInChannel } from './channel.ts';

/** A channel with the viewer's membership. */
export interface ChannelPlace {
  channel: ChannelRecord;
  membership: ChannelUserRecord | null;
}

/** Feeds are visible to users who see inside the channel; deleted ones to users who edit it. */
export function canSeeMessageFeed(viewer: Viewer, feed: MessageFeedRecord, place: ChannelPlace): boolean {
  if (!canSeeInsideChannel(viewer, place.channel, place.membership)) return false;
  return !feed.isDeleted || mayInChannel(viewer, place.membership, 'EDIT_CHANNEL');
}

/**
 * Why the viewer may not send messages in a channel that they see; null when they may. Only members send; moderators
 * also in a muted channel, and only moderators in a broadcast.
 */
export function refusalToSend(
  viewer: Viewer,
  { channel, membership }: ChannelPlace,
  hasPassed: HasPassed,
): OperationError | null {
  if (membership?.membership === 'banned') return new OperationError('BANNED');
  if (!isChannelMember(membership) || membership!.isDeleted) {
    return new OperationError('FORBIDDEN', { message: 'Only members of the channel can send messages.' });
  }
  if (isMutedNow(membership!, hasPassed)) return new OperationError('USER_MUTED');
  if (isMutedNow(channel, hasPassed) && !mayInChannel(viewer, membership, 'MUTE_CHANNEL')) {
    return new OperationError('CHANNEL_MUTED');
  }
  if (channel.type === 'broadcast' && !mayInChannel(viewer, membership, 'EDIT_CHANNEL')) {
    return new OperationError('FORBIDDEN', { message: 'Only moderators can send messages in a broadcast.' });
  }
  return null;
}

/** Own messages can be edited while the viewer may still send there, messages of others with EDIT_MESSAGE. */
export function refusalToEdit(
  viewer: Viewer,
  message: MessageRecord,
  place: ChannelPlace,
  hasPassed: HasPassed,
): OperationError | null {
  if (mayInChannel(viewer, place.membership, 'EDIT_MESSAGE')) return null;
  if (message.userId !== viewer.userId) return new OperationError('PERMISSION_DENIED');
  return refusalToSend(viewer, place, hasPassed);
}

/** Own messages can always be deleted, messages of others with DELETE_MESSAGE. */
export function canDeleteMessage(viewer: Viewer, message: MessageRecord, { membership }: ChannelPlace): boolean {
  return message.userId === viewer.userId || canModerateMessages(viewer, membership);
}

/** Whether the viewer creates, renames and deletes message feeds; conversations have only the default one. */
export function canEditFeeds(viewer: Viewer, { channel, membership }: ChannelPlace): boolean {
  return channel.type !== 'conversation' && mayInChannel(viewer, membership, 'EDIT_CHANNEL');
}
