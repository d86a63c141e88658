import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
import type { RoleRecord } from '../../store/records/user.ts';
import { permissionsOf } from './rank.ts';

/**
 * What roles give, as it is in a transaction: a function from role ids to permissions. Deleted roles give nothing.
 * @param roleIds those that will be asked about; no command when there are none
 */
export async function roleBookIn(
  context: Context,
  session: ClientSession,
  networkId: string,
  roleIds: readonly string[],
): Promise<(roleIds: readonly string[]) => string[]> {
  const roles = await liveRolesIn(context, session, networkId, roleIds);
  const known = new Map(roles.map((role) => [role.roleId, role]));
  return (held) => permissionsOf(held.flatMap((roleId) => known.get(roleId) ?? []));
}

/** Roles of these ids, as they are in a transaction, without deleted ones; no command when there are none. */
export async function liveRolesIn(
  context: Context,
  session: ClientSession,
  networkId: string,
  roleIds: readonly string[],
): Promise<RoleRecord[]> {
  if (roleIds.length === 0) return [];
  const wanted = { networkId, roleId: { $in: [...new Set(roleIds)] }, isDeleted: false };
  return context.store.collections.roles.find(wanted, { session }).toArray();
}
