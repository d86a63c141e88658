import type { MessageRecord, UserFeedMarkerRecord } from '../../../src/store/records/chat.ts';
import { upTo } from './content.ts';
import { type Findings, groupBy, keyBy, newestDate, type Snapshot } from './snapshot.ts';

/**
 * Segments are 1, 2, 3 … in each feed. `childCount` of feeds and messages and `messageCount` of channels exclude deleted
 * messages and feeds, `lastSegment` of channels does not. A default feed has the internal id of its channel. `lastMessageId` is the newest message, `messagePreviewId` the newest that is not deleted.
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
  const deletedFeeds = new Set(all.messageFeeds.filter(({ isDeleted }) => isDeleted).map((feed) => feed.messageFeedId));
  const liveMessages = groupBy(
    all.messages.filter((message) => !message.isDeleted && !deletedFeeds.has(message.messageFeedId)),
    (message) => message.channelId,
  );
  const feeds = groupBy(all.messageFeeds, (feed) => feed.channelId);
  for (const channel of all.channels) {
    const name = `channel/${channel.channelId}`;
    const messages = liveMessages.get(channel.channelId) ?? [];
    const newest = newestDate(messages.map((message) => message.createdAt));
    findings.expect(`${name} messageCount`, channel.messageCount, messages.length);
    findings.require(`${name} lastActivity is as new as its messages`, !newest || channel.lastActivity >= newest);
    // Messages of two feeds may have the same millisecond: either may be the preview.
    const preview = messages.find((message) => message.messageId === channel.messagePreviewId);
    findings.expect(`${name} messagePreviewId's time`, preview?.createdAt ?? null, newest);
    const defaults = (feeds.get(channel.channelId) ?? []).filter((feed) => feed.isDefault);
    findings.expect(
      `${name} default feeds`,
      defaults.map((feed) => feed.messageFeedId),
      [channel.defaultMessageFeedId],
    );
    findings.expect(`${name} defaultMessageFeedId`, channel.defaultMessageFeedId, channel._id.toHexString());
    findings.expect(`${name} lastSegment`, channel.lastSegment, defaults[0]?.lastSegment);
  }
  const reactions = keyBy(all.reactions, (reaction) => reaction.reactionId);
  for (const { messageId, latestReaction } of all.messages) {
    if (latestReaction?.eventName !== 'add') continue;
    const reaction = reactions.get(latestReaction.reactionId);
    findings.expect(`message/${messageId} latestReaction's message`, reaction?.referenceId, messageId);
  }
}

/**
 * Read positions are within their feeds; unread counts derive from them. The newest message that mentions everyone is
 * recorded in its feed and, for the default feed, in its channel.
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
    const isInFeed = (marker.seen ?? []).every(({ from, to }) => from <= to && to <= lastSegment);
    findings.require(`${name} saw what is in the feed`, isInFeed);
  }
  checkChannelMentions(all, findings);
  checkReadPositions(all, findings);
}

function checkFeedMarker(
  findings: Findings,
  position: { name: string; marker: UserFeedMarkerRecord; messages: MessageRecord[] },
): void {
  const { name, marker, messages } = position;
  const { readToSegment, lastMentionSegment, hasReadOwn } = marker;
  const ownUnread = messages.filter(({ userId, segment }) => userId === marker.userId && segment > readToSegment);
  findings.require(`${name} hasReadOwn`, !hasReadOwn || ownUnread.length === 0);
  const isMention = messages.some(
    ({ segment, userId, mentionedUsers }) =>
      segment === lastMentionSegment &&
      userId !== marker.userId &&
      mentionedUsers.some(({ type, userIds }) => type === 'channel' || userIds.includes(marker.userId)),
  );
  findings.require(`${name} lastMentionSegment is a mention`, lastMentionSegment === 0 || isMention);
  findings.require(`${name} is delivered what was read`, marker.deliveredToSegment >= readToSegment);
}

function checkChannelMentions(all: Snapshot, findings: Findings): void {
  const channels = keyBy(all.channels, (channel) => channel.channelId);
  const messages = keyBy(all.messages, (message) => `${message.messageFeedId}/${message.segment}`);
  for (const feed of all.messageFeeds) {
    const name = `messageFeed/${feed.messageFeedId} channelMention`;
    const { channelMention = null } = feed;
    const message = channelMention && messages.get(`${feed.messageFeedId}/${channelMention.segment}`);
    findings.expect(`${name}'s sender`, channelMention?.userId, message?.userId);
    const channel = channels.get(feed.channelId);
    if (feed.isDefault) findings.expect(`${name} in its channel`, channel?.channelMention ?? null, channelMention);
  }
}

/** The position of a member equals their marker in the channel's default feed. */
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
