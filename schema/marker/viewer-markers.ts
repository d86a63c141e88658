import { viewerOf } from '../../src/context.ts';
import { getChannel } from '../../src/domain/channel/get-channel.ts';
import {
  getFeedMarkers,
  getFeedMarkersOfMessages,
  getUserFeedMarker,
  getUserFeedMarkers,
} from '../../src/domain/marker/queries/get-markers.ts';
import {
  getEntityMarker,
  getEntityMarkers,
  getUserFeedMarkersOfChannels,
  getUserMarker,
} from '../../src/domain/marker/queries/get-unread-totals.ts';
import { getMessages } from '../../src/domain/message/get-message.ts';
import { builder } from '../builder.ts';
import { Channel } from '../channel/channel.ts';
import { MessageFeed } from '../message-feed/message-feed.ts';
import { User } from '../user/user.ts';
import { FeedMarker, MessageMarker, UserEntityMarker, UserFeedMarker, UserMarker } from './marker.ts';

builder.objectField(Channel, 'viewerMarker', (t) =>
  t.field({
    type: UserEntityMarker,
    nullable: true,
    description: 'Unread totals of the viewer in the channel; null if the viewer never was a member.',
    resolve: (channel, _, context) => getEntityMarker(context, channel),
  }),
);

builder.objectFields(UserEntityMarker, (t) => ({
  channel: t.field({
    type: Channel,
    nullable: true,
    description: 'The channel; null if the viewer cannot see it.',
    resolve: ({ entityId }, _, context) => getChannel(context, { internalId: entityId }),
  }),
  userMarker: t.field({
    type: UserMarker,
    nullable: true,
    description:
      'Totals over all channels, so that the event of a message can update them: select `chatMessage { channel { viewerMarker { id unreadCount userMarker { id unreadCount } } } }`.',
    resolve: (_, _args, context) => getUserMarker(context),
  }),
}));

builder.objectField(User, 'unreadCounts', (t) =>
  t.field({
    type: UserMarker,
    nullable: true,
    description: 'Unread totals of the user over all channels; null for users other than the viewer.',
    resolve: ({ userId }, _, context) => (userId === viewerOf(context).userId ? getUserMarker(context) : null),
  }),
);

builder.objectField(MessageFeed, 'viewerMarker', (t) =>
  t.field({
    type: UserFeedMarker,
    nullable: true,
    description: 'Positions of the viewer in the message feed; null if the viewer is not a member.',
    resolve: (feed, _, context) => getUserFeedMarker(context, feed),
  }),
);

const listOf = (ids: string) => ({ required: true, description: `${ids}, at most 100.` }) as const;
const entityIds = listOf('Internal ids of channels');
const messageIds = listOf('Ids of messages');
const feedIds = listOf('Ids of message feeds');

builder.queryFields((t) => ({
  viewerMarker: t.field({
    type: UserMarker,
    description: 'Unread totals of the viewer over all channels.',
    resolve: (_, _args, context) => getUserMarker(context),
  }),
  viewerEntityMarkers: t.field({
    type: [UserEntityMarker],
    description: 'Unread totals of the viewer by channel. Channels of which the viewer never was a member are omitted.',
    args: { entityIds: t.arg.stringList(entityIds) },
    resolve: (_, args, context) => getEntityMarkers(context, args),
  }),
  viewerFeedMarkers: t.field({
    type: [UserFeedMarker],
    description:
      'Positions of the viewer in message feeds. Message feeds of channels of which the viewer is not a member are omitted.',
    args: { messageFeedIds: t.arg.stringList(feedIds) },
    resolve: (_, args, context) => getUserFeedMarkers(context, args),
  }),
  viewerFeedMarkersOfChannels: t.field({
    type: [UserFeedMarker],
    description: 'Positions of the viewer in all message feeds of the given channels.',
    args: { entityIds: t.arg.stringList(entityIds) },
    resolve: (_, args, context) => getUserFeedMarkersOfChannels(context, args),
  }),
  feedMarkers: t.field({
    type: [FeedMarker],
    description:
      'Newest segments of message feeds. Message feeds that do not exist or that the viewer cannot see are omitted.',
    args: { messageFeedIds: t.arg.stringList(feedIds) },
    resolve: (_, args, context) => getFeedMarkers(context, args),
  }),
  messageMarkers: t.field({
    type: [MessageMarker],
    description:
      'How many users have received and read messages. Messages that do not exist or that the viewer cannot see are omitted.',
    args: { messageIds: t.arg.stringList(messageIds) },
    resolve: (_, args, context) => getMessages(context, args),
  }),
  feedMarkersOfMessages: t.field({
    type: [FeedMarker],
    description: 'Newest segments of the message feeds of the given messages.',
    args: { messageIds: t.arg.stringList(messageIds) },
    resolve: (_, args, context) => getFeedMarkersOfMessages(context, args),
  }),
}));
