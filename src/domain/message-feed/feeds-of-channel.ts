import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { ChannelRecord, MessageFeedRecord } from '../../store/records/chat.ts';

/** The feeds of a channel that are not deleted, as a transaction sees them. */
export function feedsOfChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: ChannelRecord,
): Promise<MessageFeedRecord[]> {
  const { messageFeeds } = context.store.collections;
  return messageFeeds.find({ networkId, channelId, isDeleted: false }, { session }).toArray();
}
