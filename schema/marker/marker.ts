import type { MovedMarkers } from '../../src/domain/marker/positions/markers-after-move.ts';
import {
  getFeedMarkers,
  getFeedMarkersOfMessages,
  getUserFeedMarker,
  getUserFeedMarkers,
  isSyncedFeed,
} from '../../src/domain/marker/queries/get-markers.ts';
import {
  type EntityMarker,
  getEntityMarker,
  getEntityMarkers,
  getUserFeedMarkersOfChannels,
  getUserMarker,
  type UserMarker as UserSum,
} from '../../src/domain/marker/queries/get-unread-totals.ts';
import type { FeedMarker as MarkedFeed } from '../../src/domain/marker/queries/unread.ts';
import type { MessageFeedRecord } from '../../src/store/records/chat.ts';
import { builder, type SchemaTypes } from '../builder.ts';
import { Channel } from '../channel/channel.ts';
import { MessageFeed } from '../message-feed/message-feed.ts';
import { authorizeType } from '../shared/node.ts';
import { restEnum } from '../shared/rest-enum.ts';

const MarkerMembership = restEnum('MarkerMembership', 'Membership state of the user in the channel of a marker.', {
  member: 'Member who is not muted.',
  banned: 'Banned from the channel.',
  muted: 'Member who is muted at present.',
  'non-member': 'Former member, who left or was removed. Spelled `non-member` in REST.',
  deleted: 'The account of the user is deleted.',
});

export const UserMarker = builder.objectRef<UserSum>('UserMarker').implement({
  description: "A user's sum over all channels.",
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    lastSyncAt: t.expose('lastSyncAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When a device of the user last synchronized; null for never.',
    }),
    unreadCount: t.exposeInt('unreadCount', { description: 'How many messages the user has not read.' }),
    isMentioned: t.exposeBoolean('isMentioned', { description: 'Whether one of them mentions the user.' }),
    createdAt: t.expose('createdAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When the marker was created; null without one.',
    }),
    updatedAt: t.expose('updatedAt', {
      type: 'DateTime',
      nullable: true,
      description: 'When it last changed; null without a marker.',
    }),
  }),
});

export const UserEntityMarker = builder.objectRef<EntityMarker>('UserEntityMarker').implement({
  description: "A user's sum over the message feeds of one channel.",
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    entityId: t.exposeString('entityId', { description: 'Internal id of the channel.' }),
    unreadCount: t.exposeInt('unreadCount', { description: 'How many messages there the user has not read.' }),
    isMentioned: t.exposeBoolean('isMentioned', { description: 'Whether one of them mentions the user.' }),
    isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the channel is deleted.' }),
    membership: t.expose('membership', { type: MarkerMembership, description: 'How the user stands to the channel.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the marker was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

export const UserFeedMarker = builder.objectRef<MarkedFeed>('UserFeedMarker').implement({
  description: "A user's position in one message feed. The segments never go down.",
  fields: (t) => ({
    userId: t.exposeString('userId', { description: 'Public id of the user.' }),
    entityId: t.exposeString('entityId', { description: 'Internal id of the channel.' }),
    feedId: t.exposeString('feedId', { description: 'Id of the message feed.' }),
    readToSegment: t.exposeInt('readToSegment', { description: 'Newest segment that the user read.' }),
    deliveredToSegment: t.exposeInt('deliveredToSegment', {
      description: 'Newest segment that reached a device of the user.',
    }),
    unreadCount: t.exposeInt('unreadCount', {
      description:
        'How many newer messages there are, without deleted ones, their own, and those that came while they were reading.',
    }),
    lastMentionSegment: t.exposeInt('lastMentionSegment', {
      description: 'Segment that last mentioned the user; 0 for none.',
    }),
    isMentioned: t.exposeBoolean('isMentioned', { description: 'Whether an unread message mentions the user.' }),
    readingUntil: t.expose('readingUntil', {
      type: 'DateTime',
      nullable: true,
      description: 'Until then new messages do not count as unread.',
    }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the marker was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

export const FeedMarker = builder.objectRef<MessageFeedRecord>('FeedMarker').implement({
  description: 'How far a message feed goes.',
  fields: (t) => ({
    entityId: t.exposeString('channelInternalId', { description: 'Internal id of the channel.' }),
    feedId: t.exposeString('messageFeedId', { description: 'Id of the message feed.' }),
    lastSegment: t.exposeInt('lastSegment', { description: 'Segment of the newest message; 0 for none.' }),
    isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the feed is deleted.' }),
    createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When the feed was made.' }),
    updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  }),
});

authorizeType<MessageFeedRecord>('FeedMarker', isSyncedFeed);

/** What a mutation of markers answers with: all four kinds, as far as it touched them (interface §4.7). */
export const MOVED_MARKERS = {
  description: "The viewer's markers as they are now.",
  outputFields: (
    t: PothosSchemaTypes.ObjectFieldBuilder<PothosSchemaTypes.ExtendDefaultTypes<SchemaTypes>, MovedMarkers>,
  ) => ({
    userMarker: t.expose('userMarker', { type: UserMarker, description: 'The sum over all channels.' }),
    userEntityMarkers: t.expose('userEntityMarkers', {
      type: [UserEntityMarker],
      description: 'The sums over the channels of these feeds.',
    }),
    userFeedMarkers: t.expose('userFeedMarkers', {
      type: [UserFeedMarker],
      description: 'The positions in these feeds.',
    }),
    feedMarkers: t.expose('feeds', { type: [FeedMarker], description: 'How far these feeds go.' }),
  }),
};

builder.objectField(Channel, 'viewerMarker', (t) =>
  t.field({
    type: UserEntityMarker,
    nullable: true,
    description: "The viewer's unread messages there; null for those who never were members.",
    resolve: (channel, _, context) => getEntityMarker(context, channel),
  }),
);

builder.objectField(MessageFeed, 'viewerMarker', (t) =>
  t.field({
    type: UserFeedMarker,
    nullable: true,
    description: "The viewer's position in it; null for those who are no members.",
    resolve: (feed, _, context) => getUserFeedMarker(context, feed),
  }),
);

const entityIds = { required: true, description: 'Internal ids of channels, at most 100.' } as const;
const feedIds = { required: true, description: 'Ids of message feeds, at most 100.' } as const;

builder.queryFields((t) => ({
  viewerMarker: t.field({
    type: UserMarker,
    description: "The viewer's unread messages in all channels.",
    resolve: (_, _args, context) => getUserMarker(context),
  }),
  viewerEntityMarkers: t.field({
    type: [UserEntityMarker],
    description: "The viewer's unread messages in single channels, without channels they never were a member of.",
    args: { entityIds: t.arg.stringList(entityIds) },
    resolve: (_, args, context) => getEntityMarkers(context, args),
  }),
  viewerFeedMarkers: t.field({
    type: [UserFeedMarker],
    description: "The viewer's positions in message feeds, without feeds of channels they are no member of.",
    args: { messageFeedIds: t.arg.stringList(feedIds) },
    resolve: (_, args, context) => getUserFeedMarkers(context, args),
  }),
  viewerFeedMarkersOfChannels: t.field({
    type: [UserFeedMarker],
    description: "The viewer's positions in all message feeds of channels.",
    args: { entityIds: t.arg.stringList(entityIds) },
    resolve: (_, args, context) => getUserFeedMarkersOfChannels(context, args),
  }),
  feedMarkers: t.field({
    type: [FeedMarker],
    description: 'How far message feeds go, without those that are absent or not to be seen.',
    args: { messageFeedIds: t.arg.stringList(feedIds) },
    resolve: (_, args, context) => getFeedMarkers(context, args),
  }),
  feedMarkersOfMessages: t.field({
    type: [FeedMarker],
    description: 'How far the message feeds of messages go.',
    args: { messageIds: t.arg.stringList({ required: true, description: 'Ids of messages, at most 100.' }) },
    resolve: (_, args, context) => getFeedMarkersOfMessages(context, args),
  }),
}));
