import type { MessageRecord, UserFeedMarkerRecord } from '../../../src/store/records/chat.ts';
import { upTo } from './content.ts';
import { type Findings, groupBy, keyBy, newestDate, type Snapshot, sum } from './snapshot.ts';

/**
 * Segments are 1, 2, 3 … in each feed. `childCount` of feeds and messages and `messageCount` of channels count what
 * is not deleted; `lastMessageId` is the newest of all, `messagePreviewId` the newest that is not deleted.
 */
export function checkMessages(all: Snapshot, findings: Findings): void {
  const ofFeed = groupBy(all.messages, (message) => message.messageFeedId);
  for (const feed of all.messageFeeds) {
    const name = `messageFeed/${feed.messageFeedId}`;
    const messages = (ofFeed.get(feed.messageFeedId) ?? []).sort((one, other) => one.segment - other.segment);
    const newest = messages.at(-1);
    const live = messages.filter((message) => !message.isDeleted);
    findings.expect(
      `${name} segments`,
      messages.map((message) => message.segment),
      upTo(messages.length),
    );
    findings.expect(`${name} lastSegment`, feed.lastSegment, messages.length);
    findings.expect(`${name} childCount`, feed.childCount, live.length);
    findings.expect(`${name} lastMessageId`, feed.lastMessageId, newest?.messageId ?? null);
    findings.expect(`${name} lastMessageTimestamp`, feed.lastMessageTimestamp, newest?.createdAt ?? null);
    findings.expect(`${name} messagePreviewId`, feed.messagePreviewId, live.at(-1)?.messageId ?? null);
  }
  const replies = groupBy(
    all.messages.filter((message) => !message.isDeleted),
    (message) => String(message.parentId),
  );
  for (const message of all.messages) {
    const name = `message/${message.messageId}`;
    findings.expect(`${name} childCount`, message.childCount, replies.get(message.messageId)?.length ?? 0);
  }
  checkChannels(all, findings);
}

function checkChannels(all: Snapshot, findings: Findings): void {
  const liveMessages = groupBy(
    all.messages.filter((message) => !message.isDeleted),
    (message) => message.channelId,
  );
  const feeds = groupBy(all.messageFeeds, (feed) => feed.channelId);
  for (const channel of all.channels) {
    const name = `channel/${channel.channelId}`;
    const messages = liveMessages.get(channel.channelId) ?? [];
    const newest = newestDate(messages.map((message) => message.createdAt));
    findings.expect(`${name} messageCount`, channel.messageCount, messages.length);
    findings.require(`${name} lastActivity is as new as its messages`, !newest || channel.lastActivity >= newest);
    // Two feeds may get a message in the same millisecond: either may be the preview.
    const preview = messages.find((message) => message.messageId === channel.messagePreviewId);
    findings.expect(`${name} messagePreviewId's time`, preview?.createdAt ?? null, newest);
    const defaults = (feeds.get(channel.channelId) ?? []).filter((feed) => feed.isDefault);
    findings.expect(
      `${name} default feeds`,
      defaults.map((feed) => feed.messageFeedId),
      [channel.defaultMessageFeedId],
    );
  }
  const reactions = keyBy(all.reactions, (reaction) => reaction.reactionId);
  for (const { messageId, latestReaction } of all.messages) {
    if (latestReaction?.eventName !== 'add') continue;
    const reaction = reactions.get(latestReaction.reactionId);
    findings.expect(`message/${messageId} latestReaction's message`, reaction?.referenceId, messageId);
  }
}

/**
 * `unreadCount` = messages after `readToSegment` that are neither the reader's own nor deleted (fewer while the
 * reader is reading); entity markers sum the feeds of a channel, user markers the channels that are not deleted.
 */
export function checkMarkers(all: Snapshot, findings: Findings): void {
  const ofFeed = groupBy(all.messages, (message) => message.messageFeedId);
  const feeds = keyBy(all.messageFeeds, (feed) => feed.messageFeedId);
  for (const marker of all.userFeedMarkers) {
    const name = `userFeedMarker/${marker.userId}/${marker.feedId}`;
    checkFeedMarker(findings, { name, marker, messages: ofFeed.get(marker.feedId) ?? [] });
    const lastSegment = feeds.get(marker.feedId)?.lastSegment ?? 0;
    findings.require(`${name} readToSegment is in the feed`, marker.readToSegment <= lastSegment);
    findings.require(`${name} deliveredToSegment is in the feed`, marker.deliveredToSegment <= lastSegment);
  }
  const feedMarkers = groupBy(all.userFeedMarkers, (marker) => `${marker.userId}/${marker.entityId}`);
  for (const marker of all.userEntityMarkers) {
    const name = `${marker.userId}/${marker.entityId}`;
    checkSum(findings, { name: `userEntityMarker/${name}`, marker, parts: feedMarkers.get(name) ?? [] });
  }
  const live = all.userEntityMarkers.filter((marker) => !marker.isDeleted);
  const entityMarkers = groupBy(live, (marker) => marker.userId);
  for (const marker of all.userMarkers) {
    checkSum(findings, { name: `userMarker/${marker.userId}`, marker, parts: entityMarkers.get(marker.userId) ?? [] });
  }
  checkReadPositions(all, findings);
}

function checkFeedMarker(
  findings: Findings,
  position: { name: string; marker: UserFeedMarkerRecord; messages: MessageRecord[] },
): void {
  const { name, marker, messages } = position;
  const { readToSegment, lastMentionSegment } = marker;
  const fromOthers = messages.filter((message) => message.userId !== marker.userId);
  const unread = fromOthers.filter((message) => !message.isDeleted && message.segment > readToSegment).length;
  const isExact = marker.readingUntil === null;
  if (isExact) findings.expect(`${name} unreadCount`, marker.unreadCount, unread);
  else findings.require(`${name} unreadCount is at most ${unread}`, marker.unreadCount <= unread);
  if (isExact) findings.expect(`${name} isMentioned`, marker.isMentioned, lastMentionSegment > readToSegment);
  const isMention = fromOthers.some(
    ({ segment, mentionedUsers }) =>
      segment === lastMentionSegment &&
      mentionedUsers.some(({ type, userIds }) => type === 'channel' || userIds.includes(marker.userId)),
  );
  findings.require(`${name} lastMentionSegment is a mention`, lastMentionSegment === 0 || isMention);
  findings.require(`${name} is delivered what was read`, marker.deliveredToSegment >= readToSegment);
}

interface Counted {
  unreadCount: number;
  isMentioned: boolean;
}

function checkSum(findings: Findings, sums: { name: string; marker: Counted; parts: Counted[] }): void {
  const { name, marker, parts } = sums;
  const unread = sum(parts.map((part) => part.unreadCount));
  findings.expect(`${name} unreadCount`, marker.unreadCount, unread);
  const isMentioned = parts.some((part) => part.isMentioned);
  findings.expect(`${name} isMentioned`, marker.isMentioned, isMentioned);
}

/** A member's position is that of their marker in the channel's default feed. */
function checkReadPositions(all: Snapshot, findings: Findings): void {
  const channels = keyBy(all.channels, (channel) => channel.channelId);
  const markers = keyBy(all.userFeedMarkers, (marker) => `${marker.userId}/${marker.feedId}`);
  for (const member of all.channelUsers) {
    const marker = markers.get(`${member.userId}/${channels.get(member.channelId)?.defaultMessageFeedId}`);
    if (!marker) continue;
    const name = `channelUser/${member.channelId}/${member.userId}`;
    findings.expect(`${name} readToSegment`, member.readToSegment, marker.readToSegment);
    findings.expect(`${name} lastMentionedSegment`, member.lastMentionedSegment, marker.lastMentionSegment);
  }
}
