import type { ClientSession } from 'mongodb';
import type { Context } from '../../context.ts';
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
  if (roleIds.length === 0) return () => [];
  const wanted = { networkId, roleId: { $in: [...new Set(roleIds)] }, isDeleted: false };
  const roles = await context.store.collections.roles.find(wanted, { session }).toArray();
  const known = new Map(roles.map((role) => [role.roleId, role]));
  return (held) => permissionsOf(held.flatMap((roleId) => known.get(roleId) ?? []));
}
