import { canSeeChannel, canSeeDeletedChannel, canSeeInsideChannel, seesAllChannels } from '../../access/channel.ts';
import type { ChannelPlace } from '../../access/message.ts';
import { type Context, prefetch, viewerOf } from '../../context.ts';
import { OperationError } from '../../errors.ts';
import type { ChannelRecord } from '../../store/records/chat.ts';
import { recordsByIds } from '../records-by-ids.ts';
import { getRoom } from '../room/get-room.ts';
import { getVideoStream } from '../video-stream/get-video-stream.ts';

/** A channel with the viewer's membership; null when the channel does not exist or the viewer does not see it. */
export async function findChannel(context: Context, channelId: string): Promise<ChannelPlace | null> {
  const viewer = viewerOf(context);
  const [channel, membership] = await Promise.all([
    context.load.channels.load(channelId),
    context.load.channelUsers.load([channelId, viewer.userId]),
  ]);
  if (!channel) return null;
  const isSeen = canSeeChannel(viewer, channel, membership) || canSeeDeletedChannel(viewer, channel, membership);
  if (!isSeen) return null;
  return (await canSeeAttachedMedia(context, channel)) ? { channel, membership } : null;
}

/** Starts to load what {@link findChannel} reads. */
export function prefetchChannel(context: Context, channelId: string): void {
  prefetch(context.load.channels.load(channelId));
  prefetch(context.load.channelUsers.load([channelId, viewerOf(context).userId]));
}

/**
 * Whether the viewer sees the stream or room that a chat channel belongs to. Members who lose access to its post also
 * lose access to the channel.
 */
export async function canSeeAttachedMedia(context: Context, { attachedTo }: ChannelRecord): Promise<boolean> {
  if (!attachedTo || seesAllChannels(viewerOf(context))) return true;
  const { videoStreamId, roomId } = attachedTo;
  if (videoStreamId !== null) return (await getVideoStream(context, { streamId: videoStreamId })) !== null;
  return roomId === null || (await getRoom(context, { roomId })) !== null;
}

/** As {@link findChannel}, for the feeds, messages and members of the channel. */
export async function findInsideChannel(context: Context, channelId: string): Promise<ChannelPlace | null> {
  const place = await findChannel(context, channelId);
  return place && canSeeInsideChannel(viewerOf(context), place.channel, place.membership) ? place : null;
}

/**
 * The channel with the viewer's membership, for lists inside a channel that the viewer sees.
 * @throws {OperationError} BANNED, or FORBIDDEN when the viewer does not see inside
 */
export async function requireChannelAccess(context: Context, channel: ChannelRecord): Promise<ChannelPlace> {
  const viewer = viewerOf(context);
  const membership = await context.load.channelUsers.load([channel.channelId, viewer.userId]);
  if (canSeeInsideChannel(viewer, channel, membership)) return { channel, membership };
  throw new OperationError(membership?.membership === 'banned' ? 'BANNED' : 'FORBIDDEN');
}

/** Names a channel by one of its ids. */
interface ChannelIds {
  channelId?: string | null | undefined;
  internalId?: string | null | undefined;
  /** As {@link getChannelByEitherId} reads it. */
  eitherId?: string | null | undefined;
}

/**
 * A channel by its public or internal id; null when the viewer does not see it.
 * @throws {OperationError} INVALID_PARAMETERS unless exactly one id is given
 */
export async function getChannel(
  context: Context,
  { channelId, internalId, eitherId }: ChannelIds,
): Promise<ChannelRecord | null> {
  viewerOf(context);
  if ([channelId, internalId, eitherId].filter((id) => id != null).length !== 1) {
    throw new OperationError('INVALID_PARAMETERS', {
      detail: ['Exactly one of channelId, internalId and eitherId is required.'],
    });
  }
  if (eitherId != null) return getChannelByEitherId(context, eitherId);
  if (channelId != null) return (await findChannel(context, channelId))?.channel ?? null;
  const channel = await context.load.channelsByInternalId.load(internalId!);
  if (!channel) return null;
  context.load.channels.prime(channel.channelId, channel);
  return (await findChannel(context, channel.channelId))?.channel ?? null;
}

/**
 * A channel by its internal or public id, for endpoints to which clients send either. The internal id takes precedence,
 * so that a channel cannot intercept calls by using the internal id of another as its public id. For viewers who neither
 * see nor ever joined the channel with that internal id, the id is a public one, as if that channel did not exist.
 */
export async function getChannelByEitherId(context: Context, id: string): Promise<ChannelRecord | null> {
  const internal = await context.load.channelsByInternalId.load(id);
  if (internal) {
    const channel = await getChannel(context, { internalId: id });
    if (channel) return channel;
    const { userId } = viewerOf(context);
    if (await context.load.channelUsers.load([internal.channelId, userId])) return null;
  }
  return getChannel(context, { channelId: id });
}

/** Maximum channel ids per query, see `docs/interface.md#list-channels`. */
export const MAX_CHANNELS = 10;

/**
 * Channels by public id, in the order of the ids, without duplicates and channels that the viewer does not see.
 * @throws {OperationError} INVALID_PARAMETERS for more than {@link MAX_CHANNELS} ids
 */
export async function getChannels(
  context: Context,
  { channelIds }: { channelIds: readonly string[] },
): Promise<ChannelRecord[]> {
  viewerOf(context);
  const places = await recordsByIds(channelIds, { name: 'channelIds', max: MAX_CHANNELS }, (channelId) =>
    findChannel(context, channelId),
  );
  return places.map(({ channel }) => channel);
}
