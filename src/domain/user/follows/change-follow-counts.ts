import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';

export type CountChanges = { [Name in 'followerCount' | 'followingCount' | 'pendingCount']?: number };

/**
 * Adds to the follow counts of live users, in the order of their ids: transactions that change the same two users then
 * wait for each other instead of failing in turn. Writing the users also makes a concurrent deletion conflict.
 *
 * @returns the users after the change
 * @throws {OperationError} NOT_FOUND when one of them was deleted
 */
export async function changeFollowCounts(
  context: Context,
  session: ClientSession,
  networkId: string,
  changes: ReadonlyMap<string, CountChanges>,
): Promise<Map<string, UserRecord>> {
  const users = new Map<string, UserRecord>();
  for (const userId of [...changes.keys()].sort()) {
    const given = Object.entries(changes.get(userId)!).filter(([, by]) => by !== 0);
    const user = await context.store.collections.users.findOneAndUpdate(
      { networkId, userId, isDeleted: false },
      given.length > 0 ? { $inc: Object.fromEntries(given) } : { $set: { touchedAt: context.now() } },
      { session, returnDocument: 'after' },
    );
    if (!user) throw notFound('User');
    users.set(userId, user);
  }
  return users;
}
