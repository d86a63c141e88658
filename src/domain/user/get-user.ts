import { mayInNetwork } from '../../access/network.ts';
import { type Context, viewerOf } from '../../context.ts';
import type { UserRecord } from '../../store/records/user.ts';

/** One user; deleted accounts are found by those who may edit users and by the user alone. */
export async function getUser(context: Context, { userId }: { userId: string }): Promise<UserRecord | null> {
  const viewer = viewerOf(context);
  const user = await context.load.users.load(userId);
  if (!user) return null;
  return !user.isDeleted || user.userId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER') ? user : null;
}
