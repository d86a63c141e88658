import type { Context } from '../../src/context.ts';
import { type MaybePromise, whenAllLoaded } from '../../src/lib/maybe-promise.ts';

/** The permissions that the roles of a member, user or session grant now; records read through lists have stored ones. */
export function permissionsOf(context: Context, { roles }: { roles: readonly string[] }): MaybePromise<string[]> {
  if (roles.length === 0) return [];
  const loading = roles.map((roleId) => context.load.roles.load(roleId));
  return whenAllLoaded(loading, (loaded) => [
    ...new Set(loaded.flatMap((role) => (role && !role.isDeleted ? role.permissions : []))),
  ]);
}
