import type { ChannelRecord, MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';
import type { SampleNetwork } from '../context.ts';
import { latest } from './content.ts';

/** Numbers the messages of each feed, and sets the counters and previews of their parents, feeds and channels. */
export function deriveMessages(network: Partial<SampleNetwork>): void {
  const { channels = [], messageFeeds = [], messages = [] } = network;
  const channelsById = new Map(channels.map((channel) => [channel.channelId, channel]));
  const feedsById = new Map(messageFeeds.map((feed) => [feed.messageFeedId, feed]));
  const messagesById = new Map(messages.map((message) => [message.messageId, message]));
  for (const message of messages) {
    const feed = feedsById.get(message.messageFeedId);
    const channel = channelsById.get(message.channelId);
    if (!feed || !channel) throw new Error(`Message ${message.messageId} has no feed or channel`);
    deriveFeed(message, { feed, channel });
    const parent = message.parentId ? messagesById.get(message.parentId) : undefined;
    if (parent && !message.isDeleted) parent.childCount += 1;
  }
}

function deriveFeed(message: MessageRecord, place: { feed: MessageFeedRecord; channel: ChannelRecord }): void {
  const { feed, channel } = place;
  feed.lastSegment += 1;
  message.segment = feed.lastSegment;
  feed.lastMessageId = message.messageId;
  feed.lastMessageTimestamp = message.createdAt;
  feed.updatedAt = latest(feed.updatedAt, message.createdAt);
  if (feed.isDefault) channel.lastSegment = feed.lastSegment;
  channel.lastActivity = latest(channel.lastActivity, message.createdAt);
  if (message.isDeleted) return;
  feed.childCount += 1;
  feed.messagePreviewId = message.messageId;
  channel.messageCount += 1;
  // Messages of all feeds are in the order of sending, so the last one is the preview.
  channel.messagePreviewId = message.messageId;
}
