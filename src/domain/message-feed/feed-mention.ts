import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { ChannelMention, MessageFeedRecord } from '../../store/records/chat.ts';

/** Records on a feed that a message mentions everybody: one write instead of one per member. */
export async function raiseFeedMention(
  context: Context,
  session: ClientSession,
  { feed, mention }: { feed: MessageFeedRecord; mention: ChannelMention },
): Promise<void> {
  const { networkId, messageFeedId } = feed;
  await context.store.collections.messageFeeds.updateOne(
    {
      networkId,
      messageFeedId,
      $or: [{ channelMention: null }, { 'channelMention.segment': { $lt: mention.segment } }],
    },
    { $set: { channelMention: mention } },
    { session },
  );
}

/** Replaces a removed mention of everybody by an older one, if it is the newest of the feed. */
export async function lowerFeedMention(
  context: Context,
  session: ClientSession,
  {
    networkId,
    messageFeedId,
    segment,
    older,
  }: Pick<MessageFeedRecord, 'networkId' | 'messageFeedId'> & { segment: number; older: ChannelMention | null },
): Promise<void> {
  await context.store.collections.messageFeeds.updateOne(
    { networkId, messageFeedId, 'channelMention.segment': segment },
    { $set: { channelMention: older } },
    { session },
  );
}
