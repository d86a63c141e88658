import { listChannelMessages } from '../../src/domain/message/list-channel-messages.ts';
import { getMessageFeed } from '../../src/domain/message-feed/get-message-feed.ts';
import { builder } from '../builder.ts';
import { Message, MessageConnection, messageListArgs } from '../message/message.ts';
import { MessageFeed } from '../message-feed/message-feed.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { Channel } from './channel.ts';

builder.objectFields(Channel, (t) => ({
  defaultMessageFeed: t.field({
    type: MessageFeed,
    nullable: true,
    description: 'The default message feed; null if the viewer cannot see the content of the channel.',
    resolve: (channel, _, context) => getMessageFeed(context, { messageFeedId: channel.defaultMessageFeedId }),
  }),
  messages: t.connection(
    {
      type: Message,
      nullable: true,
      description:
        'Messages of the default message feed, by default newest first. Null, with an error, if the viewer cannot see the content of the channel.',
      args: messageListArgs,
      resolve: async (channel, args, context) =>
        toConnection(await listChannelMessages(context, channel, { ...args, request: pageRequest(args) })),
    },
    MessageConnection,
  ),
}));
