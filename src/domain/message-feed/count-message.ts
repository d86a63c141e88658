import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';

/**
 * Takes the next segment of a feed for a new message and counts it. Concurrent senders conflict here and retry, so
 * segments have no gaps.
 *
 * @returns the feed afterwards, whose `lastSegment` is the message's; null when it is deleted
 */
export function countInFeed(
  context: Context,
  session: ClientSession,
  { feed, messageId, sentAt }: { feed: MessageFeedRecord; messageId: string; sentAt: Date },
): Promise<MessageFeedRecord | null> {
  const { networkId, messageFeedId } = feed;
  return context.store.collections.messageFeeds.findOneAndUpdate(
    { networkId, messageFeedId, isDeleted: false },
    {
      $inc: { lastSegment: 1, childCount: 1 },
      $set: {
        lastMessageId: messageId,
        messagePreviewId: messageId,
        lastMessageTimestamp: sentAt,
        updatedAt: sentAt,
      },
    },
    { session, returnDocument: 'after' },
  );
}
