import { ObjectId } from 'mongodb';
import type { z } from 'zod';
import { canFollowUser } from '../../../access/follow.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { FollowRecord, UserRecord } from '../../../store/records/user.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { requireNotBlocked } from '../blocks/blocks.ts';
import { requireUser } from '../require-user.ts';
import { userIdInput } from '../user-id-input.ts';
import { type CountChanges, changeFollowCounts } from './change-follow-counts.ts';
import { hasPrivateFeeds } from './feed-privacy.ts';
import { type Follow, followEvent, toFollow } from './follow.ts';

export interface FollowResult {
  follow: Follow;
  /** The other user. */
  user: UserRecord;
}

/**
 * Follows a user; in a network with private profiles, requests it instead. Repeating either changes nothing, unless the
 * network has made profiles public since: a request that is repeated then follows.
 *
 * @throws {OperationError} NOT_FOUND; PERMISSION_DENIED for oneself; FORBIDDEN when one of the users blocked the other
 */
export async function followUser(context: Context, input: z.input<typeof userIdInput>): Promise<FollowResult> {
  const viewer = viewerOf(context);
  const { networkId, userId } = viewer;
  const { userId: followedUserId } = validate(userIdInput, input);
  await requireUser(context, followedUserId, canFollowUser);
  const status = (await hasPrivateFeeds(context.store, networkId)) ? 'pending' : 'accepted';
  const result = await context.transaction(
    async (session): Promise<FollowResult> => {
      const { follows } = context.store.collections;
      const key = { networkId, userId, followedUserId };
      const known = await follows.findOne(key, { session });
      const isNew = !known || (known.status === 'pending' && status === 'accepted');
      const changes: [CountChanges, CountChanges] =
        status === 'accepted'
          ? [{ followingCount: 1 }, { followerCount: 1, pendingCount: known ? -1 : 0 }]
          : [{}, { pendingCount: 1 }];
      const [ofFollower, ofFollowed] = isNew ? changes : [{}, {}];
      const users = await changeFollowCounts(
        context,
        session,
        networkId,
        new Map([
          [userId, ofFollower],
          [followedUserId, ofFollowed],
        ]),
      );
      const [follower, followed] = [users.get(userId)!, users.get(followedUserId)!];
      if (!isNew) return { follow: toFollow(known), user: followed };
      await requireNotBlocked(context, [followedUserId], { path: ['userId'], session });
      const now = context.now();
      const record: FollowRecord = known
        ? { ...known, status, updatedAt: now }
        : { _id: new ObjectId(), ...key, status, createdAt: now, updatedAt: now };
      if (known) await follows.updateOne(key, { $set: { status, updatedAt: now } }, { session });
      else await follows.insertOne(record, { session });
      const type = status === 'accepted' ? 'follow.created' : 'follow.requested';
      await appendEvents(context, session, [followEvent(type, { follower, followed }, record)]);
      return { follow: toFollow(record), user: followed };
    },
    lockFor(context, 'user', followedUserId),
  );
  context.load.follows.clear([userId, followedUserId]);
  context.load.users.clear(userId).clear(followedUserId);
  return result;
}
