import { isMutedNow } from '../../src/access/channel.ts';
import { getChannelUser } from '../../src/domain/channel/members/get-channel-user.ts';
import type { CHANNEL_USER_FILTERS, CHANNEL_USER_SORTS } from '../../src/domain/channel/members/list-channel-users.ts';
import { lastMentionOf } from '../../src/domain/channel/messages/last-mention.ts';
import type { ChannelUserRecord } from '../../src/store/records/chat.ts';
import { builder } from '../builder.ts';
import { countedConnectionType } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { permissionsOf } from '../shared/permissions.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const ChannelUser = nodeType<ChannelUserRecord>('ChannelUser', {
  description: "A user's membership in a channel.",
  id: (member) => member._id.toHexString(),
  load: (context, id) => getChannelUser(context, { internalId: id }),
});

const ChannelMembership = restEnum('ChannelMembership', 'Membership state of a user in a channel.', {
  none: 'Not a member: the user left, was removed or was unbanned.',
  member: 'Member, muted or not.',
  banned: 'Banned: cannot join, and cannot see message feeds, messages or members.',
});

export const ChannelUserFilter = restEnum<(typeof CHANNEL_USER_FILTERS)[number]>(
  'ChannelUserFilter',
  'Filter of the users of a channel by membership state.',
  {
    member: 'Members, including muted ones. Default.',
    muted: 'Members who are muted at the time of the request.',
    banned: 'Banned users.',
  },
);
export const ChannelUserSort = restEnum<(typeof CHANNEL_USER_SORTS)[number]>(
  'ChannelUserSort',
  'Sort order of the users of a channel.',
  {
    lastCreated: 'Newest membership first. Default.',
    firstCreated: 'Oldest membership first.',
    displayName: 'By display name, in ascending order.',
  },
);

builder.objectFields(ChannelUser, (t) => ({
  userId: t.exposeString('userId', { description: 'Public id of the user.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the user.' }),
  channelId: t.exposeString('channelId', { description: 'Public id of the channel.' }),
  channelInternalId: t.exposeString('channelInternalId', { description: 'Internal id of the channel.' }),
  membership: t.expose('membership', { type: ChannelMembership, description: 'Membership state in the channel.' }),
  isBanned: t.exposeBoolean('isBanned', { description: 'Whether the user is banned.' }),
  isMuted: t.boolean({
    description: 'Whether the user is currently muted.',
    resolve: (member, _, context) => isMutedNow(member, context.hasPassed),
  }),
  isDeleted: t.exposeBoolean('isDeleted', { description: "Whether the user's account is deleted." }),
  muteTimeout: t.field({
    type: 'DateTime',
    nullable: true,
    description: 'Time at which the mute ends; null if the user is not muted, or is muted without end.',
    resolve: (member, _, context) => (isMutedNow(member, context.hasPassed) ? member.muteTimeout : null),
  }),
  lastActivity: t.expose('lastActivity', { type: 'DateTime', description: 'Time of the latest activity of the user.' }),
  roles: t.exposeStringList('roles', { description: 'Public ids of the roles of the user in the channel.' }),
  permissions: t.stringList({
    description: 'Permissions of `roles`.',
    resolve: (record, _, context) => permissionsOf(context, record),
  }),
  readToSegment: t.exposeInt('readToSegment', {
    description: 'Segment of the default message feed up to which the user has read.',
  }),
  lastMentionedSegment: t.int({
    description: 'Segment of the latest message in the default message feed that mentions the user; 0 for none.',
    resolve: async (member, _, { load }) => lastMentionOf(member, await load.channels.load(member.channelId)),
  }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Time at which the user first joined.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change of the membership.' }),
  user: t.field({
    type: User,
    nullable: true,
    description: 'The user.',
    resolve: (member, _, context) => loadUser(context, member.userId),
  }),
}));

export const ChannelUserConnection = countedConnectionType(ChannelUser, {
  plural: 'users of a channel',
  unknown: 'with `roles`, `search` or `isDeleted`, and for other states than `MEMBER`',
});
