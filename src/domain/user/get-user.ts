import { canSeeUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { UserRecord } from '../../store/records/user.ts';

/** A user; deleted accounts are visible to users who may edit users, and to themselves. */
export async function getUser(context: Context, { userId }: { userId: string }): Promise<UserRecord | null> {
  const viewer = viewerOf(context);
  const user = await context.load.users.load(userId);
  return user && canSeeUser(viewer, user) ? user : null;
}
