import { type Context, viewerOf } from '../../../context.ts';
import type { MessageFeedRecord, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import type { FeedPlace } from '../../message-feed/get-message-feed.ts';
import { getUserFeedMarker } from '../queries/get-markers.ts';
import { type EntityMarker, getEntityMarker, getUserMarker, type UserMarker } from '../queries/get-unread-totals.ts';
import type { FeedMarker } from '../queries/unread.ts';

/** The viewer's markers after a move, of all four kinds that responses contain. */
export interface MovedMarkers {
  userMarker: UserMarker;
  userEntityMarkers: EntityMarker[];
  userFeedMarkers: FeedMarker[];
  feeds: MessageFeedRecord[];
}

/**
 * Reads the markers that a move changes.
 * @param markers as `moveMarkers` returned them, because the move may not be committed yet
 */
export async function markersAfterMove(
  context: Context,
  places: FeedPlace[],
  markers: UserFeedMarkerRecord[],
): Promise<MovedMarkers> {
  const { userId } = viewerOf(context);
  const feeds = places.map((place) => place.feed);
  const { load } = context;
  load.userMarkers.clear(userId);
  load.userFeedMarkersOfUser.clear(userId);
  for (const feed of feeds) load.channelUsers.clear([feed.channelId, userId]);
  for (const marker of markers)
    load.userFeedMarkers.clear([userId, marker.feedId]).prime([userId, marker.feedId], marker);
  // First, because it loads all other markers of the user in one command.
  const userMarker = await getUserMarker(context);
  const channels = new Map(places.map(({ channel }) => [channel.channelId, channel]));
  const [userEntityMarkers, userFeedMarkers] = await Promise.all([
    Promise.all([...channels.values()].map((channel) => getEntityMarker(context, channel))),
    Promise.all(feeds.map(({ messageFeedId }) => getUserFeedMarker(context, { messageFeedId }))),
  ]);
  return {
    userMarker,
    userEntityMarkers: userEntityMarkers.filter((marker) => marker !== null),
    userFeedMarkers: userFeedMarkers.filter((marker) => marker !== null),
    feeds,
  };
}
