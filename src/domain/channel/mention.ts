import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { ChannelMention, ChannelRecord } from '../../store/records/chat.ts';

/** Notes on members that a message of the default feed named them. */
export async function raiseMentions(
  context: Context,
  session: ClientSession,
  { channel, segment, userIds }: { channel: ChannelRecord; segment: number; userIds: string[] },
): Promise<void> {
  const { networkId, channelId } = channel;
  await context.store.collections.channelUsers.updateMany(
    { networkId, channelId, userId: { $in: userIds } },
    { $max: { lastMentionedSegment: segment } },
    { session },
  );
}

/** Notes on a channel that a message of its default feed mentions everybody. */
export async function raiseChannelMention(
  context: Context,
  session: ClientSession,
  { channel, mention }: { channel: ChannelRecord; mention: ChannelMention },
): Promise<void> {
  const { networkId, channelId } = channel;
  await context.store.collections.channels.updateOne(
    {
      networkId,
      channelId,
      $or: [{ channelMention: null }, { 'channelMention.segment': { $lt: mention.segment } }],
    },
    { $set: { channelMention: mention } },
    { session },
  );
}
