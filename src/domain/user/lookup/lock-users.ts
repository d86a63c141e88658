import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { assertUnbanned } from './require-unbanned-users.ts';

/**
 * Live users as a transaction sees them, in the order of the ids. Writes their records, so that a concurrent rename,
 * deletion or ban conflicts.
 *
 * @throws {OperationError} NOT_FOUND when one does not exist, is deleted or banned from the network
 */
export async function lockUsers(
  context: Context,
  session: ClientSession,
  networkId: string,
  userIds: readonly string[],
): Promise<UserRecord[]> {
  const { users } = context.store.collections;
  const touched = { $set: { touchedAt: context.now() } };
  if (userIds.length === 1) {
    const named = { networkId, userId: userIds[0]!, isDeleted: false };
    const user = await users.findOneAndUpdate(named, touched, { session, returnDocument: 'after' });
    if (!user) throw notFound('User');
    assertUnbanned(context, [user]);
    return [user];
  }
  const named = { networkId, userId: { $in: [...userIds] }, isDeleted: false };
  await users.updateMany(named, touched, { session });
  const found = await users.find(named, { session }).toArray();
  assertUnbanned(context, found);
  const locked = new Map(found.map((user) => [user.userId, user]));
  return userIds.map((userId) => {
    const user = locked.get(userId);
    if (!user) throw notFound('User');
    return user;
  });
}
