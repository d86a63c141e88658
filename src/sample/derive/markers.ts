import type {
  ChannelUserRecord,
  MessageFeedRecord,
  MessageRecord,
  UserFeedMarkerRecord,
  UserMarkerRecord,
} from '../../store/records/chat.ts';
import { userFeedMarkerRecord, userMarkerRecord } from '../builders/chat.ts';
import type { SampleContext, SampleNetwork } from '../context.ts';
import { latest } from './content.ts';

/** The read and delivered position of a member in a message feed. */
export interface Reading {
  readToSegment: number;
  /** @default the newest segment */
  deliveredToSegment?: number;
  readingUntil?: Date;
}

type ChannelPart = Pick<SampleNetwork, 'channels' | 'channelUsers' | 'messageFeeds' | 'messages'>;

/**
 * The markers of all members of these channels, one for each live feed.
 *
 * @param readingOf the position of a member; undefined at the end of the feed
 */
export function markersOf(
  context: SampleContext,
  part: ChannelPart,
  readingOf: (member: ChannelUserRecord, feed: MessageFeedRecord) => Reading | undefined,
): UserFeedMarkerRecord[] {
  const userFeedMarkers: UserFeedMarkerRecord[] = [];
  const feedsOf = groupBy(
    part.messageFeeds.filter((feed) => !feed.isDeleted),
    (feed) => feed.channelId,
  );
  const messagesOf = groupBy(part.messages, (message) => message.messageFeedId);
  const mentionsIn = groupBy(
    part.messages.filter((message) => message.mentionedUsers.length > 0),
    (message) => message.messageFeedId,
  );
  const channels = new Map(part.channels.map((channel) => [channel.channelId, channel]));
  for (const member of part.channelUsers) {
    const channel = channels.get(member.channelId);
    const feedMarkers = (feedsOf.get(member.channelId) ?? []).map((feed) => {
      const messages = messagesOf.get(feed.messageFeedId) ?? [];
      const mentioning = mentionsIn.get(feed.messageFeedId) ?? [];
      return feedMarkerOf(context, { member, feed, messages, mentioning, reading: readingOf(member, feed) });
    });
    const own = feedMarkers.find((marker) => marker.feedId === channel?.defaultMessageFeedId);
    member.readToSegment = own?.readToSegment ?? 0;
    member.lastMentionedSegment = own?.lastMentionSegment ?? 0;
    userFeedMarkers.push(...feedMarkers);
  }
  return userFeedMarkers;
}

function feedMarkerOf(
  context: SampleContext,
  position: {
    member: ChannelUserRecord;
    feed: MessageFeedRecord;
    /** In segment order: 1, 2, 3 … */
    messages: MessageRecord[];
    /** The messages with mentions. */
    mentioning: MessageRecord[];
    reading: Reading | undefined;
  },
): UserFeedMarkerRecord {
  const { member, feed, messages, mentioning, reading } = position;
  const readToSegment = reading?.readToSegment ?? feed.lastSegment;
  const isFromOther = (message: MessageRecord) => message.userId !== member.userId;
  const mention = mentioning.findLast((message) => isFromOther(message) && mentions(message, member.userId));
  const lastMentionSegment = mention?.segment ?? 0;
  return userFeedMarkerRecord(context, {
    userId: member.userId,
    entityId: member.channelInternalId,
    feedId: feed.messageFeedId,
    createdAt: member.createdAt,
    updatedAt: latest(member.createdAt, feed.updatedAt),
    readToSegment,
    deliveredToSegment: Math.max(readToSegment, reading?.deliveredToSegment ?? feed.lastSegment),
    lastMentionSegment,
    readingUntil: reading?.readingUntil ?? null,
    ...(messages.slice(readToSegment).every(isFromOther) && { hasReadOwn: true }),
  });
}

function mentions(message: MessageRecord, userId: string): boolean {
  return message.mentionedUsers.some(({ type, userIds }) => type === 'channel' || userIds.includes(userId));
}

/** One marker for each user with a marker in any feed. */
export function userMarkersOf(context: SampleContext, feedMarkers: UserFeedMarkerRecord[]): UserMarkerRecord[] {
  return [...groupBy(feedMarkers, (marker) => marker.userId)].map(([userId, ofUser]) => {
    const updatedAt = ofUser.reduce((newest, marker) => latest(newest, marker.updatedAt), context.at(0));
    return userMarkerRecord(context, { userId, updatedAt });
  });
}

function groupBy<Value>(values: Value[], keyOf: (value: Value) => string): Map<string, Value[]> {
  const groups = new Map<string, Value[]>();
  for (const value of values) {
    const group = groups.get(keyOf(value));
    if (group) group.push(value);
    else groups.set(keyOf(value), [value]);
  }
  return groups;
}
