import * as access from '../../src/access/role.ts';
import { type Context, type Viewer, viewerOf } from '../../src/context.ts';
import { rankOfRoles } from '../../src/domain/role/rank.ts';
import type { RoleRecord } from '../../src/store/records/user.ts';
import { builder } from '../builder.ts';
import { Role } from './role.ts';

/** A resolver from the policy function that also authorizes the operation, within the viewer's rank and permissions. */
const allowed = (policy: (viewer: Viewer) => boolean) => async (role: RoleRecord, _: unknown, context: Context) => {
  const viewer = viewerOf(context);
  if (role.isDeleted || !policy(viewer)) return false;
  const rankOf = await rankOfRoles(context);
  return access.excessOf(role, { permissions: viewer.permissions, rank: rankOf(viewer.roles) }) === null;
};
const canDelete = allowed(access.canDeleteRole);

builder.objectFields(Role, (t) => ({
  viewerCanEdit: t.boolean({
    description: 'Whether the viewer can update the role; for `global-admin` only the display name.',
    resolve: allowed(access.canEditRole),
  }),
  viewerCanDelete: t.boolean({
    description: 'Whether the viewer can delete the role.',
    resolve: (role, parent, context) => !access.isDefaultRole(role.roleId) && canDelete(role, parent, context),
  }),
}));
