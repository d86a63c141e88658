import type { Context } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/**
 * Live users by public ids, in the order of the ids.
 * @throws {OperationError} NOT_FOUND with the path of the input field
 */
export async function requireUsers(
  context: Context,
  userIds: readonly string[],
  { path = 'userIds' }: { path?: string } = {},
): Promise<UserRecord[]> {
  const users = await Promise.all(userIds.map((userId) => context.load.users.load(userId)));
  const present = users.filter((user): user is UserRecord => user !== null && !user.isDeleted);
  if (present.length === userIds.length) return present;
  throw new OperationError('NOT_FOUND', { message: 'User not found.', path: [path] });
}
