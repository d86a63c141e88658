import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';

/** What a feed no longer counts, and which message it shows instead. */
export interface Uncounted {
  session: ClientSession;
  message: MessageRecord;
  /** Finds the newest message of the feed that is still there; asked only when the preview must change. */
  newest: () => Promise<MessageRecord | null>;
}

/** Takes a message that was just deleted out of its feed's counter and preview. */
export async function uncountInFeed(
  context: Context,
  { session, message, newest }: Uncounted,
): Promise<MessageFeedRecord | null> {
  const { networkId, messageFeedId, messageId } = message;
  const { messageFeeds } = context.store.collections;
  const filter = { networkId, messageFeedId };
  const updatedAt = context.now();
  const feed = await messageFeeds.findOneAndUpdate(
    filter,
    { $inc: { childCount: -1 }, $set: { updatedAt } },
    { session, returnDocument: 'after' },
  );
  if (feed?.messagePreviewId !== messageId) return feed;
  const shown = (await newest())?.messageId ?? null;
  await messageFeeds.updateOne(filter, { $set: { messagePreviewId: shown } }, { session });
  return feed;
}

/** The feeds of a channel that show a message, with its id; deleted feeds show nothing. */
export async function previewsOfChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: Pick<MessageRecord, 'networkId' | 'channelId'>,
): Promise<Array<{ messageFeedId: string; messagePreviewId: string }>> {
  const feeds = await context.store.collections.messageFeeds
    .find(
      { networkId, channelId, isDeleted: false },
      { session, projection: { messageFeedId: 1, messagePreviewId: 1 } },
    )
    .toArray();
  return feeds.flatMap(({ messageFeedId, messagePreviewId }) =>
    messagePreviewId === null ? [] : [{ messageFeedId, messagePreviewId }],
  );
}
