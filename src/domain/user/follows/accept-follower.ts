import type { z } from 'zod';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { requireUser } from '../require-user.ts';
import { userIdInput } from '../user-id-input.ts';
import { changeFollowCounts } from './change-follow-counts.ts';
import { followEvent, toFollow } from './follow.ts';
import type { FollowResult } from './follow-user.ts';

/**
 * Accepts the request of a user to follow the viewer. Accepting again changes nothing.
 * @throws {OperationError} NOT_FOUND when there is no such user or request
 */
export async function acceptFollower(context: Context, input: z.input<typeof userIdInput>): Promise<FollowResult> {
  const { networkId, userId: followedUserId } = viewerOf(context);
  const { userId } = validate(userIdInput, input);
  await requireUser(context, userId, () => true);
  const result = await context.transaction(
    async (session): Promise<FollowResult> => {
      const { follows } = context.store.collections;
      const known = await follows.findOne({ networkId, userId, followedUserId }, { session });
      if (!known) throw notFound('Follow request');
      const by = known.status === 'pending' ? 1 : 0;
      const users = await changeFollowCounts(
        context,
        session,
        networkId,
        new Map([
          [userId, { followingCount: by }],
          [followedUserId, { followerCount: by, pendingCount: -by }],
        ]),
      );
      const [follower, followed] = [users.get(userId)!, users.get(followedUserId)!];
      if (known.status === 'accepted') return { follow: toFollow(known), user: follower };
      const changes = { status: 'accepted', updatedAt: context.now() } as const;
      await follows.updateOne({ networkId, userId, followedUserId }, { $set: changes }, { session });
      const accepted = { ...known, ...changes };
      await appendEvents(context, session, [followEvent('follow.accepted', { follower, followed }, accepted)]);
      return { follow: toFollow(accepted), user: follower };
    },
    lockFor(context, 'user', followedUserId),
  );
  context.load.follows.clear([userId, followedUserId]);
  context.load.users.clear(userId).clear(followedUserId);
  return result;
}
