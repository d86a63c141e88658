import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageRecord } from '../../store/records/chat.ts';
import { previewsOfChannel } from '../message-feed/subtract-message.ts';

/** The newest live message of a feed. */
export async function newestOfFeed(
  context: Context,
  session: ClientSession,
  { networkId, messageFeedId }: Pick<MessageRecord, 'networkId' | 'messageFeedId'>,
): Promise<MessageRecord | null> {
  const live = { networkId, messageFeedId, isDeleted: false };
  return context.store.collections.messages.findOne(live, { session, sort: { segment: -1 } });
}

/** The newest live message of a channel, over all its live feeds. */
export async function newestOfChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: Pick<MessageRecord, 'networkId' | 'channelId'>,
): Promise<MessageRecord | null> {
  const shown = await previewsOfChannel(context, session, { networkId, channelId });
  if (shown.length === 0) return null;
  const messageFeedId = { $in: shown.map((one) => one.messageFeedId) };
  const messageId = { $in: shown.map((one) => one.messagePreviewId) };
  const previews = await context.store.collections.messages
    .find({ networkId, messageFeedId, messageId }, { session })
    .toArray();
  return previews.reduce<MessageRecord | null>(
    (newest, one) => (newest && newest.createdAt >= one.createdAt ? newest : one),
    null,
  );
}
