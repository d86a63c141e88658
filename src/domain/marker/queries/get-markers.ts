import { canKeepMarkers } from '../../../access/marker.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { MessageFeedRecord } from '../../../store/records/chat.ts';
import { canSeeAttachedMedia } from '../../channel/get-channel.ts';
import { getMessages } from '../../message/get-message.ts';
import { findMessageFeed, getMessageFeeds } from '../../message-feed/get-message-feed.ts';
import { recordsByIds } from '../../records-by-ids.ts';
import { type FeedMarker, unreadMarker, withUnread } from './unread.ts';

/** Maximum feeds or channels per query. */
export const MAX_MARKED = 100;

/** The viewer's marker in a message feed; null when they are no member of its channel. */
export async function getUserFeedMarker(
  context: Context,
  { messageFeedId }: { messageFeedId: string },
): Promise<FeedMarker | null> {
  const { userId } = viewerOf(context);
  const [place, known] = await Promise.all([
    findMessageFeed(context, messageFeedId),
    context.load.userFeedMarkers.load([userId, messageFeedId]),
  ]);
  if (!place || place.feed.isDeleted || !canKeepMarkers(place.membership)) return null;
  const { feed } = place;
  const marker =
    feed.messageFeedId === messageFeedId
      ? known
      : await context.load.userFeedMarkers.load([userId, feed.messageFeedId]);
  return withUnread(context, feed, marker ?? unreadMarker(feed, userId));
}

/** Whether `syncMarkers` lists a message feed for the viewer, who is a member of its channel and sees what it belongs to. */
export async function isSyncedFeed(context: Context, { channelId }: MessageFeedRecord): Promise<boolean> {
  const [channel, membership] = await Promise.all([
    context.load.channels.load(channelId),
    context.load.channelUsers.load([channelId, viewerOf(context).userId]),
  ]);
  if (!canKeepMarkers(membership)) return false;
  return !channel || canSeeAttachedMedia(context, channel);
}

/** The viewer's markers in message feeds, without feeds of channels that they are no member of. */
export async function getUserFeedMarkers(
  context: Context,
  { messageFeedIds }: { messageFeedIds: readonly string[] },
): Promise<FeedMarker[]> {
  viewerOf(context);
  const markers = await recordsByIds(messageFeedIds, { name: 'messageFeedIds', max: MAX_MARKED }, (messageFeedId) =>
    getUserFeedMarker(context, { messageFeedId }),
  );
  return [...new Map(markers.map((marker) => [marker.feedId, marker])).values()];
}

/** Message feeds by ids, without those the viewer does not see; their `lastSegment` is the feed marker. */
export function getFeedMarkers(
  context: Context,
  { messageFeedIds }: { messageFeedIds: readonly string[] },
): Promise<MessageFeedRecord[]> {
  return getMessageFeeds(context, { messageFeedIds });
}

/** The message feeds of messages, without messages the viewer does not see. */
export async function getFeedMarkersOfMessages(
  context: Context,
  { messageIds }: { messageIds: readonly string[] },
): Promise<MessageFeedRecord[]> {
  const messages = await getMessages(context, { messageIds });
  return getFeedMarkers(context, { messageFeedIds: [...new Set(messages.map((message) => message.messageFeedId))] });
}
