import type { Context } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
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
