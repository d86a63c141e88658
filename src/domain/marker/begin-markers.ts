import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { Context } from '../../context.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';
import { feedsOfChannel } from '../message-feed/feeds-of-channel.ts';
import { unreadMarker } from './unread.ts';

/**
 * Whoever joins a channel has nothing unread there: their markers begin behind what was said before.
 * @returns where the default feed stands, which is their read position
 */
export async function beginMarkers(
  context: Context,
  session: ClientSession,
  { channel, userIds }: { channel: ChannelRecord; userIds: string[] },
): Promise<number> {
  const { networkId } = channel;
  const { userFeedMarkers } = context.store.collections;
  const feeds = await feedsOfChannel(context, session, channel);
  const written = feeds.filter(({ lastSegment }) => lastSegment > 0);
  const now = context.now();
  const writes = written.flatMap((feed) =>
    userIds.map((userId) => {
      const { feedId, entityId, lastMentionSegment, readingUntil } = unreadMarker(feed, userId);
      return {
        updateOne: {
          filter: { networkId, userId, feedId },
          update: {
            $max: { readToSegment: feed.lastSegment, deliveredToSegment: feed.lastSegment },
            $set: { hasReadOwn: true, updatedAt: now },
            $setOnInsert: { _id: new ObjectId(), entityId, lastMentionSegment, readingUntil, createdAt: now },
          },
          upsert: true,
        },
      };
    }),
  );
  if (writes.length > 0) await userFeedMarkers.bulkWrite(writes, { session, ordered: false });
  return feeds.find(({ messageFeedId }) => messageFeedId === channel.defaultMessageFeedId)?.lastSegment ?? 0;
}
