import { type ChannelPlace, canSeeMessageFeed } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';
import { findInsideChannel } from '../channel/get-channel.ts';
import { recordsByIds } from '../records-by-ids.ts';

export interface FeedPlace extends ChannelPlace {
  feed: MessageFeedRecord;
}

/**
 * A message feed with its channel; null when the viewer does not see it. Callers continue with the id of the record.
 * @param id the id of the feed, or the public id of a channel for its default feed, which published clients send. The id
 *   of a feed takes precedence, as in `getChannelByEitherId`, which gives the reasons.
 */
export async function findMessageFeed(context: Context, id: string): Promise<FeedPlace | null> {
  const { userId } = viewerOf(context);
  const feed = await context.load.messageFeeds.load(id);
  const place = feed && (await visiblePlace(context, feed));
  if (place) return place;
  if (feed && (await context.load.channelUsers.load([feed.channelId, userId]))) return null;
  const defaultFeed = await defaultFeedOf(context, id);
  return defaultFeed && visiblePlace(context, defaultFeed);
}

async function visiblePlace(context: Context, feed: MessageFeedRecord): Promise<FeedPlace | null> {
  const place = await findInsideChannel(context, feed.channelId);
  return place && canSeeMessageFeed(viewerOf(context), feed, place) ? { ...place, feed } : null;
}

async function defaultFeedOf(context: Context, channelId: string): Promise<MessageFeedRecord | null> {
  const channel = await context.load.channels.load(channelId);
  return channel && context.load.messageFeeds.load(channel.defaultMessageFeedId);
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
  return uniqueFeeds(places).map(({ feed }) => feed);
}

/** Without repetitions of feeds that were named by several of their ids. */
export function uniqueFeeds(places: readonly FeedPlace[]): FeedPlace[] {
  return [...new Map(places.map((place) => [place.feed.messageFeedId, place])).values()];
}
