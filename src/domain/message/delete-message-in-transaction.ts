import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import { notFound } from '../../errors.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import { subtractFromChannel } from '../channel/messages/subtract-message.ts';
import { subtractFromFeed } from '../message-feed/subtract-message.ts';
import { unindexMessages } from '../search-index/index-record.ts';
import { removeMentions } from './mentions/remove-mentions.ts';
import { newestOfChannel, newestOfFeed } from './newest-message.ts';

/**
 * Deletes a message within a transaction and updates what counts it: its parent, feed and channel with their previews,
 * and the markers of users it mentions. Unread counts no longer include it. The caller has checked permissions.
 * @returns the deleted message; null when it was already deleted
 * @throws {OperationError} NOT_FOUND when its feed is deleted
 */
export async function deleteMessageInTransaction(
  context: Context,
  session: ClientSession,
  { networkId, messageFeedId, segment, messageId }: MessageRecord,
): Promise<MessageRecord | null> {
  const { messages } = context.store.collections;
  const message = await messages.findOneAndUpdate(
    { networkId, messageFeedId, segment, messageId, isDeleted: false },
    { $set: { isDeleted: true, updatedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  if (!message) return null;
  await unindexMessages(context, session, [message]);
  if (message.parentId !== null) {
    const parent = { networkId, messageFeedId, messageId: message.parentId };
    // The sequence number of the parent is unknown, and a router applies an update without it only as one of many.
    await messages.updateMany(parent, { $inc: { childCount: -1 } }, { session });
  }
  const feed = await subtractFromFeed(context, {
    session,
    message,
    newest: () => newestOfFeed(context, session, message),
  });
  // Deleting the feed has already removed the message from all counts.
  if (!feed || feed.isDeleted) throw notFound('Message');
  await removeMentions(context, session, { message, remaining: [], isDefault: feed.isDefault });
  await subtractFromChannel(context, { session, message, newest: () => newestOfChannel(context, session, message) });
  return message;
}
