import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { RoleRecord } from '../../store/records/user.ts';
import { permissionsOf } from './rank.ts';

/**
 * The permissions that roles grant, as a transaction sees them; deleted roles grant none.
 * @param roleIds all roles that the returned function can be called with; an empty list sends no command
 */
export async function permissionsByRole(
  context: Context,
  session: ClientSession,
  networkId: string,
  roleIds: readonly string[],
): Promise<(roleIds: readonly string[]) => string[]> {
  const roles = await liveRolesInTransaction(context, session, networkId, roleIds);
  const known = new Map(roles.map((role) => [role.roleId, role]));
  return (held) => permissionsOf(held.flatMap((roleId) => known.get(roleId) ?? []));
}

/** Roles by id as a transaction sees them, without deleted ones; sends no command for no ids. */
export async function liveRolesInTransaction(
  context: Context,
  session: ClientSession,
  networkId: string,
  roleIds: readonly string[],
): Promise<RoleRecord[]> {
  if (roleIds.length === 0) return [];
  const roles = await rolesInTransaction(context, session, networkId, roleIds);
  return roles.filter(({ isDeleted }) => !isDeleted);
}

/** Roles by id as a transaction sees them, deleted ones included. */
export function rolesInTransaction(
  context: Context,
  session: ClientSession,
  networkId: string,
  roleIds: readonly string[],
): Promise<RoleRecord[]> {
  const wanted = { networkId, roleId: { $in: [...new Set(roleIds)] } };
  return context.store.collections.roles.find(wanted, { session }).toArray();
}
