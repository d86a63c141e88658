import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { withoutEndedBan } from '../../../store/ended-bans.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/**
 * Users by public ids, in the order of the ids. @throws {OperationError} NOT_FOUND when one does not exist, is deleted
 * or banned
 */
export async function requireUnbannedUsers(context: Context, userIds: readonly string[]): Promise<UserRecord[]> {
  const users = await Promise.all(userIds.map((userId) => context.load.users.load(userId)));
  return users.map((user) => {
    if (!user || user.isDeleted || user.isGlobalBan) throw notFound('User');
    return user;
  });
}

/**
 * {@link requireUnbannedUsers}, as a transaction sees them. Unlike `lockUsers` it writes nothing, so that transactions with a
 * common user run concurrently. A user who is renamed or deleted before the commit does not conflict: memberships that
 * are inserted with the earlier name are corrected later, see `recheckMembershipsAt` of the user.
 */
export async function requireUnbannedUsersInTransaction(
  context: Context,
  session: ClientSession,
  { networkId, userIds }: { networkId: string; userIds: readonly string[] },
): Promise<UserRecord[]> {
  const named = { networkId, userId: { $in: [...userIds] }, isDeleted: false };
  const found = await context.store.collections.users.find(named, { session }).toArray();
  assertUnbanned(context, found);
  const users = new Map(found.map((user) => [user.userId, user]));
  return userIds.map((userId) => {
    const user = users.get(userId);
    if (!user) throw notFound('User');
    return user;
  });
}

/** @throws {OperationError} NOT_FOUND when one of the users, as read in a transaction, is banned from the network */
export function assertUnbanned(context: Pick<Context, 'hasPassed'>, users: readonly UserRecord[]): void {
  if (users.some((user) => withoutEndedBan(user, context.hasPassed).isGlobalBan)) throw notFound('User');
}
