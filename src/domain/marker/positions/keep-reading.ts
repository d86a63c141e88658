import { z } from 'zod';
import { canKeepMarkers } from '../../../access/marker.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { READING_MS } from '../../../store/segments.ts';
import { ids, validate } from '../../input.ts';
import { findMessageFeed, uniqueFeeds } from '../../message-feed/get-message-feed.ts';
import { messageFeedId } from '../../message-feed/message-feed-id.ts';
import { MAX_MARKED } from '../queries/get-markers.ts';
import { applyMoves } from './apply-moves.ts';
import { type MovedMarkers, markersAfterMove } from './markers-after-move.ts';
import { requireFeed } from './require-feed.ts';

export const keepReadingInput = z.object({
  messageFeedIds: ids({ min: 1, max: MAX_MARKED }).describe(
    'Ids of the message feeds, or public ids of channels for their default message feeds.',
  ),
});
export const stopReadingInput = z.object({ messageFeedId: messageFeedId() });

/**
 * Marks feeds as open for the viewer: for {@link READING_MS}, new messages there do not count as unread. Feeds that no
 * longer exist are ignored.
 * @throws {OperationError} NOT_FOUND when none remains where the viewer is a member, INVALID_PARAMETERS unless there
 *   are 1 to {@link MAX_MARKED} ids
 */
export async function keepReading(context: Context, input: z.input<typeof keepReadingInput>): Promise<MovedMarkers> {
  const feedIds = validate(keepReadingInput, input).messageFeedIds;
  const found = await Promise.all(feedIds.map((messageFeedId) => findMessageFeed(context, messageFeedId)));
  const places = uniqueFeeds(found.filter((place) => place !== null)).filter(
    ({ feed, membership }) => !feed.isDeleted && canKeepMarkers(membership),
  );
  if (places.length === 0) throw notFound('Message feed');

  const readingUntil = new Date(context.now().getTime() + READING_MS);
  const moves = places.map((place) => ({ place, readingUntil }));
  return applyMoves(context, moves);
}

/**
 * Marks a feed as no longer open for the viewer. For users who have left the channel nothing changes: published clients
 * call it when they close a channel, also after leaving it.
 * @throws {OperationError} NOT_FOUND; FORBIDDEN for users who never were members and for banned ones
 */
export async function stopReading(
  context: Context,
  { messageFeedId }: z.input<typeof stopReadingInput>,
): Promise<MovedMarkers> {
  if (await hasLeftChannelOf(context, messageFeedId)) return markersAfterMove(context, [], []);
  const place = await requireFeed(context, messageFeedId);
  return applyMoves(context, [{ place, readingUntil: null }]);
}

/** Whether the viewer has left the channel of a message feed, which they may no longer see. */
async function hasLeftChannelOf(context: Context, messageFeedId: string): Promise<boolean> {
  const { userId } = viewerOf(context);
  const place = await findMessageFeed(context, messageFeedId);
  if (place) return place.membership?.membership === 'none';
  const feed = await context.load.messageFeeds.load(messageFeedId);
  const membership = feed && (await context.load.channelUsers.load([feed.channelId, userId]));
  const named = membership ?? (await context.load.channelUsers.load([messageFeedId, userId]));
  return named?.membership === 'none';
}
