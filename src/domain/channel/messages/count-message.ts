import type { ClientSession, Filter } from 'mongodb';
import type { ChannelPlace } from '../../../access/message.ts';
import { refusalToSend } from '../../../access/message.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound, OperationError } from '../../../errors.ts';
import type { ChannelUserRecord } from '../../../store/records/chat.ts';
import { together } from '../../../store/transaction.ts';
import { isRateLimitedNow } from '../moderation/is-rate-limited.ts';
import { lastMentionOf } from './last-mention.ts';

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
  const own = { networkId, channelId, userId: viewer.userId };
  const [channel, membership] = await together(session, [
    () =>
      channels.findOneAndUpdate(
        { networkId, channelId, isDeleted: false },
        {
          $inc: { messageCount: 1 },
          $max: { lastActivity: sentAt, ...(sent.segment !== null && { lastSegment: sent.segment }) },
          $set: { messagePreviewId: messageId },
        },
        { session, returnDocument: 'after' },
      ),
    () =>
      channelUsers.findOneAndUpdate(
        own,
        // Sending to the default feed marks it as read.
        { $max: { lastActivity: sentAt, ...(sent.segment !== null && { readToSegment: sent.segment }) } },
        { session, returnDocument: 'after' },
      ),
  ]);
  if (!channel) throw notFound('Channel');
  const hadPassed = (time: Date) => time <= sentAt;
  const refusal = refusalToSend(viewer, { channel, membership }, hadPassed);
  if (refusal) throw refusal;
  // An earlier mention of everybody stays recorded, in case the message is deleted.
  const mentionedIn = sent.segment !== null && membership ? lastMentionOf(membership, channel) : 0;
  if (membership && mentionedIn > membership.lastMentionedSegment) {
    await channelUsers.updateOne(own, { $max: { lastMentionedSegment: mentionedIn } }, { session });
  }
  if (isRateLimitedNow(viewer, { channel, membership }, hadPassed)) {
    await countInWindow(context, session, { ...sent, place: { channel, membership } });
  }
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
