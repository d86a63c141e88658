import { type Context, type Viewer, viewerOf } from '../../context.ts';
import type { RoleRecord } from '../../store/records/user.ts';

type Ranked = Pick<RoleRecord, 'rank'>;

/** The highest rank among roles; whoever holds none ranks below every role. */
export function highestRank(roles: readonly Ranked[]): number {
  return roles.reduce((highest, role) => Math.max(highest, role.rank), -1);
}

/** Every permission that the roles give together, each once. */
export function permissionsOf(roles: ReadonlyArray<Pick<RoleRecord, 'permissions'>>): string[] {
  return [...new Set(roles.flatMap((role) => role.permissions))];
}

/**
 * The viewer's rank in one place: of their roles in the network and, while they are a member, of those in the place.
 * Nobody grants or takes away a role that ranks higher than this. A deleted role gives no rank.
 *
 * @param rolesThere the role ids of the viewer's live membership; none for whoever is no member
 */
export async function rankOfViewer(context: Context, rolesThere: readonly string[]): Promise<number> {
  const viewer: Viewer = viewerOf(context);
  const roles = await Promise.all([...viewer.roles, ...rolesThere].map((roleId) => context.load.roles.load(roleId)));
  return highestRank(roles.filter((role) => role !== null).filter((role) => !role.isDeleted));
}

/** A function from role ids to the highest rank among them; deleted roles give none. */
export async function rankOfRoles(context: Context): Promise<(roleIds: readonly string[]) => number> {
  const roles = await context.store.roleBook.of(viewerOf(context).networkId);
  return (roleIds) => highestRank(roleIds.flatMap((roleId) => roles.get(roleId) ?? []));
}
