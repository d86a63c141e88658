import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import { uncountInChannel } from '../channel/uncount-message.ts';
import { previewsOfChannel, uncountInFeed } from '../message-feed/uncount-message.ts';

/**
 * Deletes a message within a transaction, with everything that counts it: its parent, feed and channel with their
 * previews. Who had not read it no longer counts it. The caller has checked rights.
 * @returns the deleted message, null when it was deleted already
 */
export async function deleteMessage(
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
  if (message.parentId !== null) {
    const parent = { networkId, messageFeedId, messageId: message.parentId };
    await messages.updateOne(parent, { $inc: { childCount: -1 } }, { session });
  }
  const [newest = null] = await messages
    .find({ networkId, messageFeedId, isDeleted: false }, { session })
    .sort({ segment: -1 })
    .limit(1)
    .toArray();
  await uncountInFeed(context, { session, message, newest });
  await uncountInChannel(context, { session, message, newest: () => newestOfChannel(context, session, message) });
  return message;
}

async function newestOfChannel(
  context: Context,
  session: ClientSession,
  message: MessageRecord,
): Promise<MessageRecord | null> {
  const shown = await previewsOfChannel(context, session, message);
  const messageFeedId = { $in: shown.map((one) => one.messageFeedId) };
  const messageId = { $in: shown.map((one) => one.messagePreviewId) };
  const previews = await context.store.collections.messages
    .find({ networkId: message.networkId, messageFeedId, messageId }, { session })
    .toArray();
  return previews.reduce<MessageRecord | null>(
    (newest, one) => (newest && newest.createdAt >= one.createdAt ? newest : one),
    null,
  );
}
