import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { MessageFeedRecord } from '../../../store/records/chat.ts';
import { unindexMessages } from '../../search-index/index-record.ts';

/** Maximum messages that one call erases. */
export const MAX_ERASED = 1_000;

/**
 * Erases the content of messages of a deleted feed, newest first, before a segment. The records remain, because
 * positions and counts depend on them.
 * @returns the first erased segment
 */
export async function eraseMessages(
  context: Context,
  session: ClientSession,
  { feed, before }: { feed: MessageFeedRecord; before: number },
): Promise<number> {
  const { networkId, messageFeedId } = feed;
  const from = Math.max(1, before - MAX_ERASED);
  if (from >= before) return before;
  const nothing = { data: {}, metadata: {}, fileId: null, thumbnailFileId: null, tags: [], referenceId: null };
  const { messages } = context.store.collections;
  const range = { networkId, messageFeedId, segment: { $gte: from, $lt: before } };
  const found = messages.find(range, { session, projection: { _id: 0, networkId: 1, messageId: 1 } });
  await unindexMessages(context, session, await found.toArray());
  await messages.updateMany(range, { $set: { ...nothing, updatedAt: context.now() } }, { session });
  return from;
}
