import type { CHANNEL_FILTERS, CHANNEL_SORTS } from '../../src/domain/channel/lists/channel-query.ts';
import { listChannels } from '../../src/domain/channel/lists/list-channels.ts';
import { listViewerChannels } from '../../src/domain/channel/lists/list-viewer-channels.ts';
import { listChannelUsers } from '../../src/domain/channel/members/list-channel-users.ts';
import { listMessageFeeds } from '../../src/domain/message-feed/list-message-feeds.ts';
import { builder } from '../builder.ts';
import { ChannelType } from '../message/message.ts';
import { MessageFeed, MessageFeedConnection } from '../message-feed/message-feed.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
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

const ChannelFilter = restEnum<(typeof CHANNEL_FILTERS)[number]>(
  'ChannelFilter',
  'Filter of channels by the membership of the viewer and by flags.',
  {
    all: 'All channels visible to the viewer. Default.',
    member: 'Channels of which the viewer is a member.',
    notMember: 'Channels visible to the viewer of which they are not a member.',
    flagged: 'Channels that have flagged messages and whose messages the viewer can moderate.',
  },
);
const ChannelSort = restEnum<(typeof CHANNEL_SORTS)[number]>('ChannelSort', 'Sort order of channels.', {
  lastActivity: 'Latest message first; a channel without messages counts by its creation time. Default.',
  lastCreated: 'Newest first, by creation time.',
  firstCreated: 'Oldest first, by creation time.',
  displayName: 'By chosen display name, in ascending order; conversations without one first.',
});

builder.queryField('networkChannels', (t) =>
  t.connection(
    {
      type: Channel,
      description: 'The channels of the network that the viewer sees: their own and public ones.',
      args: {
        filter: t.arg({
          type: ChannelFilter,
          required: true,
          defaultValue: 'all',
          description: 'By how the viewer stands to them.',
        }),
        keyword: t.arg.string({
          description:
            "Text that the name contains, at most 100 characters. Names after members are searched in the viewer's own conversations.",
        }),
        types: t.arg({ type: [ChannelType], description: 'Of any of these types.' }),
        tags: t.arg.stringList({ description: 'Has at least one of these tags, 20 at most.' }),
        excludeTags: t.arg.stringList({ description: 'Has none of these tags, 20 at most.' }),
        userId: t.arg.string({ description: 'Has this user as a member, as far as the viewer sees its members.' }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description: 'Deleted ones only, live ones only, or both (null); deleted ones are for network moderators.',
        }),
        sortBy: t.arg({ type: ChannelSort, required: true, defaultValue: 'lastActivity', description: 'The order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, { first, after, last, before, skip, ...query }, context) => {
        const request = pageRequest({ first, after, last, before, skip });
        return toConnection(await listChannels(context, { ...query, request }));
      },
    },
    ChannelConnection,
  ),
);
