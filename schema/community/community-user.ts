import { getCommunityUser } from '../../src/domain/community/members/get-community-user.ts';
import type { CommunityUserRecord } from '../../src/store/records/community.ts';
import { builder } from '../builder.ts';
import { nodeType } from '../shared/node.ts';
import { ofRecord, ofRecordIf } from '../shared/of-record.ts';
import { permissionsOf } from '../shared/permissions.ts';
import { restEnum } from '../shared/rest-enum.ts';
import { loadUser, User } from '../user/user.ts';

export const CommunityUser = nodeType<CommunityUserRecord>('CommunityUser', {
  description: "A user's membership in a community.",
  id: (member) => member._id.toHexString(),
  load: (context, id) => getCommunityUser(context, { internalId: id }),
});

export const CommunityMembership = restEnum('CommunityMembership', 'Membership state of a user in a community.', {
  none: 'Not a member: the user left, was removed or was unbanned.',
  member: 'Member.',
  banned: 'Banned: cannot join, and cannot see posts, members or stories of the community.',
});

builder.objectFields(CommunityUser, (t) => ({
  internalId: t.string({
    ...ofRecord,
    description: 'Internal id, 24 hex digits.',
    resolve: (member) => member._id.toHexString(),
  }),
  userId: t.exposeString('userId', { description: 'Public id of the user.' }),
  userInternalId: t.exposeString('userInternalId', { description: 'Internal id of the user.' }),
  channelId: t.exposeString('channelId', { description: 'Public id of the chat channel of the community.' }),
  communityId: t.exposeString('communityId', { description: 'Public id of the community.' }),
  communityMembership: t.expose('communityMembership', {
    type: CommunityMembership,
    description: 'Membership state.',
  }),
  notMemberReason: t.exposeString('notMemberReason', {
    nullable: true,
    description: 'Reason why the user is not a member.',
  }),
  isBanned: t.exposeBoolean('isBanned', { description: 'Whether the user is banned.' }),
  lastActivity: t.expose('lastActivity', { type: 'DateTime', description: 'Time of the latest activity of the user.' }),
  lastJoin: t.expose('lastJoin', {
    type: 'DateTime',
    nullable: true,
    description: 'Time at which the user last joined.',
  }),
  roles: t.exposeStringList('roles', { description: 'Public ids of the roles of the user in the community.' }),
  permissions: t.stringList({
    description: 'Permissions of `roles`.',
    ...ofRecordIf<CommunityUserRecord>(({ roles }) => roles.length === 0),
    resolve: (record, _, context) => permissionsOf(context, record),
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
