import { type Context, viewerOf } from '../../context.ts';
import type {
  MessageFeedRecord,
  UserEntityMarkerRecord,
  UserFeedMarkerRecord,
  UserMarkerRecord,
} from '../../store/records/chat.ts';
import type { FeedPlace } from '../message-feed/get-message-feed.ts';
import { getEntityMarkers, getUserFeedMarkers, getUserMarker } from './get-markers.ts';

/** The viewer's markers after a move: interface §4.7 answers with all four kinds. */
export interface MovedMarkers {
  userMarker: UserMarkerRecord;
  userEntityMarkers: UserEntityMarkerRecord[];
  userFeedMarkers: UserFeedMarkerRecord[];
  feeds: MessageFeedRecord[];
}

/** Reads the markers anew, after the move was committed. */
export async function movedMarkers(context: Context, places: FeedPlace[]): Promise<MovedMarkers> {
  const { userId } = viewerOf(context);
  const feeds = places.map((place) => place.feed);
  const { load } = context;
  load.userMarkers.clear(userId);
  for (const feed of feeds) {
    load.userFeedMarkers.clear([userId, feed.messageFeedId]);
    load.userEntityMarkers.clear([userId, feed.channelInternalId]);
    load.channelUsers.clear([feed.channelId, userId]);
  }
  const [userMarker, userEntityMarkers, userFeedMarkers] = await Promise.all([
    getUserMarker(context),
    getEntityMarkers(context, { entityIds: feeds.map((feed) => feed.channelInternalId) }),
    getUserFeedMarkers(context, { messageFeedIds: feeds.map((feed) => feed.messageFeedId) }),
  ]);
  return { userMarker, userEntityMarkers, userFeedMarkers, feeds };
}
