import type { Context } from '../../src/context.ts';
import { permissionsFrom } from '../../src/store/role-cache.ts';

/** The permissions that the roles of a member, user or session grant now; records read through lists have stored ones. */
export function permissionsOf(
  context: Context,
  { networkId, roles }: { networkId: string; roles: readonly string[] },
): Promise<string[]> | string[] {
  if (roles.length === 0) return [];
  return context.store.roleCache.rolesOf(networkId).then((roleById) => permissionsFrom(roleById, roles));
}
