import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';

/** Writes the feed, so that concurrent edits and deletions that remove mentions conflict. */
export async function touchFeed(
  context: Context,
  session: ClientSession,
  { networkId, messageFeedId }: Pick<MessageFeedRecord, 'networkId' | 'messageFeedId'>,
): Promise<void> {
  await context.store.collections.messageFeeds.updateOne(
    { networkId, messageFeedId },
    { $set: { updatedAt: context.now() } },
    { session },
  );
}
