import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { ChannelMention, ChannelRecord } from '../../../store/records/chat.ts';

type Named = Pick<ChannelRecord, 'networkId' | 'channelId'>;

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

/** Takes a mention out of the memberships in which it is the newest. */
export async function lowerMentions(
  context: Context,
  session: ClientSession,
  {
    channel,
    segment,
    older,
  }: { channel: Named; segment: number; older: Array<Pick<ChannelMention, 'userId' | 'segment'>> },
): Promise<void> {
  const { networkId, channelId } = channel;
  await context.store.collections.channelUsers.bulkWrite(
    older.map((one) => ({
      updateOne: {
        filter: { networkId, channelId, userId: one.userId, lastMentionedSegment: segment },
        update: { $set: { lastMentionedSegment: one.segment } },
      },
    })),
    { session, ordered: false },
  );
}

/** Takes a mention of everybody out of a channel, if it is the newest there. */
export async function lowerChannelMention(
  context: Context,
  session: ClientSession,
  { channel, segment, older }: { channel: Named; segment: number; older: ChannelMention | null },
): Promise<void> {
  const { networkId, channelId } = channel;
  await context.store.collections.channels.updateOne(
    { networkId, channelId, 'channelMention.segment': segment },
    { $set: { channelMention: older } },
    { session },
  );
}
