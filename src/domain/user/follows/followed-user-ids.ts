import { type Context, viewerOf } from '../../../context.ts';
import type { FollowRecord } from '../../../store/records/user.ts';

/** Maximum followed users that the global feed searches. */
const MAX_FOLLOWED = 2_000;

/** Ids of the users whom the viewer follows with their consent, most recently followed first. */
export async function followedUserIds(context: Context): Promise<string[]> {
  const { networkId, userId } = viewerOf(context);
  const follows = await context.store.collections.follows
    .find({ networkId, userId, status: 'accepted' })
    .sort({ createdAt: -1, _id: -1 })
    .limit(MAX_FOLLOWED)
    .project<Pick<FollowRecord, 'followedUserId'>>({ _id: 0, followedUserId: 1 })
    .toArray();
  return follows.map(({ followedUserId }) => followedUserId);
}
