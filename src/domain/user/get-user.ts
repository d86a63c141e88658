import { canSeeUser } from '../../access/user.ts';
import { type Context, viewerOf } from '../../context.ts';
import { type MaybePromise, whenLoaded } from '../../lib/maybe-promise.ts';
import type { UserRecord } from '../../store/records/user.ts';

/** A user; deleted accounts are visible to users who may edit users, and to themselves. */
export function getUser(context: Context, { userId }: { userId: string }): MaybePromise<UserRecord | null> {
  const viewer = viewerOf(context);
  return whenLoaded(context.load.users.load(userId), (user) => (user && canSeeUser(viewer, user) ? user : null));
}
