import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';

/** A deleted message that its feed no longer counts. */
export interface SubtractedMessage {
  session: ClientSession;
  message: MessageRecord;
  /** Finds the newest live message of the feed; called only when the preview must change. */
  newest: () => Promise<MessageRecord | null>;
}

/** Subtracts a deleted message from its feed and updates the preview. */
export async function subtractFromFeed(
  context: Context,
  { session, message, newest }: SubtractedMessage,
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

/** The live feeds of a channel with the ids of their previews. */
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
