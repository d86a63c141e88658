import { z } from 'zod';
import { canKeepMarkers } from '../../../access/marker.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { ChannelRecord, ChannelUserRecord } from '../../../store/records/chat.ts';
import { findInsideChannel, getChannelByEitherId } from '../../channel/get-channel.ts';
import { id, integer, MAX_INT, validate } from '../../input.ts';
import type { FeedPlace } from '../../message-feed/get-message-feed.ts';
import { liveFeedsOf } from '../queries/get-unread-totals.ts';
import { applyMoves } from './apply-moves.ts';
import { type MovedMarkers, markersAfterMove } from './markers-after-move.ts';
import { markersLock, moveMarkers } from './move-markers.ts';
import { notMemberError } from './require-feed.ts';

export const markChannelReadInput = z.object({ channelId: id().describe('Public or internal id of the channel.') });

/**
 * Marks all messages of a channel as read, in all its feeds.
 * @param input.channelId the public id, or the internal id that markers use
 * @throws {OperationError} NOT_FOUND, FORBIDDEN for users who are no members
 */
export async function markChannelRead(
  context: Context,
  input: z.input<typeof markChannelReadInput>,
): Promise<MovedMarkers> {
  const { channelId } = validate(markChannelReadInput, input);
  const known = await getChannelByEitherId(context, channelId);
  const place = known && (await findInsideChannel(context, known.channelId));
  if (!place) throw notFound('Channel');
  if (!canKeepMarkers(place.membership)) throw notMemberError();
  const places = (await liveFeedsOf(context, place.channel.channelId)).map((feed) => ({ ...place, feed }));
  const moves = places.map((one) => ({ place: one, readTo: one.feed.lastSegment }));
  return applyMoves(context, moves);
}

const MAX_SEEN = 100;

export const seenChannel = z.object({
  channelId: id().describe('Public id of the channel.'),
  readToSegment: integer({ min: 0, max: MAX_INT })
    .nullish()
    .describe('Segment of its default message feed up to which the viewer has read; the newest by default.'),
});
export const markChannelsSeenInput = z.object({
  channels: z
    .array(seenChannel)
    .min(1, 'at least 1')
    .max(MAX_SEEN, `at most ${MAX_SEEN}`)
    .describe('Channels and how far the viewer has read in them.'),
});

export interface SeenChannels extends MovedMarkers {
  channels: ChannelRecord[];
  /** The viewer's memberships in the channels. */
  channelUsers: ChannelUserRecord[];
}

/**
 * Raises the viewer's read positions in the default feeds of channels; to the end where no segment is given.
 * @throws {OperationError} NOT_FOUND when the viewer does not see one, FORBIDDEN where they are no member
 */
export async function markChannelsSeen(
  context: Context,
  input: z.input<typeof markChannelsSeenInput>,
): Promise<SeenChannels> {
  const { userId } = viewerOf(context);
  const wanted = new Map(
    validate(markChannelsSeenInput, input).channels.map(({ channelId, readToSegment }) => [
      channelId,
      readToSegment ?? null,
    ]),
  );
  const moves = await Promise.all(
    [...wanted].map(async ([channelId, readToSegment]) => {
      const place = await defaultFeedOf(context, channelId);
      return { place, readTo: Math.min(readToSegment ?? Number.POSITIVE_INFINITY, place.feed.lastSegment) };
    }),
  );
  const markers = await context.transaction((session) => moveMarkers(context, session, moves), markersLock(context));
  const channelUsers = moves.map(({ place: { channel, membership } }, index) => {
    context.load.channelUsers.clear([channel.channelId, userId]);
    return { ...membership!, readToSegment: markers[index]!.readToSegment };
  });
  const places = moves.map(({ place }) => place);
  return {
    channels: places.map(({ channel }) => channel),
    channelUsers,
    ...markersAfterMove(context, places, markers),
  };
}

async function defaultFeedOf(context: Context, channelId: string): Promise<FeedPlace> {
  const place = await findInsideChannel(context, channelId);
  const feed = place && (await context.load.messageFeeds.load(place.channel.defaultMessageFeedId));
  if (!feed) throw notFound('Channel');
  if (!canKeepMarkers(place.membership)) throw notMemberError();
  return { ...place, feed };
}
