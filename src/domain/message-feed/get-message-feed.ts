import { type ChannelPlace, canSeeMessageFeed } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';
import { findInsideChannel } from '../channel/get-channel.ts';
import { recordsByIds } from '../records-by-ids.ts';

export interface FeedPlace extends ChannelPlace {
  feed: MessageFeedRecord;
}

/** A message feed with its channel; null when the viewer does not see it. */
export async function findMessageFeed(context: Context, messageFeedId: string): Promise<FeedPlace | null> {
  const viewer = viewerOf(context);
  const feed = await context.load.messageFeeds.load(messageFeedId);
  const place = feed && (await findInsideChannel(context, feed.channelId));
  return place && canSeeMessageFeed(viewer, feed, place) ? { ...place, feed } : null;
}

/** A message feed, or null when the viewer does not see it. */
export async function getMessageFeed(
  context: Context,
  { messageFeedId }: { messageFeedId: string },
): Promise<MessageFeedRecord | null> {
  return (await findMessageFeed(context, messageFeedId))?.feed ?? null;
}

/**
 * Whether the viewer can read the messages of a feed. Deletions are also reported to users who no longer see the feed.
 */
export async function canReadFeed(context: Context, feed: MessageFeedRecord): Promise<boolean> {
  // A repeated write returns the feed as it was stored.
  return (!feed.isDeleted && !context.unseen) || (await findMessageFeed(context, feed.messageFeedId)) !== null;
}

/**
 * Message feeds by ids, in the order of the ids and without duplicates, without those the viewer does not see.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_IDS} ids
 */
export async function getMessageFeeds(
  context: Context,
  { messageFeedIds }: { messageFeedIds: readonly string[] },
): Promise<MessageFeedRecord[]> {
  viewerOf(context);
  const places = await recordsByIds(messageFeedIds, { name: 'messageFeedIds' }, (messageFeedId) =>
    findMessageFeed(context, messageFeedId),
  );
  return places.map(({ feed }) => feed);
}
