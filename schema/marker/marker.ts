import { type Context, viewerOf } from '../../src/context.ts';
import { getUserFeedMarker, isSyncedFeed } from '../../src/domain/marker/queries/get-markers.ts';
import {
  type EntityMarker,
  getEntityMarkers,
  getUserMarker,
  type UserMarker as UserSum,
} from '../../src/domain/marker/queries/get-unread-totals.ts';
import type { FeedMarker as MarkedFeed } from '../../src/domain/marker/queries/unread.ts';
import { getMessage } from '../../src/domain/message/get-message.ts';
import { getMessageFeed } from '../../src/domain/message-feed/get-message-feed.ts';
import type { MessageFeedRecord, MessageRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';
import { MarkerMembership } from './marker-membership.ts';
import { receiptCount } from './receipt-counts.ts';

const INTERNAL_ID = 'Internal id of the user.';

/** Every marker is the viewer's own. */
function userInternalId(_: unknown, _args: unknown, context: Context): string {
  return viewerOf(context).userInternalId;
}

/** The id of a marker of a user in a channel or message feed, both of which have internal ids of 24 hex digits. */
function ownedId(placeId: string, userId: string): string {
  return `${placeId}.${userId}`;
}

/** The viewer's own marker with an {@link ownedId}; null for markers of others. */
function loadOwn<Marker>(
  context: Context,
  id: string,
  load: (placeId: string) => Promise<Marker | null>,
): Promise<Marker | null> | null {
  const dot = id.indexOf('.');
  return id.slice(dot + 1) === viewerOf(context).userId ? load(id.slice(0, dot)) : null;
}

/** The viewer's own markers are never hidden from them: a repeated mutation returns them as stored. */
const seesOwn = async () => true;

export const UserMarker = nodeType<UserSum>('UserMarker', {
  description: 'Unread totals of a user over all channels.',
  id: (marker) => marker.userId,
  load: (context, userId) => (userId === viewerOf(context).userId ? getUserMarker(context) : null),
  sees: seesOwn,
});

builder.objectFields(UserMarker, (t) => ({
  userId: t.exposeString('userId', { description: 'Public id of the user.' }),
  userInternalId: t.string({ description: INTERNAL_ID, resolve: userInternalId }),
  lastSyncAt: t.expose('lastSyncAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time at which a device of the user last synchronized; null for never.',
  }),
  unreadCount: t.exposeInt('unreadCount', { description: 'Number of unread messages.' }),
  isMentioned: t.exposeBoolean('isMentioned', { description: 'Whether an unread message mentions the user.' }),
  createdAt: t.expose('createdAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Creation time of the marker; null if there is none yet.',
  }),
  updatedAt: t.expose('updatedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the last change; null if there is no marker yet.',
  }),
}));

export const UserEntityMarker = nodeType<EntityMarker>('UserEntityMarker', {
  description: 'Unread totals of a user over the message feeds of a channel.',
  id: ({ entityId, userId }) => ownedId(entityId, userId),
  load: (context, id) =>
    loadOwn(context, id, async (entityId) => (await getEntityMarkers(context, { entityIds: [entityId] }))[0] ?? null),
  sees: seesOwn,
});

builder.objectFields(UserEntityMarker, (t) => ({
  userId: t.exposeString('userId', { description: 'Public id of the user.' }),
  userInternalId: t.string({ description: INTERNAL_ID, resolve: userInternalId }),
  entityId: t.exposeString('entityId', { description: 'Internal id of the channel.' }),
  unreadCount: t.exposeInt('unreadCount', { description: 'Number of unread messages in the channel.' }),
  isMentioned: t.exposeBoolean('isMentioned', { description: 'Whether an unread message mentions the user.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the channel is deleted.' }),
  membership: t.expose('membership', { type: MarkerMembership, description: 'Membership state in the channel.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
}));

export const UserFeedMarker = nodeType<MarkedFeed>('UserFeedMarker', {
  description: 'Read and delivery positions of a user in a message feed. The segments never decrease.',
  id: ({ feedId, userId }) => ownedId(feedId, userId),
  load: (context, id) => loadOwn(context, id, (messageFeedId) => getUserFeedMarker(context, { messageFeedId })),
  sees: seesOwn,
});

builder.objectFields(UserFeedMarker, (t) => ({
  userId: t.exposeString('userId', { description: 'Public id of the user.' }),
  userInternalId: t.string({ description: INTERNAL_ID, resolve: userInternalId }),
  entityId: t.exposeString('entityId', { description: 'Internal id of the channel.' }),
  feedId: t.exposeString('feedId', { description: 'Id of the message feed.' }),
  readToSegment: t.exposeInt('readToSegment', { description: 'Segment up to which the user has read.' }),
  deliveredToSegment: t.exposeInt('deliveredToSegment', {
    description: 'Segment up to which messages were delivered to a device of the user.',
  }),
  unreadCount: t.exposeInt('unreadCount', {
    description:
      'Number of unread messages, not counting deleted ones, messages of the user, and messages that arrived while the user was reading.',
  }),
  lastMentionSegment: t.exposeInt('lastMentionSegment', {
    description: 'Segment of the latest message that mentions the user; 0 for none.',
  }),
  isMentioned: t.exposeBoolean('isMentioned', { description: 'Whether an unread message mentions the user.' }),
  readingUntil: t.expose('readingUntil', {
    type: 'DateTime',
    nullable: true,
    description: 'Time until which new messages do not count as unread, because the user is reading.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
}));

export const FeedMarker = nodeType<MessageFeedRecord>('FeedMarker', {
  description: 'Newest segment of a message feed.',
  id: (feed) => feed.messageFeedId,
  load: (context, messageFeedId) => getMessageFeed(context, { messageFeedId }),
  sees: isSyncedFeed,
});

builder.objectFields(FeedMarker, (t) => ({
  entityId: t.exposeString('channelInternalId', { description: 'Internal id of the channel.' }),
  feedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
  lastSegment: t.exposeInt('lastSegment', { description: 'Segment of the newest message; 0 for none.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the message feed is deleted.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time of the feed.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
}));

builder.objectField(UserFeedMarker, 'feed', (t) =>
  t.field({
    type: FeedMarker,
    nullable: true,
    description: 'Newest segment of the message feed.',
    resolve: (marker, _, { load }) => load.messageFeeds.load(marker.feedId),
  }),
);

export const MessageMarker = nodeType<MessageRecord>('MessageMarker', {
  description: 'How many users have received and read a message.',
  id: (message) => message.messageId,
  load: (context, messageId) => getMessage(context, { messageId }),
});

builder.objectFields(MessageMarker, (t) => ({
  messageId: t.exposeString('messageId', { description: 'Id of the message.' }),
  entityId: t.exposeString('channelInternalId', { description: 'Internal id of the channel.' }),
  feedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
  authorInternalId: t.exposeString('userInternalId', { description: 'Internal id of the author.' }),
  readCount: t.int(receiptCount('readCount')),
  deliveredCount: t.int(receiptCount('deliveredCount')),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the message was sent.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change of the message.' }),
}));
