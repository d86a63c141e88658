import type { ClientSession } from 'mongodb';
import type { Context } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import type { UserRecord } from '../../../store/records/user.ts';
import { MAX_BATCH_WITH_EVENTS } from '../../batch.ts';
import { endEventOf } from './end-follow.ts';
import { followEvent } from './follow.ts';

/**
 * Deletes the follows of a deleted user in both directions, up to {@link MAX_BATCH_WITH_EVENTS} of them, and subtracts
 * them from the counts of the other users.
 */
export async function endFollowsOfUser(
  context: Context,
  session: ClientSession,
  { networkId, userId }: Pick<UserRecord, 'networkId' | 'userId'>,
): Promise<{ events: NewEvent[]; hasMore: boolean }> {
  const { follows, users } = context.store.collections;
  const ended = await follows
    .find(
      {
        $or: [
          { networkId, userId },
          { networkId, followedUserId: userId },
        ],
      },
      { session },
    )
    .limit(MAX_BATCH_WITH_EVENTS)
    .toArray();
  if (ended.length === 0) return { events: [], hasMore: false };
  const followers = ended.filter((follow) => follow.followedUserId === userId);
  const followed = ended.filter((follow) => follow.userId === userId);
  const followerIds = followers.map((follow) => follow.userId);
  const followedIds = followed.map((follow) => follow.followedUserId);
  await follows.deleteMany({ networkId, userId: { $in: followerIds }, followedUserId: userId }, { session });
  await follows.deleteMany({ networkId, userId, followedUserId: { $in: followedIds } }, { session });
  const subtract = (userIds: string[], count: 'followerCount' | 'followingCount' | 'pendingCount') =>
    userIds.length > 0 &&
    users.updateMany({ networkId, userId: { $in: userIds }, isDeleted: false }, { $inc: { [count]: -1 } }, { session });
  await subtract(
    followers.filter(({ status }) => status === 'accepted').map((follow) => follow.userId),
    'followingCount',
  );
  for (const [status, count] of [
    ['accepted', 'followerCount'],
    ['pending', 'pendingCount'],
  ] as const) {
    const ids = followed.filter((follow) => follow.status === status).map((follow) => follow.followedUserId);
    await subtract(ids, count);
  }
  const counts = { followerCount: 0, followingCount: 0, pendingCount: 0 };
  await users.updateOne({ networkId, userId }, { $set: counts }, { session });
  const named = await users
    .find(
      { networkId, userId: { $in: [userId, ...followerIds, ...followedIds] } },
      { session, projection: { networkId: 1, userId: 1 } },
    )
    .toArray();
  const byId = new Map(named.map((user) => [user.userId, user]));
  return {
    events: [...followed, ...followers].flatMap((follow) => {
      const [follower, target] = [byId.get(follow.userId), byId.get(follow.followedUserId)];
      if (!follower || !target) return [];
      const ending = { status: 'none', createdAt: follow.createdAt } as const;
      return [followEvent(endEventOf(follow, userId), { follower, followed: target }, ending)];
    }),
    hasMore: ended.length === MAX_BATCH_WITH_EVENTS,
  };
}
