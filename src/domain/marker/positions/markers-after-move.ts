import { type Context, viewerOf } from '../../../context.ts';
import type { Deferred } from '../../../lib/deferred.ts';
import type { MessageFeedRecord, UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import type { FeedPlace } from '../../message-feed/get-message-feed.ts';
import { type EntityMarker, getEntityMarker, getUserMarker, type UserMarker } from '../queries/get-unread-totals.ts';
import { type FeedMarker, withUnread } from '../queries/unread.ts';

/** Markers of the viewer, of all four kinds that responses contain. */
export interface Markers {
  userMarker: UserMarker;
  userEntityMarkers: EntityMarker[];
  userFeedMarkers: FeedMarker[];
  feeds: MessageFeedRecord[];
}

/** The viewer's markers after a move. Each kind is read when it is selected, after the commit. */
export type MovedMarkers = { [Kind in keyof Markers]: Deferred<Markers[Kind]> };

/**
 * The markers that a move changes.
 * @param markers of the places, as `moveMarkers` returned them, because the move may not be committed yet
 */
export function markersAfterMove(context: Context, places: FeedPlace[], markers: UserFeedMarkerRecord[]): MovedMarkers {
  const { userId } = viewerOf(context);
  const feeds = places.map((place) => place.feed);
  const { load } = context;
  load.userMarkers.clear(userId);
  load.userFeedMarkersOfUser.clear(userId);
  for (const marker of markers)
    load.userFeedMarkers.clear([userId, marker.feedId]).prime([userId, marker.feedId], marker);
  for (const [index, { feed, channel, membership }] of places.entries()) {
    if (!membership || feed.messageFeedId !== channel.defaultMessageFeedId) continue;
    const readToSegment = Math.max(membership.readToSegment, markers[index]!.readToSegment);
    const key = [channel.channelId, userId] as const;
    load.channelUsers.clear(key).prime(key, { ...membership, readToSegment });
  }
  const channels = new Map(places.map(({ channel }) => [channel.channelId, channel]));
  let totals: Promise<UserMarker> | undefined;
  return {
    userMarker: () => {
      totals ??= getUserMarker(context);
      return totals;
    },
    userEntityMarkers: async () => {
      // The totals, if selected, load all other markers of the user in one command.
      await totals;
      const found = await Promise.all([...channels.values()].map((channel) => getEntityMarker(context, channel)));
      return found.filter((marker) => marker !== null);
    },
    userFeedMarkers: () => Promise.all(feeds.map((feed, index) => withUnread(context, feed, markers[index]!))),
    feeds,
  };
}
