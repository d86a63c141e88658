import { canSeeChannel, canSeeInsideChannel, seesAllChannels } from '../../access/channel.ts';
import { canSeeMessageFeed } from '../../access/message.ts';
import { createContext, type Services, type Viewer } from '../../context.ts';
import { canSeeAttachedMedia } from '../../domain/channel/get-channel.ts';
import { getUserFeedMarkers } from '../../domain/marker/queries/get-markers.ts';
import type { PayloadOf } from '../../events/event-payloads.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../../store/records/chat.ts';
import type { Membership } from '../memberships.ts';
import type { Scene, Stage } from '../scene.ts';
import { reactionRecord } from './reaction-record.ts';

const memberOf = (membership: Membership | null) => membership as ChannelUserRecord | null;

interface Sight extends Pick<Scene, 'place' | 'sees'> {
  channel: ChannelRecord;
}

/** @param may what else it takes beside seeing what the channel belongs to */
function seesIn(
  services: Services,
  channel: ChannelRecord,
  may: (viewer: Viewer, membership: ChannelUserRecord | null) => boolean,
): Sight {
  const isAttached = channel.attachedTo !== null && channel.attachedTo !== undefined;
  return {
    channel,
    place: { type: 'channel', id: channel.channelId },
    sees(viewer, membership) {
      if (!may(viewer, memberOf(membership))) return false;
      if (!isAttached || seesAllChannels(viewer)) return true;
      return canSeeAttachedMedia(createContext(services, viewer), channel);
    },
  };
}

export async function channelScene(stage: Stage, { channelId }: PayloadOf<'channel'>): Promise<Scene | null> {
  const channel = await stage.load.channels.load(channelId);
  if (!channel) return null;
  const seen = stage.isRemoval ? { ...channel, isDeleted: false } : channel;
  return {
    ...seesIn(stage.services, channel, (viewer, membership) => canSeeChannel(viewer, seen, membership)),
    author: null,
    payload: () => ({ channel }),
  };
}

export async function channelUsersScene(
  stage: Stage,
  { channelId, userIds }: PayloadOf<'channelUsers'>,
): Promise<Scene | null> {
  const channel = await stage.load.channels.load(channelId);
  if (!channel) return null;
  return {
    ...seesIn(stage.services, channel, (viewer, membership) => canSeeInsideChannel(viewer, channel, membership)),
    author: null,
    async payload({ load }) {
      const members = await Promise.all(userIds.map((userId) => load.channelUsers.load([channelId, userId])));
      return { channel, channelUsers: members.filter((member) => member !== null) };
    },
  };
}

async function seesFeed(stage: Stage, messageFeedId: string): Promise<(Sight & { feed: MessageFeedRecord }) | null> {
  const feed = await stage.load.messageFeeds.load(messageFeedId);
  const channel = feed && (await stage.load.channels.load(feed.channelId));
  if (!channel) return null;
  const seen = stage.isRemoval ? { ...feed, isDeleted: false } : feed;
  const sight = seesIn(stage.services, channel, (viewer, membership) =>
    canSeeMessageFeed(viewer, seen, { channel, membership }),
  );
  return { ...sight, feed };
}

export async function messageFeedScene(
  stage: Stage,
  { messageFeedId }: PayloadOf<'messageFeed'>,
): Promise<Scene | null> {
  const sight = await seesFeed(stage, messageFeedId);
  return sight && { ...sight, author: null, payload: () => ({ messageFeed: sight.feed }) };
}

export async function messageScene(stage: Stage, { messageId }: PayloadOf<'message'>): Promise<Scene | null> {
  const message = await stage.load.messages.load(messageId);
  const sight = message && (await seesFeed({ ...stage, isRemoval: false }, message.messageFeedId));
  if (!sight) return null;
  const nothing = { data: {}, metadata: {}, fileId: null, thumbnailFileId: null, tags: [], mentionedUsers: [] };
  // A deleted message keeps its place; what it said is for moderators, who can ask for it.
  const shown = message.isDeleted ? { ...message, ...nothing } : message;
  return { ...sight, author: null, payload: () => ({ chatMessage: shown }) };
}

export async function messageReactionScene(
  stage: Stage,
  { messageId, reaction }: PayloadOf<'messageReaction'>,
): Promise<Scene | null> {
  const scene = await messageScene(stage, { messageId });
  if (!scene) return null;
  const record = reactionRecord(stage.event, { referenceType: 'message', referenceId: messageId, reaction });
  return { ...scene, payload: async (context) => ({ ...(await scene.payload(context)), reaction: record }) };
}

/** Positions are their user's alone: for their other devices. */
export async function markerScene(_: Stage, { userId, feedIds }: PayloadOf<'marker'>): Promise<Scene | null> {
  return {
    place: null,
    sees: (viewer) => viewer.userId === userId,
    author: null,
    payload: async (context) => ({ userFeedMarkers: await getUserFeedMarkers(context, { messageFeedIds: feedIds }) }),
  };
}
