import { z } from 'zod';
import { canEditFeeds } from '../../access/message.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import { appendEvents } from '../../events/append-events.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findInsideChannel, getChannelByEitherId } from '../channel/get-channel.ts';
import { touchChannel } from '../channel/messages/touch-channel.ts';
import { refusal } from '../channel/moderation/refusal.ts';
import { id, text, validate } from '../input.ts';
import { lockFor } from '../lock-for.ts';
import { messageFeedEvent } from './message-feed-events.ts';
import { messageFeedRecord } from './new-message-feed.ts';
import { requireFeedRight } from './require-feed-right.ts';

/** Maximum message feeds of a channel, with deleted ones: a user who joins gets a marker in each. */
export const MAX_FEEDS = 100;

export const feedName = () => text({ max: 100 }).describe('Display name.');
export const createMessageFeedInput = z.object({
  channelId: id().describe('Public or internal id of the channel.'),
  name: feedName(),
});

/**
 * Adds a message feed to a channel; every member can read it.
 * @param input.channelId the public id, or the internal id that published clients use
 * @throws {OperationError} NOT_FOUND, PERMISSION_DENIED without EDIT_CHANNEL, BAD_REQUEST for a conversation or beyond
 *   {@link MAX_FEEDS}, INVALID_PARAMETERS
 */
export async function createMessageFeed(
  context: Context,
  input: z.input<typeof createMessageFeedInput>,
): Promise<MessageFeedRecord> {
  const viewer = viewerOf(context);
  const { channelId, name } = validate(createMessageFeedInput, input);
  const known = await getChannelByEitherId(context, channelId);
  const place = known && (await findInsideChannel(context, known.channelId));
  if (!place || place.channel.isDeleted) throw notFound('Channel');
  const { channel } = place;
  if (!canEditFeeds(viewer, place)) throw refusal(place.membership);
  const feed = messageFeedRecord(context, { channel, name });
  await context.transaction(
    async (session) => {
      await requireFeedRight(context, session, place);
      const { messageFeeds } = context.store.collections;
      const { networkId } = channel;
      // Concurrent calls conflict on the channel, so the count below is correct.
      await touchChannel(context, session, channel);
      const count = await messageFeeds.countDocuments({ networkId, channelId: channel.channelId }, { session });
      if (count >= MAX_FEEDS) {
        throw new OperationError('BAD_REQUEST', { message: `A channel has at most ${MAX_FEEDS} message feeds.` });
      }
      await messageFeeds.insertOne(feed, { session });
      await recordAudit(context, session, [
        { subjectType: 'messageFeed', subjectId: feed.messageFeedId, channelId: channel.channelId },
      ]);
      await appendEvents(context, session, [messageFeedEvent('message-feed.created', feed)]);
    },
    lockFor(context, 'channel', channel.channelId),
  );
  context.load.messageFeeds.clear(feed.messageFeedId);
  context.load.messageFeedsOfChannel.clear(channel.channelId);
  return feed;
}
