import type { Viewer } from '../context.ts';
import { OperationError } from '../errors.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord, MessageRecord } from '../store/records/chat.ts';
import { canModerateMessages, canSeeInsideChannel, isChannelMember, isMutedNow, mayInChannel } from './channel.ts';

/** A channel and how the viewer stands to it. */
export interface ChannelPlace {
  channel: ChannelRecord;
  membership: ChannelUserRecord | null;
}

/** A feed and its messages: by whoever sees inside the channel; deleted feeds only by those who edit the channel. */
export function canSeeMessageFeed(viewer: Viewer, feed: MessageFeedRecord, place: ChannelPlace): boolean {
  if (!canSeeInsideChannel(viewer, place.channel, place.membership)) return false;
  return !feed.isDeleted || mayInChannel(viewer, place.membership, 'EDIT_CHANNEL');
}

/**
 * Why the viewer may not write in a channel that they see; null when they may. Only members do; moderators also in a
 * muted channel, and they alone in a broadcast.
 */
export function refusalToSend(viewer: Viewer, { channel, membership }: ChannelPlace, now: Date): OperationError | null {
  if (membership?.membership === 'banned') return new OperationError('BANNED');
  if (!isChannelMember(membership) || membership!.isDeleted) {
    return new OperationError('FORBIDDEN', { message: 'Only members of the channel write there.' });
  }
  if (isMutedNow(membership!, now)) return new OperationError('USER_MUTED');
  if (isMutedNow(channel, now) && !mayInChannel(viewer, membership, 'MUTE_CHANNEL')) {
    return new OperationError('CHANNEL_MUTED');
  }
  if (channel.type === 'broadcast' && !mayInChannel(viewer, membership, 'EDIT_CHANNEL')) {
    return new OperationError('FORBIDDEN', { message: 'Only moderators write in a broadcast.' });
  }
  return null;
}

/** One's own, while one may still write there; those of others with EDIT_MESSAGE. */
export function refusalToEdit(
  viewer: Viewer,
  message: MessageRecord,
  place: ChannelPlace,
  now: Date,
): OperationError | null {
  if (mayInChannel(viewer, place.membership, 'EDIT_MESSAGE')) return null;
  if (message.userId !== viewer.userId) return new OperationError('PERMISSION_DENIED');
  return refusalToSend(viewer, place, now);
}

/** One's own, also where one may no longer write; those of others with DELETE_MESSAGE. */
export function canDeleteMessage(viewer: Viewer, message: MessageRecord, { membership }: ChannelPlace): boolean {
  return message.userId === viewer.userId || canModerateMessages(viewer, membership);
}

/** Whether the viewer makes, names and deletes message feeds. A conversation has no moderators, and the one feed. */
export function canEditFeeds(viewer: Viewer, { channel, membership }: ChannelPlace): boolean {
  return channel.type !== 'conversation' && mayInChannel(viewer, membership, 'EDIT_CHANNEL');
}
