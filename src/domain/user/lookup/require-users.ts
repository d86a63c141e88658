import type { Context } from '../../../context.ts';
import { OperationError } from '../../../errors.ts';
import type { UserRecord } from '../../../store/records/user.ts';

/**
 * The users of these ids, in their order, who can be made members of something: known, not deleted.
 * @throws {OperationError} NOT_FOUND, with the path of the field that named them
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
