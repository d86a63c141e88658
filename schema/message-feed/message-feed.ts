import { feedName } from '../../src/domain/channel/conversations/channel-name.ts';
import { messageOfFeed } from '../../src/domain/message/get-message.ts';
import { listMessages } from '../../src/domain/message/list-messages.ts';
import { getMessageFeed, getMessageFeeds } from '../../src/domain/message-feed/get-message-feed.ts';
import type { MessageFeedRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { ChannelType, Message, MessageConnection, MessageSort } from '../message/message.ts';
import { MessagePreview } from '../message/message-preview.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { loadUser, User } from '../user/user.ts';

export const MessageFeed = nodeType<MessageFeedRecord>('MessageFeed', {
  description: 'A list of messages inside a channel; each channel begins with one.',
  id: (feed) => feed.messageFeedId,
  load: (context, messageFeedId) => getMessageFeed(context, { messageFeedId }),
});

builder.objectFields(MessageFeed, (t) => ({
  messageFeedId: t.exposeString('messageFeedId', { description: 'Id, 24 hex digits; public and internal at once.' }),
  channelId: t.exposeString('channelId', { description: 'Public id of the channel.' }),
  channelInternalId: t.exposeString('channelInternalId', { description: 'Internal id of the channel.' }),
  channelType: t.expose('channelType', { type: ChannelType, description: 'What the channel is for.' }),
  name: t.string({
    description: 'Name to show.',
    resolve: (feed, _, context) => feedName(context, feed),
  }),
  userId: t.exposeString('userId', { description: 'Public id of the creator.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the creator.' }),
  path: t.exposeString('path', { description: 'Topic of the message feed.' }),
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
    description: 'When the newest message was sent.',
  }),
  lastSegment: t.exposeInt('lastSegment', { description: 'Segment of the newest message; 0 for none.' }),
  childCount: t.exposeInt('childCount', { description: 'How many messages it holds that are not deleted.' }),
  isDefault: t.exposeBoolean('isDefault', { description: 'Whether the channel began with it.' }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the feed is deleted.' }),
  editedAt: t.expose('editedAt', { type: 'DateTime', nullable: true, description: 'When its name last changed.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'When it was made.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'When it last changed.' }),
  creator: t.field({
    type: User,
    nullable: true,
    description: 'Who made it.',
    resolve: (feed, _, context) => loadUser(context, feed.userId),
  }),
  lastMessage: t.field({
    type: Message,
    nullable: true,
    description: 'The newest message, deleted or not; null for those who do not read a deleted feed.',
    resolve: (feed, _, context) => messageOfFeed(context, feed, feed.lastMessageId),
  }),
  messagePreview: t.field({
    type: MessagePreview,
    nullable: true,
    description: 'The newest message that is not deleted; null for those who do not read a deleted feed.',
    resolve: (feed, _, context) => messageOfFeed(context, feed, feed.messagePreviewId),
  }),
  messages: t.connection(
    {
      type: Message,
      description: 'Its messages by segment, newest first unless told; none for those who do not read a deleted feed.',
      args: {
        parentId: t.arg.string({ description: 'Only replies to this message.' }),
        dataType: t.arg.string({ description: 'Only messages that hold this.' }),
        tags: t.arg.stringList({ description: 'Only messages with one of these tags, at most 20.' }),
        excludedTags: t.arg.stringList({ description: 'Only messages with none of these tags, at most 20.' }),
        isDeleted: t.arg.boolean({ description: 'Only deleted ones, or only others; both unless told.' }),
        around: t.arg.string({
          description: 'Id of a message: the page has it in its middle. Goes with `first` alone.',
        }),
        sortBy: t.arg({ type: MessageSort, description: 'Order; newest first unless told.' }),
        skip: t.arg.int({ description: 'How many to pass over first, at most 1000.' }),
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
    description: 'The message feed it stands in.',
    resolve: (message, _, { load }) => load.messageFeeds.load(message.messageFeedId),
  }),
);

builder.queryFields((t) => ({
  messageFeed: t.field({
    type: MessageFeed,
    nullable: true,
    description: 'One message feed by id.',
    args: { messageFeedId: t.arg.string({ required: true, description: 'Id, 24 hex digits.' }) },
    resolve: (_, args, context) => getMessageFeed(context, args),
  }),
  messageFeeds: t.field({
    type: [MessageFeed],
    description: 'Message feeds by ids, in the order asked, without those that are absent or not to be seen.',
    args: { messageFeedIds: t.arg.stringList({ required: true, description: 'Ids, at most 100.' }) },
    resolve: (_, args, context) => getMessageFeeds(context, args),
  }),
}));
