import type { Context } from '../../src/context.ts';
import { type MaybePromise, whenLoaded } from '../../src/lib/maybe-promise.ts';
import { permissionsFrom } from '../../src/store/role-cache.ts';

/** The permissions that the roles of a member, user or session grant now; records read through lists have stored ones. */
export function permissionsOf(
  context: Context,
  { networkId, roles }: { networkId: string; roles: readonly string[] },
): MaybePromise<string[]> {
  if (roles.length === 0) return [];
  return whenLoaded(context.store.roleCache.rolesOf(networkId), (roleById) => permissionsFrom(roleById, roles));
}
