import { isMutedNow } from '../../../access/channel.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { ChannelRecord, ChannelUserRecord, MessageFeedRecord } from '../../../store/records/chat.ts';
import { uniqueIds } from '../../unique-ids.ts';
import { MAX_MARKED } from './get-markers.ts';
import { type FeedMarker, unreadMarker, withUnread } from './unread.ts';

/** Unread messages of a user in one channel, over all its feeds. */
export interface EntityMarker {
  userId: string;
  /** Internal id of the channel. */
  entityId: string;
  unreadCount: number;
  isMentioned: boolean;
  /** Whether the channel is deleted or does not exist. */
  isDeleted: boolean;
  membership: 'member' | 'banned' | 'muted' | 'non-member' | 'deleted';
  createdAt: Date;
  updatedAt: Date;
}

/** Unread messages of a user over all channels they are a member of. */
export interface UserMarker {
  userId: string;
  /** Null until a device syncs. */
  lastSyncAt: Date | null;
  unreadCount: number;
  isMentioned: boolean;
  /** Null until the marker is stored. */
  createdAt: Date | null;
  /** Null for a user without a stored marker and without channels. */
  updatedAt: Date | null;
}

/** The viewer's unread total; zeros for a user without channels, because clients require a marker. */
export async function getUserMarker(context: Context): Promise<UserMarker> {
  const { userId } = viewerOf(context);
  const [stored, totals] = await Promise.all([context.load.userMarkers.load(userId), totalsPerChannel(context)]);
  const live = totals.filter(({ isDeleted }) => !isDeleted);
  return {
    userId,
    lastSyncAt: stored?.lastSyncAt ?? null,
    unreadCount: live.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
    isMentioned: live.some(({ isMentioned }) => isMentioned),
    createdAt: stored?.createdAt ?? null,
    updatedAt: newestOrNull([...(stored ? [stored.updatedAt] : []), ...live.map(({ updatedAt }) => updatedAt)]),
  };
}

/** The viewer's totals per channel. */
async function totalsPerChannel(context: Context): Promise<EntityMarker[]> {
  const { userId } = viewerOf(context);
  const [memberships, markers] = await Promise.all([
    context.load.channelsOfUser.load([userId, 'member']),
    context.load.userFeedMarkersOfUser.load(userId),
  ]);
  for (const membership of memberships ?? [])
    context.load.channelUsers.prime([membership.channelId, userId], membership);
  for (const marker of markers ?? []) context.load.userFeedMarkers.prime([userId, marker.feedId], marker);
  return Promise.all((memberships ?? []).map((membership) => entityMarkerOf(context, membership)));
}

/** The viewer's total for one channel; null for users who never were a member. */
export async function getEntityMarker(context: Context, channel: ChannelRecord): Promise<EntityMarker | null> {
  const membership = await context.load.channelUsers.load([channel.channelId, viewerOf(context).userId]);
  return membership && entityMarkerOf(context, membership);
}

/** The viewer's totals for channels by internal id, without channels that they never were a member of. */
export async function getEntityMarkers(
  context: Context,
  { entityIds }: { entityIds: readonly string[] },
): Promise<EntityMarker[]> {
  const markers = await Promise.all(
    (await channelsBy(context, entityIds)).map((channel) => getEntityMarker(context, channel)),
  );
  return markers.filter((marker) => marker !== null);
}

/** The viewer's markers in all feeds of channels, by the channels' internal ids. */
export async function getUserFeedMarkersOfChannels(
  context: Context,
  { entityIds }: { entityIds: readonly string[] },
): Promise<FeedMarker[]> {
  const { userId } = viewerOf(context);
  const markers = await Promise.all(
    (await channelsBy(context, entityIds)).map(async ({ channelId }) => {
      const membership = await context.load.channelUsers.load([channelId, userId]);
      return membership?.membership === 'member' ? feedMarkersOf(context, membership) : [];
    }),
  );
  return markers.flat();
}

async function channelsBy(context: Context, entityIds: readonly string[]): Promise<ChannelRecord[]> {
  viewerOf(context);
  const ids = uniqueIds(entityIds, { name: 'entityIds', max: MAX_MARKED });
  const channels = await Promise.all(ids.map((entityId) => context.load.channelsByInternalId.load(entityId)));
  return channels
    .filter((channel) => channel !== null)
    .map((channel) => {
      context.load.channels.prime(channel.channelId, channel);
      return channel;
    });
}

async function entityMarkerOf(context: Context, membership: ChannelUserRecord): Promise<EntityMarker> {
  const { userId, channelId, channelInternalId, createdAt } = membership;
  const isMember = membership.membership === 'member';
  const [channel, markers] = await Promise.all([
    context.load.channels.load(channelId),
    isMember ? feedMarkersOf(context, membership) : [],
  ]);
  return {
    userId,
    entityId: channelInternalId,
    unreadCount: markers.reduce((sum, { unreadCount }) => sum + unreadCount, 0),
    isMentioned: markers.some(({ isMentioned }) => isMentioned),
    isDeleted: channel?.isDeleted ?? true,
    membership: membershipStatus(context, membership),
    createdAt,
    updatedAt: newest([createdAt, ...markers.map(({ updatedAt }) => updatedAt)]),
  };
}

/** A membership status in the terms of the marker API. */
export function membershipStatus(context: Context, membership: ChannelUserRecord): EntityMarker['membership'] {
  if (membership.isDeleted) return 'deleted';
  if (membership.membership === 'banned') return 'banned';
  if (membership.membership === 'none') return 'non-member';
  return isMutedNow(membership, context.hasPassed) ? 'muted' : 'member';
}

/** A member's markers in all live feeds of a channel. */
async function feedMarkersOf(context: Context, { userId, channelId }: ChannelUserRecord): Promise<FeedMarker[]> {
  const feeds = await liveFeedsOf(context, channelId);
  return Promise.all(
    feeds.map(async (feed) => {
      const marker = await context.load.userFeedMarkers.load([userId, feed.messageFeedId]);
      return withUnread(context, feed, marker ?? unreadMarker(feed, userId));
    }),
  );
}

/** The live feeds of a channel. */
export async function liveFeedsOf(context: Context, channelId: string): Promise<MessageFeedRecord[]> {
  const feeds = (await context.load.messageFeedsOfChannel.load(channelId)) ?? [];
  return feeds.filter(({ isDeleted }) => !isDeleted);
}

function newest(dates: Date[]): Date {
  return new Date(Math.max(...dates.map((date) => date.getTime())));
}

function newestOrNull(dates: Date[]): Date | null {
  return dates.length === 0 ? null : newest(dates);
}
