import { listChannelUsers } from '../../src/domain/channel/list-channel-users.ts';
import { listViewerChannels } from '../../src/domain/channel/list-viewer-channels.ts';
import { listMessageFeeds } from '../../src/domain/message-feed/list-message-feeds.ts';
import { builder } from '../builder.ts';
import { MessageFeed, MessageFeedConnection } from '../message-feed/message-feed.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { Channel, ChannelConnection } from './channel.ts';
import { ChannelUser, ChannelUserConnection, ChannelUserFilter, ChannelUserSort } from './channel-user.ts';

builder.objectFields(Channel, (t) => ({
  members: t.connection(
    {
      type: ChannelUser,
      nullable: true,
      description:
        'Its users: the members, newest first, unless told. Null, with an error, for those who do not see inside.',
      args: {
        memberships: t.arg({ type: [ChannelUserFilter], description: 'Which of its users; its members unless told.' }),
        roles: t.arg.stringList({ description: 'Only holders of one of these roles, 1 to 20.' }),
        search: t.arg.string({ description: 'Only those with this in their name, at most 900 characters.' }),
        sortBy: t.arg({ type: ChannelUserSort, description: 'Order; newest membership first unless told.' }),
        isDeleted: t.arg.boolean({ description: 'Only deleted accounts, or only others; both unless told.' }),
        skip: t.arg.int({ description: 'How many to pass over first, at most 1000.' }),
      },
      resolve: async (channel, args, context) =>
        toConnection(await listChannelUsers(context, channel, { ...args, request: pageRequest(args) })),
    },
    ChannelUserConnection,
  ),
  messageFeeds: t.connection(
    {
      type: MessageFeed,
      nullable: true,
      description: 'Its message feeds, newest first. Null, with an error, for those who do not see inside.',
      args: {
        excludesDefault: t.arg.boolean({ description: 'Whether to leave out the feed it began with.' }),
        isDeleted: t.arg.boolean({ description: 'Only deleted ones, or only others; both unless told.' }),
        skip: t.arg.int({ description: 'How many to pass over first, at most 1000.' }),
      },
      resolve: async (channel, args, context) =>
        toConnection(await listMessageFeeds(context, channel, { ...args, request: pageRequest(args) })),
    },
    MessageFeedConnection,
  ),
}));

builder.queryField('viewerChannels', (t) =>
  t.connection(
    {
      type: Channel,
      description: 'The channels the viewer is a member of, the one they were last active in first.',
      resolve: async (_, args, context) => {
        const { page, channels } = await listViewerChannels(context, { request: pageRequest(args) });
        const { edges, pageInfo } = toConnection(page);
        return { pageInfo, edges: edges.map(({ cursor }, index) => ({ cursor, node: channels[index]! })) };
      },
    },
    ChannelConnection,
  ),
);
