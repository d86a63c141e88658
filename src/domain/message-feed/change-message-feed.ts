import { z } from 'zod';
import { canEditFeeds } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { refusal } from '../channel/moderation/refusal.ts';
import { validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { feedName } from './create-message-feed.ts';
import { type FeedPlace, findMessageFeed } from './get-message-feed.ts';
import { messageFeedEvent } from './message-feed-events.ts';
import { messageFeedId } from './message-feed-id.ts';
import { requireFeedRight } from './require-feed-right.ts';

export const updateMessageFeedInput = z.object({
  messageFeedId: messageFeedId(),
  name: feedName(),
});

/**
 * Renames a message feed.
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without EDIT_CHANNEL, INVALID_PARAMETERS
 */
export async function updateMessageFeed(
  context: Context,
  input: z.input<typeof updateMessageFeedInput>,
): Promise<MessageFeedRecord> {
  const { messageFeedId, name } = validate(updateMessageFeedInput, input);
  const place = await editableFeed(context, messageFeedId);
  const { channel, feed } = place;
  const renamed = await context.transaction(
    async (session) => {
      await requireFeedRight(context, session, place);
      const now = context.now();
      const edited = await context.store.collections.messageFeeds.findOneAndUpdate(
        { networkId: feed.networkId, messageFeedId: feed.messageFeedId, isDeleted: false },
        { $set: { name, editedAt: now, updatedAt: now } },
        { session, returnDocument: 'after' },
      );
      if (!edited) throw notFound('Message feed');
      await recordAudit(context, session, [
        { subjectType: 'messageFeed', subjectId: edited.messageFeedId, channelId: channel.channelId },
      ]);
      await appendEvents(context, session, [messageFeedEvent('message-feed.updated', edited)]);
      return edited;
    },
    lockFor(context, 'channel', channel.channelId),
  );
  invalidateFeed(context, renamed);
  return renamed;
}

/**
 * Loads a feed that the viewer may change.
 * @param includesDeleted whether a deleted feed that the viewer still sees is accepted
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without EDIT_CHANNEL
 */
export async function editableFeed(
  context: Context,
  messageFeedId: string,
  includesDeleted = false,
): Promise<FeedPlace> {
  const place = await findMessageFeed(context, messageFeedId);
  if (!place || (place.feed.isDeleted && !includesDeleted) || place.channel.isDeleted) throw notFound('Message feed');
  if (!canEditFeeds(viewerOf(context), place)) throw refusal(place.membership);
  return place;
}

/** Clears a message feed and its channel from the loaders of the request. */
export function invalidateFeed(
  { load }: Context,
  { messageFeedId, channelId, channelInternalId }: MessageFeedRecord,
): void {
  load.messageFeeds.clear(messageFeedId);
  load.messageFeedsOfChannel.clear(channelId);
  load.channels.clear(channelId);
  load.channelsByInternalId.clear(channelInternalId);
}
