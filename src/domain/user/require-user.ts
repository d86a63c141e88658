import { canSeeUser } from '../../access/user.ts';
import { type Context, type Viewer, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { UserRecord } from '../../store/records/user.ts';
import { rankOfRoles } from '../role/rank.ts';

/**
 * Loads a live user whom the viewer may act on.
 * @param may the policy function, of `src/access/user.ts`
 * @throws {OperationError} NOT_FOUND when the viewer does not see them or they are deleted; PERMISSION_DENIED
 */
export async function requireUser(
  context: Context,
  userId: string,
  may: (viewer: Viewer, user: UserRecord) => boolean,
): Promise<UserRecord> {
  const viewer = viewerOf(context);
  const user = await context.load.users.load(userId);
  if (!user || user.isDeleted || !canSeeUser(viewer, user)) throw notFound('User');
  if (!may(viewer, user)) throw new OperationError('PERMISSION_DENIED');
  return user;
}

/** Whether a user's network roles rank above the viewer's. */
export async function ranksAbove(context: Context, { roles }: Pick<UserRecord, 'roles'>): Promise<boolean> {
  const rankOf = await rankOfRoles(context);
  return rankOf(roles) > rankOf(viewerOf(context).roles);
}
