import { type ChannelPlace, canSeeMessageFeed } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';
import { findInsideChannel } from '../channel/get-channel.ts';
import { uniqueIds } from '../unique-ids.ts';

export interface FeedPlace extends ChannelPlace {
  feed: MessageFeedRecord;
}

/** A message feed with the channel it stands in, or null when it is absent or not to be seen. */
export async function findMessageFeed(context: Context, messageFeedId: string): Promise<FeedPlace | null> {
  const viewer = viewerOf(context);
  const feed = await context.load.messageFeeds.load(messageFeedId);
  const place = feed && (await findInsideChannel(context, feed.channelId));
  return place && canSeeMessageFeed(viewer, feed, place) ? { ...place, feed } : null;
}

/** One message feed (interface §4.6), or null when it is absent or not to be seen. */
export async function getMessageFeed(
  context: Context,
  { messageFeedId }: { messageFeedId: string },
): Promise<MessageFeedRecord | null> {
  return (await findMessageFeed(context, messageFeedId))?.feed ?? null;
}

/** Whether the viewer reads what a feed holds that they see: its deletion is told to many who no longer do. */
export async function canReadFeed(context: Context, feed: MessageFeedRecord): Promise<boolean> {
  // The answer of a repeated write holds the feed as it was then.
  return (!feed.isDeleted && !context.unseen) || (await findMessageFeed(context, feed.messageFeedId)) !== null;
}

/** The most message feeds that one question may name. */
export const MAX_MESSAGE_FEEDS = 100;

/**
 * Message feeds by ids, in the order asked, each once, without those that are absent or not to be seen.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_MESSAGE_FEEDS} ids
 */
export async function getMessageFeeds(
  context: Context,
  { messageFeedIds }: { messageFeedIds: readonly string[] },
): Promise<MessageFeedRecord[]> {
  viewerOf(context);
  const places = await Promise.all(
    uniqueIds(messageFeedIds, { name: 'messageFeedIds', max: MAX_MESSAGE_FEEDS }).map((messageFeedId) =>
      findMessageFeed(context, messageFeedId),
    ),
  );
  return places.filter((place) => place !== null).map((place) => place.feed);
}
