import { feedName } from '../../src/domain/channel/conversations/channel-name.ts';
import { messageOfFeed } from '../../src/domain/message/get-message.ts';
import { listMessages } from '../../src/domain/message/list-messages.ts';
import { getMessageFeed, getMessageFeeds } from '../../src/domain/message-feed/get-message-feed.ts';
import type { MessageFeedRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { ChannelType, Message, MessageConnection, messageListArgs } from '../message/message.ts';
import { MessagePreview } from '../message/message-preview.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { loadUser, User } from '../user/user.ts';

export const MessageFeed = nodeType<MessageFeedRecord>('MessageFeed', {
  description: 'A list of messages in a channel. Each channel has a default message feed.',
  id: 'messageFeedId',
  load: (context, messageFeedId) => getMessageFeed(context, { messageFeedId }),
});

builder.objectFields(MessageFeed, (t) => ({
  messageFeedId: t.exposeString('messageFeedId', {
    description: 'Id, 24 hex digits; it is both the public and the internal id.',
  }),
  channelId: t.exposeString('channelId', { description: 'Public id of the channel.' }),
  channelInternalId: t.exposeString('channelInternalId', { description: 'Internal id of the channel.' }),
  channelType: t.expose('channelType', { type: ChannelType, description: 'Type of the channel.' }),
  name: t.string({
    description: 'Display name.',
    resolve: (feed, _, context) => feedName(context, feed),
  }),
  userId: t.exposeString('userId', { description: 'Public id of the creator.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the creator.' }),
  path: t.exposeString('path', { description: 'Path of the message feed, for subscriptions to its events.' }),
  lastMessageId: t.exposeString('lastMessageId', {
    nullable: true,
    description: 'Id of the newest message, deleted or not.',
  }),
  messagePreviewId: t.exposeString('messagePreviewId', {
    nullable: true,
    description: 'Id of the newest message that is not deleted.',
  }),
  lastMessageTimestamp: t.expose('lastMessageTimestamp', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the newest message.',
  }),
  lastSegment: t.exposeInt('lastSegment', { description: 'Segment of the newest message; 0 for none.' }),
  childCount: t.exposeInt('childCount', { description: 'Number of messages that are not deleted.' }),
  isDefault: t.exposeBoolean('isDefault', { description: 'Whether it is the default message feed of its channel.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the message feed is deleted.' }),
  editedAt: t.expose('editedAt', {
    type: 'DateTime',
    nullable: true,
    description: 'Time of the last renaming; null if it was never renamed.',
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Creator.',
    resolve: (feed, _, context) => loadUser(context, feed.userId),
  }),
  lastMessage: t.field({
    type: Message,
    nullable: true,
    description: 'The newest message, deleted or not; null if the feed is deleted and the viewer cannot read it.',
    resolve: (feed, _, context) => messageOfFeed(context, feed, feed.lastMessageId),
  }),
  messagePreview: t.field({
    type: MessagePreview,
    nullable: true,
    description: 'The newest message that is not deleted; null if the feed is deleted and the viewer cannot read it.',
    resolve: (feed, _, context) => messageOfFeed(context, feed, feed.messagePreviewId),
  }),
  messages: t.connection(
    {
      type: Message,
      description:
        'Messages by segment, by default newest first; empty if the feed is deleted and the viewer cannot read it.',
      args: {
        ...messageListArgs,
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (feed, args, context) =>
        toConnection(await listMessages(context, feed, { ...args, request: pageRequest(args) })),
    },
    MessageConnection,
  ),
}));

export const MessageFeedConnection = connectionType(MessageFeed, 'message feeds');

builder.objectField(Message, 'messageFeed', (t) =>
  t.field({
    type: MessageFeed,
    nullable: true,
    description: 'The message feed of the message.',
    resolve: (message, _, { load }) => load.messageFeeds.load(message.messageFeedId),
  }),
);

builder.queryFields((t) => ({
  messageFeed: t.field({
    type: MessageFeed,
    nullable: true,
    description: 'A message feed by its id.',
    args: {
      messageFeedId: t.arg.string({
        required: true,
        description: 'Id of the message feed, or public id of a channel for its default message feed.',
      }),
    },
    resolve: (_, args, context) => getMessageFeed(context, args),
  }),
  messageFeedsByIds: t.field({
    type: [MessageFeed],
    description:
      'Message feeds by their ids, in the order of the ids. Message feeds that do not exist or that the viewer cannot see are omitted.',
    args: { messageFeedIds: t.arg.stringList({ required: true, description: 'Ids of message feeds, at most 100.' }) },
    resolve: (_, args, context) => getMessageFeeds(context, args),
  }),
  messageFeeds: t.field({
    type: [MessageFeed],
    description:
      'Message feeds by their ids, in the order of the ids. Message feeds that do not exist or that the viewer cannot see are omitted.',
    args: { messageFeedIds: t.arg.stringList({ required: true, description: 'Ids of message feeds, at most 100.' }) },
    deprecationReason: 'Use `messageFeedsByIds`, which does the same under a name like those of the other lists.',
    resolve: (_, args, context) => getMessageFeeds(context, args),
  }),
}));
