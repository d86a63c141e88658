import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/**
 * Live users as a transaction sees them. Writes their records, so that a concurrent rename, deletion or ban conflicts.
 *
 * @throws {OperationError} NOT_FOUND when one does not exist or is deleted
 */
export async function lockUsers(
  context: Context,
  session: ClientSession,
  networkId: string,
  userIds: readonly string[],
): Promise<UserRecord[]> {
  const { users } = context.store.collections;
  const named = { networkId, userId: { $in: [...userIds] }, isDeleted: false };
  await users.updateMany(named, { $set: { touchedAt: context.now() } }, { session });
  const claimed = await users.find(named, { session }).toArray();
  if (claimed.length < userIds.length) throw notFound('User');
  return claimed;
}
