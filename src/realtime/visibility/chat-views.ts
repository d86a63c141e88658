import { canSeeChannel, canSeeInsideChannel, seesAllChannels } from '../../access/channel.ts';
import { canSeeMessageFeed } from '../../access/message.ts';
import { createContext, type Services, type Viewer } from '../../context.ts';
import { canSeeAttachedMedia } from '../../domain/channel/get-channel.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord, MessageRecord } from '../../store/records/chat.ts';
import type { EventView, ViewContext } from './event-view.ts';
import type { Membership } from './memberships.ts';
import { reactionRecord } from './reaction-record.ts';

const memberOf = (membership: Membership | null) => membership as ChannelUserRecord | null;

interface Visibility extends Pick<EventView, 'scope' | 'isVisible'> {
  channel: ChannelRecord;
}

/** @param isAllowed the rule of the channel itself; attached video streams and rooms are checked in addition */
function channelVisibility(
  services: Services,
  channel: ChannelRecord,
  isAllowed: (viewer: Viewer, membership: ChannelUserRecord | null) => boolean,
): Visibility {
  const isAttached = channel.attachedTo !== null && channel.attachedTo !== undefined;
  return {
    channel,
    scope: { type: 'channel', id: channel.channelId },
    isVisible(viewer, membership) {
      if (!isAllowed(viewer, memberOf(membership))) return false;
      if (!isAttached || seesAllChannels(viewer)) return true;
      return canSeeAttachedMedia(createContext(services, viewer), channel);
    },
  };
}

export async function loadChannelView(
  context: ViewContext,
  { channelId }: PayloadOf<'channel'>,
): Promise<EventView | null> {
  const channel = await context.load.channels.load(channelId);
  if (!channel) return null;
  const seen = context.isRemoval ? { ...channel, isDeleted: false } : channel;
  return {
    ...channelVisibility(context.services, channel, (viewer, membership) => canSeeChannel(viewer, seen, membership)),
    authorId: null,
    payload: () => ({ channel }),
  };
}

export async function loadChannelUsersView(
  context: ViewContext,
  { channelId, userIds }: PayloadOf<'channelUsers'>,
): Promise<EventView | null> {
  const channel = await context.load.channels.load(channelId);
  if (!channel) return null;
  return {
    ...channelVisibility(context.services, channel, (viewer, membership) =>
      canSeeInsideChannel(viewer, channel, membership),
    ),
    authorId: null,
    async payload({ load }) {
      const members = await Promise.all(userIds.map((userId) => load.channelUsers.load([channelId, userId])));
      return { channel, channelUsers: members.filter((member) => member !== null) };
    },
  };
}

async function feedVisibility(
  context: ViewContext,
  messageFeedId: string,
): Promise<(Visibility & { feed: MessageFeedRecord }) | null> {
  const feed = await context.load.messageFeeds.load(messageFeedId);
  const channel = feed && (await context.load.channels.load(feed.channelId));
  if (!channel) return null;
  const seen = context.isRemoval ? { ...feed, isDeleted: false } : feed;
  const visibility = channelVisibility(context.services, channel, (viewer, membership) =>
    canSeeMessageFeed(viewer, seen, { channel, membership }),
  );
  return { ...visibility, feed };
}

export async function loadMessageFeedView(
  context: ViewContext,
  { messageFeedId }: PayloadOf<'messageFeed'>,
): Promise<EventView | null> {
  const visibility = await feedVisibility(context, messageFeedId);
  return visibility && { ...visibility, authorId: null, payload: () => ({ messageFeed: visibility.feed }) };
}

export async function loadMessageView(
  context: ViewContext,
  { messageId }: PayloadOf<'message'>,
): Promise<EventView | null> {
  const message = await context.load.messages.load(messageId);
  const visibility = message && (await feedVisibility({ ...context, isRemoval: false }, message.messageFeedId));
  if (!visibility) return null;
  return { ...visibility, authorId: null, payload: () => ({ chatMessage: withoutDeletedContent(message) }) };
}

/** A deleted message keeps its position in the feed without its content, which only moderators can query. */
function withoutDeletedContent(message: MessageRecord): MessageRecord {
  if (!message.isDeleted) return message;
  return { ...message, data: {}, metadata: {}, fileId: null, thumbnailFileId: null, tags: [], mentionedUsers: [] };
}

export async function loadMessageReactionView(
  context: ViewContext,
  { messageId, reaction }: PayloadOf<'messageReaction'>,
): Promise<EventView | null> {
  const view = await loadMessageView(context, { messageId });
  if (!view) return null;
  const record = reactionRecord(context.event, { referenceType: 'message', referenceId: messageId, reaction });
  return { ...view, payload: async (context) => ({ ...(await view.payload(context)), reaction: record }) };
}

/** Read positions are delivered only to the user's own devices. The markers are read when a subscription selects them. */
export async function loadMarkerView(
  _: ViewContext,
  { userId, feedIds }: PayloadOf<'marker'>,
): Promise<EventView | null> {
  return { scope: null, isVisible: (viewer) => viewer.userId === userId, authorId: null, payload: () => ({ feedIds }) };
}

/** Receipts are delivered to users who can read the messages of the feed. */
export async function loadFeedMarkerView(
  context: ViewContext,
  { messageFeedId, segment }: PayloadOf<'feedMarker'>,
): Promise<EventView | null> {
  const { networkId } = context.event;
  const [visibility, message] = await Promise.all([
    feedVisibility(context, messageFeedId),
    context.services.store.collections.messages.findOne({ networkId, messageFeedId, segment }),
  ]);
  if (!visibility || !message) return null;
  const { feed } = visibility;
  return { ...visibility, authorId: null, payload: () => ({ feed, chatMessage: withoutDeletedContent(message) }) };
}
