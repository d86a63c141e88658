import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { UserFeedMarkerRecord } from '../../store/records/chat.ts';
import type { FeedPlace } from '../message-feed/get-message-feed.ts';

interface Difference {
  place: FeedPlace;
  before: UserFeedMarkerRecord;
  after: UserFeedMarkerRecord;
  /** The marker was just made, so that its channel may have none either. */
  isNew: boolean;
}

/**
 * Carries what changed in a feed's marker to the viewer's marker of the channel, and from there to that of all
 * channels. Every change writes both, so that of two changes at once the later one starts again.
 */
export async function addToSums(
  context: Context,
  session: ClientSession,
  { place, before, after, isNew }: Difference,
): Promise<void> {
  const unread = after.unreadCount - before.unreadCount;
  if (!isNew && unread === 0 && after.isMentioned === before.isMentioned) return;
  const { networkId, userId } = viewerOf(context);
  const { entityId, feedId } = after;
  const { userEntityMarkers, userFeedMarkers } = context.store.collections;
  const now = context.now();
  const inOtherFeed = after.isMentioned
    ? null
    : await userFeedMarkers.findOne(
        { networkId, userId, entityId, isMentioned: true, feedId: { $ne: feedId } },
        { session, projection: { _id: 1 } },
      );
  const isMentioned = after.isMentioned || inOtherFeed !== null;
  const entity = await userEntityMarkers.findOneAndUpdate(
    { networkId, userId, entityId },
    {
      $inc: { unreadCount: unread },
      $set: { isMentioned, updatedAt: now },
      $setOnInsert: { createdAt: now, isDeleted: false, membership: place.membership?.isMuted ? 'muted' : 'member' },
    },
    { session, upsert: true, returnDocument: 'after' },
  );
  if (!entity?.isDeleted) await addToUserMarker(context, session, { entityId, unread, isMentioned, now });
}

interface EntityDifference {
  entityId: string;
  unread: number;
  isMentioned: boolean;
  now: Date;
}

async function addToUserMarker(
  context: Context,
  session: ClientSession,
  { entityId, unread, isMentioned, now }: EntityDifference,
): Promise<void> {
  const { networkId, userId } = viewerOf(context);
  const { userEntityMarkers, userMarkers } = context.store.collections;
  const inOtherChannel = isMentioned
    ? null
    : await userEntityMarkers.findOne(
        { networkId, userId, isMentioned: true, isDeleted: false, entityId: { $ne: entityId } },
        { session, projection: { _id: 1 } },
      );
  await userMarkers.updateOne(
    { networkId, userId },
    {
      $inc: { unreadCount: unread },
      $set: { isMentioned: isMentioned || inOtherChannel !== null, updatedAt: now },
      $setOnInsert: { createdAt: now, lastSyncAt: now },
    },
    { session, upsert: true },
  );
}
