import { ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type {
  MessageFeedRecord,
  UserEntityMarkerRecord,
  UserFeedMarkerRecord,
  UserMarkerRecord,
} from '../../store/records/chat.ts';
import { getMessages } from '../message/get-message.ts';
import { getMessageFeeds } from '../message-feed/get-message-feed.ts';
import { uniqueIds } from '../unique-ids.ts';

/** The most feeds or channels that one question may name. */
export const MAX_MARKED = 100;

const NEVER = new Date(0);

/** The viewer's sum over all channels; zeros for whoever has no marker yet, since clients rely on there being one. */
export async function getUserMarker(context: Context): Promise<UserMarkerRecord> {
  const { networkId, userId } = viewerOf(context);
  const marker = await context.load.userMarkers.load(userId);
  if (marker) return marker;
  return {
    _id: new ObjectId(),
    networkId,
    userId,
    lastSyncAt: NEVER,
    unreadCount: 0,
    isMentioned: false,
    createdAt: NEVER,
    updatedAt: NEVER,
  };
}

/** The viewer's sums over single channels, by internal ids, without those where they have none. */
export async function getEntityMarkers(
  context: Context,
  { entityIds }: { entityIds: readonly string[] },
): Promise<UserEntityMarkerRecord[]> {
  const { userId } = viewerOf(context);
  return presentOf(
    uniqueIds(entityIds, { name: 'entityIds', max: MAX_MARKED }).map((entityId) =>
      context.load.userEntityMarkers.load([userId, entityId]),
    ),
  );
}

/** The viewer's positions in message feeds, without those where they have none. */
export async function getUserFeedMarkers(
  context: Context,
  { messageFeedIds }: { messageFeedIds: readonly string[] },
): Promise<UserFeedMarkerRecord[]> {
  const { userId } = viewerOf(context);
  return presentOf(
    uniqueIds(messageFeedIds, { name: 'messageFeedIds', max: MAX_MARKED }).map((feedId) =>
      context.load.userFeedMarkers.load([userId, feedId]),
    ),
  );
}

/** The viewer's positions in all feeds of channels, by the channels' internal ids. */
export async function getUserFeedMarkersOfChannels(
  context: Context,
  { entityIds }: { entityIds: readonly string[] },
): Promise<UserFeedMarkerRecord[]> {
  const { userId } = viewerOf(context);
  return (
    await presentOf(
      uniqueIds(entityIds, { name: 'entityIds', max: MAX_MARKED }).map((entityId) =>
        context.load.userFeedMarkersOfChannel.load([userId, entityId]),
      ),
    )
  ).flat();
}

/** How far message feeds go, without those that are absent or not to be seen. */
export function getFeedMarkers(
  context: Context,
  { messageFeedIds }: { messageFeedIds: readonly string[] },
): Promise<MessageFeedRecord[]> {
  return getMessageFeeds(context, { messageFeedIds });
}

/** How far the message feeds go that hold these messages, without messages that are absent or not to be seen. */
export async function getFeedMarkersOfMessages(
  context: Context,
  { messageIds }: { messageIds: readonly string[] },
): Promise<MessageFeedRecord[]> {
  const messages = await getMessages(context, { messageIds });
  return getFeedMarkers(context, { messageFeedIds: [...new Set(messages.map((message) => message.messageFeedId))] });
}

async function presentOf<Marker>(loads: Promise<Marker | null>[]): Promise<Marker[]> {
  return (await Promise.all(loads)).filter((marker) => marker !== null);
}
