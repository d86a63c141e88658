import type { ClientSession, Filter } from 'mongodb';
import type { ChannelPlace } from '../../../access/message.ts';
import { refusalToSend } from '../../../access/message.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { isRateLimitedNow } from '../moderation/is-rate-limited.ts';

interface SentMessage {
  place: ChannelPlace;
  messageId: string;
  sentAt: Date;
  /** The message's segment in the default feed; null for another feed. */
  segment: number | null;
}

/**
 * Counts a message that the viewer sends to a channel and updates the viewer's membership. Checks permissions against
 * the stored records again, because a ban, mute or deletion may have been committed meanwhile.
 *
 * @throws {OperationError} as `refusalToSend`; RATE_LIMITED; NOT_FOUND for a deleted channel
 */
export async function countInChannel(context: Context, session: ClientSession, sent: SentMessage): Promise<void> {
  const viewer = viewerOf(context);
  const { place, messageId, sentAt } = sent;
  const { networkId, channelId } = place.channel;
  const { channels, channelUsers } = context.store.collections;
  const channel = await channels.findOneAndUpdate(
    { networkId, channelId, isDeleted: false },
    {
      $inc: { messageCount: 1 },
      $max: { lastActivity: sentAt, ...(sent.segment !== null && { lastSegment: sent.segment }) },
      $set: { messagePreviewId: messageId },
    },
    { session, returnDocument: 'after' },
  );
  if (!channel) throw notFound('Channel');
  const membership = await channelUsers.findOneAndUpdate(
    { networkId, channelId, userId: viewer.userId },
    {
      $max: { lastActivity: sentAt, ...(sent.segment !== null && positionOf(channel, viewer, sent.segment)) },
    },
    { session, returnDocument: 'after' },
  );
  const refusal = refusalToSend(viewer, { channel, membership }, sentAt);
  if (refusal) throw refusal;
  if (isRateLimitedNow(viewer, { channel, membership }, sentAt)) {
    await countInWindow(context, session, { ...sent, place: { channel, membership } });
  }
}

/** Sending to the default feed marks it as read. An earlier mention of everybody stays recorded. */
function positionOf({ channelMention }: ChannelRecord, { userId }: Viewer, segment: number) {
  const isMentioned = channelMention && channelMention.userId !== userId;
  return { readToSegment: segment, lastMentionedSegment: isMentioned ? channelMention.segment : 0 };
}

/** Counts a message in the member's rate limit window, which starts with its first message. */
async function countInWindow(context: Context, session: ClientSession, { place, sentAt }: SentMessage): Promise<void> {
  const { channel, membership } = place;
  const { networkId, channelId, userId } = membership!;
  const { channelUsers } = context.store.collections;
  const startedAtMs = membership!.rateWindow?.startedAt.getTime() ?? 0;
  const isOver = startedAtMs + channel.rateLimitWindow <= sentAt.getTime();
  const count = isOver ? 0 : membership!.rateWindow!.count;
  if (count >= channel.rateLimit) throw new OperationError('RATE_LIMITED');
  const filter: Filter<ChannelUserRecord> = { networkId, channelId, userId };
  const startedAt = isOver ? sentAt : membership!.rateWindow!.startedAt;
  await channelUsers.updateOne(filter, { $set: { rateWindow: { startedAt, count: count + 1 } } }, { session });
}
