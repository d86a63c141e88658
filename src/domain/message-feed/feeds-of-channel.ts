import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { ChannelRecord, MessageFeedRecord } from '../../store/records/chat.ts';

/** The live feeds of a channel, as a transaction sees them. */
export function feedsOfChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: ChannelRecord,
): Promise<MessageFeedRecord[]> {
  const { messageFeeds } = context.store.collections;
  return messageFeeds.find({ networkId, channelId, isDeleted: false }, { session }).toArray();
}

/** Marks every feed of a channel as deleted; a channel has at most 100. */
export async function deleteFeedsOfChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId, updatedAt }: Pick<ChannelRecord, 'networkId' | 'channelId' | 'updatedAt'>,
): Promise<void> {
  const { messageFeeds } = context.store.collections;
  await messageFeeds.updateMany({ networkId, channelId }, { $set: { isDeleted: true, updatedAt } }, { session });
}
