import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { MessageFeedRecord } from '../../store/records/chat.ts';

/** Newest messages of each feed to search. */
const LOOK_BACK = 1_000;

export interface NewestSegments {
  /** Segment of the user's own newest message; 0 for none. */
  own: number;
  /** Segment of the newest message of others that mentions them or everybody; 0 for none. */
  mention: number;
}

/**
 * The newest own message and mention of a user without markers, among the newest {@link LOOK_BACK} messages of each
 * feed.
 */
export async function newestSegmentsOfUser(
  context: Context,
  session: ClientSession,
  { feeds, userId }: { feeds: MessageFeedRecord[]; userId: string },
): Promise<Map<string, NewestSegments>> {
  const written = feeds.filter(({ lastSegment }) => lastSegment > 0);
  if (written.length === 0) return new Map();
  const branches = written.map(({ networkId, messageFeedId, lastSegment }) => ({
    networkId,
    messageFeedId,
    segment: { $gt: lastSegment - LOOK_BACK },
  }));
  const isMention = { mentionedUsers: { $elemMatch: { $or: [{ type: 'channel' as const }, { userIds: userId }] } } };
  const messages = await context.store.collections.messages
    .find(
      { $and: [branches.length === 1 ? branches[0]! : { $or: branches }, { $or: [{ userId }, isMention] }] },
      { session, projection: { _id: 0, messageFeedId: 1, segment: 1, userId: 1 } },
    )
    .toArray();
  const newestSegments = new Map<string, NewestSegments>();
  for (const { messageFeedId, segment, userId: author } of messages) {
    const known = newestSegments.get(messageFeedId) ?? { own: 0, mention: 0 };
    const kind = author === userId ? 'own' : 'mention';
    newestSegments.set(messageFeedId, { ...known, [kind]: Math.max(known[kind], segment) });
  }
  return newestSegments;
}

/** The last segment of a feed at a point in time; 0 for none. */
export async function newestSegmentUntil(
  context: Context,
  session: ClientSession,
  { networkId, messageFeedId, until }: { networkId: string; messageFeedId: string; until: Date },
): Promise<number> {
  const message = await context.store.collections.messages.findOne(
    { networkId, messageFeedId, createdAt: { $lte: until } },
    { session, sort: { createdAt: -1 }, projection: { segment: 1 } },
  );
  return message?.segment ?? 0;
}
