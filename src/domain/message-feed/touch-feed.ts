import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';

/** Has the edits that take mentions out of a feed's messages, and the deletions, meet at its record. */
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
