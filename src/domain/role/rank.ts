import { type Context, type Viewer, viewerOf } from '../../context.ts';
import type { RoleRecord } from '../../store/records/user.ts';

type Ranked = Pick<RoleRecord, 'rank'>;

/** The highest rank among roles; −1, below every role, for none. */
export function highestRank(roles: readonly Ranked[]): number {
  return roles.reduce((highest, role) => Math.max(highest, role.rank), -1);
}

/** Every permission that the roles give together, each once. */
export function permissionsOf(roles: ReadonlyArray<Pick<RoleRecord, 'permissions'>>): string[] {
  return [...new Set(roles.flatMap((role) => role.permissions))];
}

/**
 * The viewer's highest rank, by network roles and, for members, roles in a community or channel. Users cannot assign roles
 * above their rank. Deleted roles have no rank.
 *
 * @param rolesThere role ids of the viewer's membership; none for users who are no members
 */
export async function rankOfViewer(context: Context, rolesThere: readonly string[]): Promise<number> {
  const viewer: Viewer = viewerOf(context);
  const roles = await Promise.all([...viewer.roles, ...rolesThere].map((roleId) => context.load.roles.load(roleId)));
  return highestRank(roles.filter((role) => role !== null).filter((role) => !role.isDeleted));
}

/** A function from role ids to the highest rank among them; deleted roles give none. */
export async function rankOfRoles(context: Context): Promise<(roleIds: readonly string[]) => number> {
  const roles = await context.store.roleCache.rolesOf(viewerOf(context).networkId);
  return (roleIds) => highestRank(roleIds.flatMap((roleId) => roles.get(roleId) ?? []));
}
