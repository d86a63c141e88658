import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/**
 * Live users as a transaction sees them, in the order named. Other than `lockUsers` it writes nothing, so that many who
 * make something with one popular user do not wait for each other; a deletion that overlaps is not met.
 *
 * @throws {OperationError} NOT_FOUND when one is absent or deleted
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
