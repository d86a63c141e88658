import { getRole } from '../../src/domain/role/get-role.ts';
import { listRoles } from '../../src/domain/role/list-roles.ts';
import type { RoleRecord } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { CommunityUser } from '../community/community-user.ts';
import { pageRequest, toConnection } from '../shared/connection.ts';
import { connectionType, SKIP } from '../shared/connection-type.ts';
import { nodeType } from '../shared/node.ts';
import { loadAll } from '../shared/reactable.ts';
import { restEnum } from '../shared/rest-enum.ts';

export const Role = nodeType<RoleRecord>('Role', {
  description: 'A named set of permissions that users hold in the network, in a community or in a channel.',
  id: 'roleId',
  load: (context, roleId) => getRole(context, { roleId }),
});

const RoleConnection = connectionType(Role, 'roles');
const RoleSort = restEnum('RoleSort', 'Sort order of roles.', {
  firstCreated: 'Oldest first, by creation time. Default.',
  lastCreated: 'Newest first, by creation time.',
});

builder.objectFields(Role, (t) => ({
  roleId: t.exposeString('roleId', { description: 'Public id.' }),
  displayName: t.exposeString('displayName', { description: 'Display name.' }),
  permissions: t.exposeStringList('permissions', { description: 'Permissions of users who hold the role.' }),
  rank: t.exposeInt('rank', {
    description: 'Rank. Users cannot assign or remove a role with a higher rank than their own.',
  }),
  isDeleted: t.exposeBoolean('isDeleted', { description: 'Whether the role is deleted.' }),
  createdAt: t.expose('createdAt', { type: 'DateTime', description: 'Creation time.' }),
  updatedAt: t.expose('updatedAt', { type: 'DateTime', description: 'Time of the last change.' }),
}));

builder.objectField(CommunityUser, 'roleRecords', (t) =>
  t.field({
    type: [Role],
    description: 'The roles of the member.',
    resolve: (member, _, { load }) => loadAll(load.roles, member.roles),
  }),
);

builder.queryFields((t) => ({
  role: t.field({
    type: Role,
    nullable: true,
    description: 'A role by its public id.',
    args: { roleId: t.arg.string({ required: true, description: 'Public id of the role.' }) },
    resolve: (_, args, context) => getRole(context, args),
  }),
  roles: t.connection(
    {
      type: Role,
      description: 'The roles of the network.',
      args: {
        keyword: t.arg.string({
          description: 'Only records whose display name contains this text, at most 900 characters.',
        }),
        sortBy: t.arg({ type: RoleSort, required: true, defaultValue: 'firstCreated', description: 'Sort order.' }),
        skip: t.arg.int({ description: SKIP }),
      },
      resolve: async (_, args, context) =>
        toConnection(await listRoles(context, { ...args, request: pageRequest(args) })),
    },
    RoleConnection,
  ),
}));
