import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { UserFeedMarkerRecord } from '../../../store/records/chat.ts';
import { type TransactionOptions, together } from '../../../store/transaction.ts';
import { updateEachOf } from '../../../store/write-together.ts';
import { raiseReadPosition } from '../../channel/messages/read-position.ts';
import { newestSegmentsOfUser } from '../../message/newest-segments.ts';
import type { FeedPlace } from '../../message-feed/get-message-feed.ts';
import { markerEvents } from '../marker-events.ts';
import { unreadMarker } from '../queries/unread.ts';
import { beginReading, endReading, unreadFrom } from './seen-segments.ts';

/** A change of one marker; absent positions are left unchanged. */
export interface MarkerMove {
  place: FeedPlace;
  readTo?: number;
  deliveredTo?: number;
  /** A date starts or extends reading; null ends it. */
  readingUntil?: Date | null;
}

/**
 * Moves the viewer's markers in feeds, each listed once, and creates missing ones. Segments never decrease. The markers
 * are read in the transaction that writes them, so that of two concurrent moves the later one retries. Appends an event
 * for the markers that moved.
 * @returns the markers afterwards, in the order of the moves
 */
export async function moveMarkers(
  context: Context,
  session: ClientSession,
  moves: MarkerMove[],
): Promise<UserFeedMarkerRecord[]> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const { userFeedMarkers } = context.store.collections;
  const feedIds = moves.map(({ place }) => place.feed.messageFeedId);
  const found = await userFeedMarkers.find({ networkId, userId, feedId: { $in: feedIds } }, { session }).toArray();
  const known = new Map(found.map((marker) => [marker.feedId, marker]));
  const created = await newMarkers(
    context,
    session,
    moves.map(({ place }) => place).filter(({ feed }) => !known.has(feed.messageFeedId)),
  );
  const planned = await Promise.all(
    moves.map(async (move) => {
      const { messageFeedId } = move.place.feed;
      const before = known.get(messageFeedId) ?? null;
      const after = await afterMove(context, session, before ?? created.get(messageFeedId)!, move);
      return { ...move, before, after: after ?? (before ? null : created.get(messageFeedId)!) };
    }),
  );
  const changing = planned.flatMap(({ after, ...rest }) => (after ? [{ ...rest, after }] : []));
  const markers = planned.map(({ before, after }) => after ?? before!);
  if (changing.length === 0) return markers;

  const positions = changing
    .filter(({ place, before, after }) => isDefault(place) && after.readToSegment > (before?.readToSegment ?? 0))
    .map(({ place, after }) => ({ channelId: place.channel.channelId, userId, readToSegment: after.readToSegment }));
  await together(session, [
    () =>
      updateEachOf(
        userFeedMarkers,
        changing.map(({ after: { _id, networkId: _network, userId: _user, feedId, ...fields } }) => ({
          filter: { networkId, userId, feedId },
          update: { $set: fields, $setOnInsert: { _id } },
          upsert: true,
        })),
        session,
      ),
    () => raiseReadPosition(context, session, positions),
    () => appendEvents(context, session, markerEvents(viewer, changing, context.now())),
  ]);
  return markers;
}

/** The lock for moving the viewer's markers. */
export function markersLock(context: Context): TransactionOptions {
  const { networkId, userId } = viewerOf(context);
  return { key: `markers ${networkId} ${userId}` };
}

function isDefault({ feed, channel }: FeedPlace): boolean {
  return feed.messageFeedId === channel.defaultMessageFeedId;
}

/** The marker after a move; null when nothing changes. */
async function afterMove(
  context: Context,
  session: ClientSession,
  before: UserFeedMarkerRecord,
  { place: { feed }, readTo = 0, deliveredTo = 0, readingUntil }: MarkerMove,
): Promise<UserFeedMarkerRecord | null> {
  const readToSegment = Math.max(before.readToSegment, readTo);
  const deliveredToSegment = Math.max(before.deliveredToSegment, readToSegment, deliveredTo);
  const isRaised = readToSegment > before.readToSegment || deliveredToSegment > before.deliveredToSegment;
  const isReadingLeft = readingUntil === undefined || (readingUntil === null && before.readingUntil === null);
  if (!isRaised && isReadingLeft) return null;
  const { seen = [] } = isReadingLeft ? before : await reading(context, session, { before, feed, readingUntil });
  return {
    ...before,
    readToSegment,
    deliveredToSegment,
    readingUntil: isReadingLeft ? before.readingUntil : readingUntil,
    seen: unreadFrom(seen, readToSegment, isReadingLeft ? before.readingUntil : readingUntil),
    ...((before.hasReadOwn || readToSegment >= feed.lastSegment) && { hasReadOwn: true }),
    updatedAt: context.now(),
  };
}

async function reading(
  context: Context,
  session: ClientSession,
  { before, feed, readingUntil }: { before: UserFeedMarkerRecord; feed: FeedPlace['feed']; readingUntil: Date | null },
) {
  const ended = await endReading(context, session, before, feed);
  return { seen: readingUntil === null ? ended : beginReading(ended, feed.lastSegment) };
}

/**
 * The first markers of a user in feeds. Own messages and mentions that precede the markers, from older releases, set
 * their positions.
 */
async function newMarkers(
  context: Context,
  session: ClientSession,
  places: FeedPlace[],
): Promise<Map<string, UserFeedMarkerRecord>> {
  const { userId } = viewerOf(context);
  const now = context.now();
  const feeds = places.map(({ feed }) => feed);
  const newestSegments = await newestSegmentsOfUser(context, session, { feeds, userId });
  return new Map(
    feeds.map((feed) => {
      const { own = 0, mention = 0 } = newestSegments.get(feed.messageFeedId) ?? {};
      const marker: UserFeedMarkerRecord = {
        ...unreadMarker(feed, userId),
        _id: new ObjectId(),
        readToSegment: own,
        deliveredToSegment: own,
        lastMentionSegment: mention,
        createdAt: now,
        updatedAt: now,
      };
      return [feed.messageFeedId, marker];
    }),
  );
}
