import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/**
 * Live users as a transaction sees them, in the order of the ids. Unlike `lockUsers` it writes nothing, so that
 * transactions with the same user do not wait for each other; a concurrent deletion does not conflict.
 *
 * @throws {OperationError} NOT_FOUND when one does not exist or is deleted
 */
export async function requireUsersInTransaction(
  context: Context,
  session: ClientSession,
  networkId: string,
  userIds: readonly string[],
): Promise<UserRecord[]> {
  const named = { networkId, userId: { $in: [...userIds] }, isDeleted: false };
  const found = await context.store.collections.users.find(named, { session }).toArray();
  const users = new Map(found.map((user) => [user.userId, user]));
  if (users.size < userIds.length) throw notFound('User');
  return userIds.map((userId) => users.get(userId)!);
}
