import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { ChannelRecord, MessageRecord } from '../../../store/records/chat.ts';

/** Updates `updatedAt` of a channel. @throws {OperationError} NOT_FOUND when it was deleted meanwhile */
export async function touchChannel(
  context: Context,
  session: ClientSession,
  { networkId, channelId }: ChannelRecord,
): Promise<void> {
  const { matchedCount } = await context.store.collections.channels.updateOne(
    { networkId, channelId, isDeleted: false },
    { $set: { updatedAt: context.now() } },
    { session },
  );
  if (matchedCount === 0) throw notFound('Channel');
}

/** Subtracts the messages of a deleted feed from its channel and updates the preview. */
export async function subtractFeedFromChannel(
  context: Context,
  session: ClientSession,
  { channel, messages, newest }: { channel: ChannelRecord; messages: number; newest: MessageRecord | null },
): Promise<void> {
  const { networkId, channelId } = channel;
  await context.store.collections.channels.updateOne(
    { networkId, channelId },
    {
      $inc: { messageCount: -messages },
      $set: { messagePreviewId: newest?.messageId ?? null, updatedAt: context.now() },
    },
    { session },
  );
}
