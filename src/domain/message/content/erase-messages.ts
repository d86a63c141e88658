import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { MessageFeedRecord } from '../../../store/records/chat.ts';

/** How many messages one call erases. */
export const ERASED_AT_ONCE = 1_000;

/**
 * Erases what the messages of a deleted feed said, the newest before a segment first. That they were there, from whom
 * and to whom, stays: positions and counts rest on it.
 * @returns the segment from which on all are erased
 */
export async function eraseMessages(
  context: Context,
  session: ClientSession,
  { feed, before }: { feed: MessageFeedRecord; before: number },
): Promise<number> {
  const { networkId, messageFeedId } = feed;
  const from = Math.max(1, before - ERASED_AT_ONCE);
  if (from >= before) return before;
  const nothing = { data: {}, metadata: {}, fileId: null, thumbnailFileId: null, tags: [], referenceId: null };
  await context.store.collections.messages.updateMany(
    { networkId, messageFeedId, segment: { $gte: from, $lt: before } },
    { $set: { ...nothing, updatedAt: context.now() } },
    { session },
  );
  return from;
}
