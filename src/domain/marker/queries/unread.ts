import type { Context } from '../../../context.ts';
import type { MessageFeedRecord, SeenSegments, UserFeedMarkerRecord } from '../../../store/records/chat.ts';

/** A user's marker in a message feed, as clients read it. */
export interface FeedMarker extends UserFeedMarkerRecord {
  /**
   * Messages after `readToSegment`, without deleted ones, their own, and those that arrived while they were reading.
   */
  unreadCount: number;
  /** Whether an unread message mentions them. */
  isMentioned: boolean;
}

/** Counts the unread messages of a user in a feed; concurrent calls share one command. */
export async function withUnread(
  context: Context,
  feed: MessageFeedRecord,
  marker: UserFeedMarkerRecord,
): Promise<FeedMarker> {
  const { readToSegment, userId } = marker;
  const { lastSegment } = feed;
  const lastMentionSegment = Math.max(marker.lastMentionSegment, channelMentionOf(feed, userId));
  const seen = (await seenSegments(context, feed, marker)).map(({ from, to }) => ({
    from: Math.max(from, readToSegment),
    to: Math.min(to, lastSegment),
  }));
  const isSeen = (segment: number) => seen.some(({ from, to }) => from < segment && segment <= to);
  const after = Math.max(0, lastSegment - readToSegment);
  const before = seen.reduce((sum, { from, to }) => sum + Math.max(0, to - from), 0);
  const uncounted = (await uncountedAfter(context, feed, marker)).filter(
    (segment) => segment <= lastSegment && !isSeen(segment),
  );
  return {
    ...marker,
    lastMentionSegment,
    unreadCount: Math.max(0, after - before - uncounted.length),
    isMentioned: lastMentionSegment > readToSegment && !isSeen(lastMentionSegment),
  };
}

/** The segment of the newest message of another user that mentions everybody; 0 for none. */
export function channelMentionOf(
  { channelMention }: Pick<MessageFeedRecord, 'channelMention'>,
  userId: string,
): number {
  return channelMention && channelMention.userId !== userId ? channelMention.segment : 0;
}

/** The initial marker of a member. */
export function unreadMarker(feed: MessageFeedRecord, userId: string): UserFeedMarkerRecord {
  const { _id, networkId, channelInternalId, messageFeedId, createdAt } = feed;
  return {
    _id,
    networkId,
    userId,
    entityId: channelInternalId,
    feedId: messageFeedId,
    readToSegment: 0,
    deliveredToSegment: 0,
    lastMentionSegment: 0,
    readingUntil: null,
    hasReadOwn: true,
    createdAt,
    updatedAt: createdAt,
  };
}

/** The ranges seen while reading, including the one still open. */
async function seenSegments(
  context: Context,
  feed: MessageFeedRecord,
  { seen = [], readingUntil }: UserFeedMarkerRecord,
): Promise<SeenSegments[]> {
  const last = seen.at(-1);
  if (!last || readingUntil === null || feed.lastSegment <= last.to) return seen;
  const to = context.hasPassed(readingUntil)
    ? await context.load.seenUpTo.load({ messageFeedId: feed.messageFeedId, until: readingUntil })
    : feed.lastSegment;
  return [...seen.slice(0, -1), { from: last.from, to: Math.max(last.to, to ?? 0) }];
}

async function uncountedAfter(
  context: Context,
  { messageFeedId, lastSegment, childCount }: MessageFeedRecord,
  { readToSegment, userId, hasReadOwn }: UserFeedMarkerRecord,
): Promise<number[]> {
  const hasDeleted = childCount < lastSegment;
  if (lastSegment <= readToSegment || (!hasDeleted && hasReadOwn)) return [];
  const key = { messageFeedId, after: readToSegment, author: hasReadOwn ? null : userId };
  return (await context.load.uncounted.load(key)) ?? [];
}
