import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { UserFeedMarkerRecord } from '../../store/records/chat.ts';
import type { TransactionOptions } from '../../store/transaction.ts';
import { setReadPosition } from '../channel/set-read-position.ts';
import { countUnread, lastMentionSegment } from '../message/unread-messages.ts';
import type { FeedPlace } from '../message-feed/get-message-feed.ts';
import { addToSums } from './add-to-sums.ts';

/** Where a marker goes; what is left out stays. */
export interface MarkerMove {
  readTo?: number;
  deliveredTo?: number;
  /** null ends the reading. */
  readingUntil?: Date | null;
}

/**
 * Moves the viewer's marker in one feed within a transaction, making it when there is none, and carries the difference
 * to the sums. Segments never go down. The marker is read in the transaction that writes it, so of two moves at once
 * the later one starts again and counts anew.
 */
export async function moveMarker(
  context: Context,
  session: ClientSession,
  place: FeedPlace,
  move: MarkerMove,
): Promise<UserFeedMarkerRecord> {
  const { userId } = viewerOf(context);
  const { networkId, messageFeedId } = place.feed;
  const { userFeedMarkers } = context.store.collections;
  const own = { networkId, userId, feedId: messageFeedId };
  const known = await userFeedMarkers.findOne(own, { session });
  const reader = { session, networkId, messageFeedId, userId };
  const before = known ?? {
    ...newMarker(context, place),
    lastMentionSegment: await lastMentionSegment(context, reader),
  };

  const readToSegment = Math.max(before.readToSegment, move.readTo ?? 0);
  const deliveredToSegment = Math.max(before.deliveredToSegment, readToSegment, move.deliveredTo ?? 0);
  const readingUntil = move.readingUntil === undefined ? before.readingUntil : move.readingUntil;
  const counts =
    !known || readToSegment > before.readToSegment || (readingUntil === null && before.readingUntil !== null);
  const moves =
    counts ||
    deliveredToSegment > before.deliveredToSegment ||
    readingUntil?.getTime() !== before.readingUntil?.getTime();
  if (known && !moves) return known;

  const after: UserFeedMarkerRecord = {
    ...before,
    readToSegment,
    deliveredToSegment,
    readingUntil,
    ...(counts && {
      unreadCount: await countUnread(context, { ...reader, afterSegment: readToSegment }),
      isMentioned: before.lastMentionSegment > readToSegment,
    }),
    updatedAt: context.now(),
  };
  if (known) await userFeedMarkers.replaceOne(own, after, { session });
  else await userFeedMarkers.insertOne(after, { session });
  await addToSums(context, session, { place, before, after, isNew: !known });
  if (counts && place.feed.messageFeedId === place.channel.defaultMessageFeedId) {
    await setReadPosition(context, { session, channelId: place.channel.channelId, marker: after });
  }
  return after;
}

/** One user's markers share sums. */
export function markersTurn(context: Context): TransactionOptions {
  const { networkId, userId } = viewerOf(context);
  return { key: `markers ${networkId} ${userId}` };
}

function newMarker(context: Context, { feed }: FeedPlace): UserFeedMarkerRecord {
  const now = context.now();
  return {
    _id: new ObjectId(),
    networkId: feed.networkId,
    userId: viewerOf(context).userId,
    entityId: feed.channelInternalId,
    feedId: feed.messageFeedId,
    readToSegment: 0,
    deliveredToSegment: 0,
    unreadCount: 0,
    lastMentionSegment: 0,
    isMentioned: false,
    readingUntil: null,
    createdAt: now,
    updatedAt: now,
  };
}
