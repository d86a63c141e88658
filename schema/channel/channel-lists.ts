import { viewerOf } from '../../src/context.ts';
import type { CHANNEL_FILTERS, CHANNEL_SORTS } from '../../src/domain/channel/lists/channel-query.ts';
import { listChannels } from '../../src/domain/channel/lists/list-channels.ts';
import { listViewerChannels, type ViewerChannels } from '../../src/domain/channel/lists/list-viewer-channels.ts';
import { listChannelUsers } from '../../src/domain/channel/members/list-channel-users.ts';
import { listMessageFeeds } from '../../src/domain/message-feed/list-message-feeds.ts';
import { OperationError } from '../../src/errors.ts';
import { builder } from '../builder.ts';
import { ChannelType } from '../message/message.ts';
import { MessageFeed, MessageFeedConnection } from '../message-feed/message-feed.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { SKIP } from '../shared/connection-type.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { User } from '../user/user.ts';
import { Channel, ChannelConnection } from './channel.ts';
import { ChannelUser, ChannelUserConnection, ChannelUserFilter, ChannelUserSort } from './channel-user.ts';

builder.objectFields(Channel, (t) => ({
  members: t.connection(
    {
      type: ChannelUser,
      nullable: true,
      description:
        'Users of the channel; by default its members, newest membership first. Null, with an error, if the viewer cannot see the content of the channel.',
      args: {
        memberships: t.arg({
          type: [ChannelUserFilter],
          description: 'Membership states to include; members by default.',
        }),
        roles: t.arg.stringList({ description: 'Only users with at least one of these roles, 1 to 20.' }),
        search: t.arg.string({
          description: 'Only users whose display name contains this text, at most 900 characters.',
        }),
        sortBy: t.arg({ type: ChannelUserSort, description: 'Sort order; newest membership first by default.' }),
        isDeleted: t.arg.boolean({
          description: 'Whether to list deleted accounts (true) or existing ones (false). Default: both.',
        }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (channel, args, context) => {
        const page = await listChannelUsers(context, channel, { ...args, request: pageRequest(args) });
        const { memberships, roles, search, isDeleted } = args;
        const isCounted = !memberships?.some((state) => state !== 'member') && !roles && !search && isDeleted == null;
        return toConnection(page, { totalCount: isCounted ? channel.memberCount : null });
      },
    },
    ChannelUserConnection,
  ),
  messageFeeds: t.connection(
    {
      type: MessageFeed,
      nullable: true,
      description:
        'Message feeds of the channel, newest first. Null, with an error, if the viewer cannot see the content of the channel.',
      args: {
        excludesDefault: t.arg.boolean({ description: 'Whether to omit the default message feed.' }),
        isDeleted: t.arg.boolean({
          description: 'Whether to list deleted records (true) or existing ones (false). Default: both.',
        }),
        skip: t.arg.int({ description: SKIP }),
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
      description: 'Channels of which the viewer is a member, by the latest activity of the viewer.',
      resolve: async (_, args, context) =>
        viewerConnection(await listViewerChannels(context, { request: pageRequest(args) })),
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

const ViewerChannelSort = restEnum<'lastActivity' | 'viewerActivity'>(
  'ViewerChannelSort',
  'Sort order of the channels of the viewer.',
  {
    lastActivity:
      'Latest message first, among the 2,000 channels with the latest activity of the viewer; a channel without messages counts by its creation time. Default.',
    viewerActivity: 'Latest activity of the viewer first, among all channels.',
  },
);

builder.objectField(User, 'channels', (t) =>
  t.connection(
    {
      type: Channel,
      nullable: true,
      description:
        'Channels of which the user is a member, by default those with the latest messages first. Null for users other than the viewer.',
      args: {
        types: t.arg({
          type: [ChannelType],
          description: 'Only channels of these types; only with the order `LAST_ACTIVITY`.',
        }),
        sortBy: t.arg({
          type: ViewerChannelSort,
          required: true,
          defaultValue: 'lastActivity',
          description: 'Sort order.',
        }),
      },
      resolve: async ({ userId }, { types, sortBy, ...args }, context) => {
        if (userId !== viewerOf(context).userId) return null;
        const request = pageRequest(args);
        if (sortBy === 'lastActivity') {
          return toConnection(await listChannels(context, { filter: 'member', types, sortBy, request }));
        }
        if (types?.length) throw new OperationError('INVALID_PARAMETERS', { detail: [TYPES_BY_ACTIVITY] });
        return viewerConnection(await listViewerChannels(context, { request }));
      },
    },
    ChannelConnection,
  ),
);

const TYPES_BY_ACTIVITY = 'types: can only be combined with sortBy: LAST_ACTIVITY';

/** The page of memberships determines the cursors. */
function viewerConnection({ page, channels }: ViewerChannels) {
  const { edges, pageInfo } = toConnection(page);
  return { pageInfo, edges: edges.map(({ cursor }, index) => ({ cursor, node: channels[index]! })) };
}

builder.queryField('networkChannels', (t) =>
  t.connection(
    {
      type: Channel,
      description:
        'Channels of the network that the viewer can see: those of which they are a member, and public ones.',
      args: {
        filter: t.arg({
          type: ChannelFilter,
          required: true,
          defaultValue: 'all',
          description: 'Filter by the membership of the viewer.',
        }),
        keyword: t.arg.string({
          description:
            'Only channels whose display name contains this text, at most 100 characters. Names derived from members are searched in conversations of the viewer only.',
        }),
        types: t.arg({ type: [ChannelType], description: 'Only channels of these types.' }),
        tags: t.arg.stringList({ description: 'Only channels with at least one of these tags, at most 20.' }),
        excludeTags: t.arg.stringList({ description: 'Only channels with none of these tags, at most 20.' }),
        userId: t.arg.string({
          description: 'Only channels of which this user is a member and whose members the viewer can see.',
        }),
        isDeleted: t.arg.boolean({
          defaultValue: false,
          description:
            'Whether to list deleted channels (true), existing ones (false, default) or both (null). Deleted channels are visible to network moderators.',
        }),
        sortBy: t.arg({ type: ChannelSort, required: true, defaultValue: 'lastActivity', description: 'Sort order.' }),
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
