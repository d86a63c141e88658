import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { Context } from '../../../context.ts';
import { compositeKey } from '../../../lib/composite-key.ts';
import type { ChannelRecord, MessageFeedRecord, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import { feedsOfChannel } from '../../message-feed/feeds-of-channel.ts';
import { unreadMarker } from '../queries/unread.ts';

/**
 * Whoever joins a channel has nothing unread there: their markers begin behind what was said before.
 * @returns where the default feed stands, which is their read position
 */
export async function initializeMarkers(
  context: Context,
  session: ClientSession,
  { channel, userIds }: { channel: ChannelRecord; userIds: string[] },
): Promise<number> {
  const { networkId } = channel;
  const { userFeedMarkers } = context.store.collections;
  const feeds = await feedsOfChannel(context, session, channel);
  const written = feeds.filter(({ lastSegment }) => lastSegment > 0);
  if (written.length === 0) return 0;
  const now = context.now();
  const feedIds = written.map(({ messageFeedId }) => messageFeedId);
  const found = await userFeedMarkers
    .find(
      { networkId, userId: { $in: userIds }, feedId: { $in: feedIds } },
      { session, projection: { _id: 0, userId: 1, feedId: 1 } },
    )
    .toArray();
  const known = new Set(found.map(({ userId, feedId }) => compositeKey(feedId, userId)));
  const isKnown = (feed: MessageFeedRecord, userId: string) => known.has(compositeKey(feed.messageFeedId, userId));
  const made = written.flatMap((feed) =>
    userIds.filter((userId) => !isKnown(feed, userId)).map((userId) => markerBehind(feed, userId, now)),
  );
  if (made.length > 0) await userFeedMarkers.insertMany(made, { session, ordered: false });
  const moved = written.flatMap((feed) => {
    const back = userIds.filter((userId) => isKnown(feed, userId));
    if (back.length === 0) return [];
    const segments = { readToSegment: feed.lastSegment, deliveredToSegment: feed.lastSegment };
    const update = { $max: segments, $set: { hasReadOwn: true, updatedAt: now } };
    return [{ updateMany: { filter: { networkId, userId: { $in: back }, feedId: feed.messageFeedId }, update } }];
  });
  if (moved.length > 0) await userFeedMarkers.bulkWrite(moved, { session, ordered: false });
  return feeds.find(({ messageFeedId }) => messageFeedId === channel.defaultMessageFeedId)?.lastSegment ?? 0;
}

function markerBehind(feed: MessageFeedRecord, userId: string, now: Date): UserFeedMarkerRecord {
  const segments = { readToSegment: feed.lastSegment, deliveredToSegment: feed.lastSegment };
  return { ...unreadMarker(feed, userId), ...segments, _id: new ObjectId(), createdAt: now, updatedAt: now };
}
