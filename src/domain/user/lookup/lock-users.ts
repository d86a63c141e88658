import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/**
 * Live users, as they are in a transaction that makes something of them: whoever renames, deletes or bans one of them
 * at the same time meets it on the user's record, and one of the two starts again.
 *
 * @throws {OperationError} NOT_FOUND when one is absent or deleted
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
