import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { ChannelMention, ChannelRecord } from '../../../store/records/chat.ts';

type Named = Pick<ChannelRecord, 'networkId' | 'channelId'>;

/** Records on memberships that a message of the default feed mentions their users. */
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

/** Records on a channel that a message of its default feed mentions everybody. */
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

/** Replaces a removed mention by an older one in the memberships where it is the newest. */
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

/** Replaces a removed mention of everybody by an older one, if it is the newest of the channel. */
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
