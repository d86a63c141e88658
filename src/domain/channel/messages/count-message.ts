import type { ClientSession, Filter } from 'mongodb';
import type { ChannelPlace } from '../../../access/message.ts';
import { refusalToSend } from '../../../access/message.ts';
import { type Context, type Viewer, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { isRateLimitedNow } from '../moderation/is-rate-limited.ts';

interface Sent {
  place: ChannelPlace;
  messageId: string;
  sentAt: Date;
  /** Where the message stands in the default feed; null for another feed. */
  segment: number | null;
}

/**
 * Counts a message that the viewer sends to a channel, and moves the viewer's membership with it. Rights are checked
 * again here, by what is in the store: a ban, a mute or a deletion that came meanwhile holds.
 *
 * @throws {OperationError} what `refusalToSend` says; RATE_LIMITED, NOT_FOUND for a channel that was deleted
 */
export async function countInChannel(context: Context, session: ClientSession, sent: Sent): Promise<void> {
  const viewer = viewerOf(context);
  const { place, messageId, sentAt } = sent;
  const { networkId, channelId } = place.channel;
  const { channels, channelUsers } = context.store.collections;
  const channel = await channels.findOneAndUpdate(
    { networkId, channelId, isDeleted: false },
    { $inc: { messageCount: 1 }, $max: { lastActivity: sentAt }, $set: { messagePreviewId: messageId } },
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

/** Who writes in the default feed has read it; a mention of everybody before that stays one of theirs. */
function positionOf({ channelMention }: ChannelRecord, { userId }: Viewer, segment: number) {
  const isMentioned = channelMention && channelMention.userId !== userId;
  return { readToSegment: segment, lastMentionedSegment: isMentioned ? channelMention.segment : 0 };
}

/** One message more in the member's window of the rate limit, which begins with its first message. */
async function countInWindow(context: Context, session: ClientSession, { place, sentAt }: Sent): Promise<void> {
  const { channel, membership } = place;
  const { networkId, channelId, userId } = membership!;
  const { channelUsers } = context.store.collections;
  const began = membership!.rateWindow?.startedAt.getTime() ?? 0;
  const isOver = began + channel.rateLimitWindow <= sentAt.getTime();
  const count = isOver ? 0 : membership!.rateWindow!.count;
  if (count >= channel.rateLimit) throw new OperationError('RATE_LIMITED');
  const filter: Filter<ChannelUserRecord> = { networkId, channelId, userId };
  const startedAt = isOver ? sentAt : membership!.rateWindow!.startedAt;
  await channelUsers.updateOne(filter, { $set: { rateWindow: { startedAt, count: count + 1 } } }, { session });
}
