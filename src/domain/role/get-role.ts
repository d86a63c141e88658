import { canSeeRole } from '../../access/role.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { RoleRecord } from '../../store/records/user.ts';

/** A role; deleted ones are visible to users who edit roles. */
export async function getRole(context: Context, { roleId }: { roleId: string }): Promise<RoleRecord | null> {
  const viewer = viewerOf(context);
  const role = await context.load.roles.load(roleId);
  return role && canSeeRole(viewer, role) ? role : null;
}
