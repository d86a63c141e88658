import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { Context } from '../../../context.ts';
import { compositeKey } from '../../../lib/composite-key.ts';
import type { ChannelRecord, MessageFeedRecord, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import { together } from '../../../store/transaction.ts';
import { feedsOfChannel } from '../../message-feed/feeds-of-channel.ts';
import { unreadMarker } from '../queries/unread.ts';

/**
 * Creates markers for users who join a channel, at the end of every feed, so that nothing is unread.
 * @returns the last segment of the default feed, which is their read position
 */
export async function initializeMarkers(
  context: Context,
  session: ClientSession,
  { channel, userIds }: { channel: ChannelRecord; userIds: string[] },
): Promise<number> {
  const { networkId } = channel;
  const { userFeedMarkers } = context.store.collections;
  const feeds = await feedsOfChannel(context, session, channel);
  const feedsWithMessages = feeds.filter(({ lastSegment }) => lastSegment > 0);
  if (feedsWithMessages.length === 0) return 0;
  const now = context.now();
  const feedIds = feedsWithMessages.map(({ messageFeedId }) => messageFeedId);
  const found = await userFeedMarkers
    .find(
      { networkId, userId: { $in: userIds }, feedId: { $in: feedIds } },
      { session, projection: { _id: 0, userId: 1, feedId: 1 } },
    )
    .toArray();
  const known = new Set(found.map(({ userId, feedId }) => compositeKey(feedId, userId)));
  const isKnown = (feed: MessageFeedRecord, userId: string) => known.has(compositeKey(feed.messageFeedId, userId));
  const created = feedsWithMessages.flatMap((feed) =>
    userIds.filter((userId) => !isKnown(feed, userId)).map((userId) => markerAtEnd(feed, userId, now)),
  );
  const raised = feedsWithMessages.flatMap((feed) => {
    const rejoining = userIds.filter((userId) => isKnown(feed, userId));
    if (rejoining.length === 0) return [];
    const segments = { readToSegment: feed.lastSegment, deliveredToSegment: feed.lastSegment };
    const update = { $max: segments, $set: { hasReadOwn: true, updatedAt: now } };
    return [{ updateMany: { filter: { networkId, userId: { $in: rejoining }, feedId: feed.messageFeedId }, update } }];
  });
  await together(session, [
    created.length > 0 && (() => userFeedMarkers.insertMany(created, { session, ordered: false })),
    raised.length > 0 && (() => userFeedMarkers.bulkWrite(raised, { session, ordered: false })),
  ]);
  return feeds.find(({ messageFeedId }) => messageFeedId === channel.defaultMessageFeedId)?.lastSegment ?? 0;
}

function markerAtEnd(feed: MessageFeedRecord, userId: string, now: Date): UserFeedMarkerRecord {
  const segments = { readToSegment: feed.lastSegment, deliveredToSegment: feed.lastSegment };
  return { ...unreadMarker(feed, userId), ...segments, _id: new ObjectId(), createdAt: now, updatedAt: now };
}
