import type { ClientSession } from 'mongodb';
import { z } from 'zod';
import type { Context } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { ChannelRecord, MessageFeedRecord } from '../../store/records/chat.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { subtractFeedFromChannel, touchChannel } from '../channel/messages/touch-channel.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { eraseMessages } from '../message/content/erase-messages.ts';
import { newestOfChannel } from '../message/newest-message.ts';
import { editableFeed, invalidateFeed } from './change-message-feed.ts';
import { messageFeedEvent } from './message-feed-events.ts';
import { messageFeedId } from './message-feed-id.ts';
import { requireFeedRight } from './require-feed-right.ts';

export const deleteMessageFeedInput = z.object({
  messageFeedId: messageFeedId(),
  permanent: z
    .boolean()
    .nullish()
    .describe('Whether to erase its name and the content of its messages, for moderators too. Default: false.'),
});

export interface DeletedFeed {
  messageFeed: MessageFeedRecord;
  /** Whether messages remain to be erased; call again to continue. */
  hasMore: boolean;
}

/**
 * Deletes a message feed: its messages no longer count, and only users with EDIT_CHANNEL can still read them.
 *
 * @param input.permanent also erases the content, newest first, 1,000 messages per call so that the time of a call is
 *   bounded; a feed that is already deleted can still be erased
 * @throws {OperationError} NOT_FOUND, also for a deleted feed unless it is to be erased; PERMISSION_DENIED without
 *   EDIT_CHANNEL; BAD_REQUEST for the default feed
 */
export async function deleteMessageFeed(
  context: Context,
  input: z.input<typeof deleteMessageFeedInput>,
): Promise<DeletedFeed> {
  const { messageFeedId, permanent } = validate(deleteMessageFeedInput, input);
  const place = await editableFeed(context, messageFeedId, permanent === true);
  const { channel, feed } = place;
  if (feed.isDefault) {
    throw new OperationError('BAD_REQUEST', { message: 'The default message feed of a channel cannot be deleted.' });
  }
  const deleted = await context.transaction(
    async (session) => {
      await requireFeedRight(context, session, place);
      const removed = await remove(context, session, { channel, feed });
      const gone = removed ?? (permanent ? feed : null);
      const left = gone && permanent ? await erase(context, session, gone) : gone;
      if (left) {
        await recordAudit(context, session, [
          { subjectType: 'messageFeed', subjectId: feed.messageFeedId, channelId: channel.channelId },
        ]);
      }
      if (removed) await appendEvents(context, session, [messageFeedEvent('message-feed.deleted', removed)]);
      return left;
    },
    lockFor(context, 'channel', channel.channelId),
  );
  if (!deleted) throw notFound('Message feed');
  invalidateFeed(context, deleted);
  return { messageFeed: deleted, hasMore: permanent === true && (deleted.erasedFrom ?? 1) > 1 };
}

/** @returns the feed; null when it was deleted before */
async function remove(
  context: Context,
  session: ClientSession,
  { channel, feed }: { channel: ChannelRecord; feed: MessageFeedRecord },
): Promise<MessageFeedRecord | null> {
  const gone = await context.store.collections.messageFeeds.findOneAndUpdate(
    { networkId: feed.networkId, messageFeedId: feed.messageFeedId, isDeleted: false },
    { $set: { isDeleted: true, updatedAt: context.now() } },
    { session, returnDocument: 'after' },
  );
  if (!gone) return null;
  // First, so that a concurrent message in another feed conflicts and stays in the preview.
  await touchChannel(context, session, channel);
  const newest = await newestOfChannel(context, session, gone);
  await subtractFeedFromChannel(context, session, { channel, messages: gone.childCount, newest });
  return gone;
}

/**
 * Continues where the last call stopped. Reads the position in the transaction, so that of two concurrent calls the
 * later one retries.
 */
async function erase(
  context: Context,
  session: ClientSession,
  { networkId, messageFeedId }: MessageFeedRecord,
): Promise<MessageFeedRecord> {
  const { messageFeeds } = context.store.collections;
  const feed = (await messageFeeds.findOne({ networkId, messageFeedId }, { session }))!;
  const erasedFrom = await eraseMessages(context, session, {
    feed,
    before: feed.erasedFrom ?? feed.lastSegment + 1,
  });
  const set = { name: '', erasedFrom, updatedAt: context.now() };
  await messageFeeds.updateOne({ networkId, messageFeedId }, { $set: set }, { session });
  return { ...feed, ...set };
}
