import type { ClientSession } from 'mongodb';
import { ObjectId } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { MessageFeedRecord } from '../../../store/records/chat.ts';
import { updateOneOf } from '../../../store/write-together.ts';
import { channelMentionOf, unreadMarker } from '../queries/unread.ts';

/** Records a mention in the markers of users, creating missing markers. */
export async function raiseMarkerMentions(
  context: Context,
  session: ClientSession,
  { feed, segment, userIds }: { feed: MessageFeedRecord; segment: number; userIds: string[] },
): Promise<void> {
  const now = context.now();
  await context.store.collections.userFeedMarkers.bulkWrite(
    userIds.map((userId) => {
      const { networkId, feedId, entityId, readToSegment, deliveredToSegment, readingUntil, hasReadOwn } = unreadMarker(
        feed,
        userId,
      );
      const initial = { entityId, readToSegment, deliveredToSegment, readingUntil, hasReadOwn: hasReadOwn === true };
      return {
        updateOne: {
          filter: { networkId, userId, feedId },
          update: {
            $max: { lastMentionSegment: segment },
            $set: { updatedAt: now },
            $setOnInsert: { ...initial, _id: new ObjectId(), createdAt: now },
          },
          upsert: true,
        },
      };
    }),
    { session, ordered: false },
  );
}

/** The segment of the mention that becomes a user's newest one; 0 for none. */
export interface OlderMention {
  userId: string;
  segment: number;
}

/** Replaces a removed mention by an older one in the markers where it is the newest. */
export async function lowerMarkerMentions(
  context: Context,
  session: ClientSession,
  { networkId, feedId, segment, older }: { networkId: string; feedId: string; segment: number; older: OlderMention[] },
): Promise<void> {
  const updatedAt = context.now();
  await context.store.collections.userFeedMarkers.bulkWrite(
    older.map(({ userId, segment: lastMentionSegment }) => ({
      updateOne: {
        filter: { networkId, userId, feedId, lastMentionSegment: segment },
        update: { $set: { lastMentionSegment, updatedAt } },
      },
    })),
    { session, ordered: false },
  );
}

/**
 * Moves the sender's marker to a sent message: sending marks as read. An earlier mention of everybody stays recorded,
 * in case the message is deleted.
 */
export async function moveSenderMarker(
  context: Context,
  session: ClientSession,
  { feed, segment, userId }: { feed: MessageFeedRecord; segment: number; userId: string },
): Promise<void> {
  const now = context.now();
  const { networkId, feedId, entityId, readingUntil } = unreadMarker(feed, userId);
  await updateOneOf(
    context.store.collections.userFeedMarkers,
    {
      filter: { networkId, userId, feedId },
      update: {
        $max: {
          readToSegment: segment,
          deliveredToSegment: segment,
          lastMentionSegment: channelMentionOf(feed, userId),
        },
        $set: { hasReadOwn: true, updatedAt: now },
        $setOnInsert: { _id: new ObjectId(), entityId, readingUntil, createdAt: now },
      },
      upsert: true,
    },
    session,
  );
}
