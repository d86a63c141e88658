import type { ClientSession } from 'mongodb';
import type { z } from 'zod';
import { type Context, viewerOf } from '../../../context.ts';
import { appendEvents, type NewEvent } from '../../../events/append-events.ts';
import type { FollowRecord, UserRecord } from '../../../store/records/user.ts';
import { validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { requireUser } from '../require-user.ts';
import { userIdInput } from '../user-id-input.ts';
import { type CountChanges, changeFollowCounts } from './change-follow-counts.ts';
import { followEvent, noFollow } from './follow.ts';
import type { FollowResult } from './follow-user.ts';

/** Stops following a user, or withdraws the request to; does nothing without one. @throws {OperationError} NOT_FOUND */
export function unfollowUser(context: Context, input: z.input<typeof userIdInput>): Promise<FollowResult> {
  return endFollow(context, input, (viewerId, otherId) => ({ userId: viewerId, followedUserId: otherId }));
}

/** Removes a follower, or declines their request; does nothing without one. @throws {OperationError} NOT_FOUND */
export function removeFollower(context: Context, input: z.input<typeof userIdInput>): Promise<FollowResult> {
  return endFollow(context, input, (viewerId, otherId) => ({ userId: otherId, followedUserId: viewerId }));
}

async function endFollow(
  context: Context,
  input: z.input<typeof userIdInput>,
  pairOf: (viewerId: string, otherId: string) => FollowPair,
): Promise<FollowResult> {
  const viewer = viewerOf(context);
  const { userId: otherId } = validate(userIdInput, input);
  const other = await requireUser(context, otherId, () => true);
  const pair = pairOf(viewer.userId, otherId);
  const user = await context.transaction(
    async (session) => {
      const { users, events } = await endFollows(context, session, { pairs: [pair], by: viewer.userId });
      await appendEvents(context, session, events);
      return users.get(otherId) ?? other;
    },
    lockFor(context, 'user', pair.followedUserId),
  );
  context.load.follows.clear([pair.userId, pair.followedUserId]);
  context.load.users.clear(viewer.userId).clear(otherId);
  return { follow: noFollow(pair.userId, pair.followedUserId), user };
}

export type FollowPair = Pick<FollowRecord, 'userId' | 'followedUserId'>;

/**
 * Deletes the follows of these pairs that exist, and subtracts them from the counts.
 * @param ending.by the user who ends them, on whom the types of the events depend
 * @returns the changed users, and the events for the caller to append
 * @throws {OperationError} NOT_FOUND when one of the users was deleted
 */
export async function endFollows(
  context: Context,
  session: ClientSession,
  { pairs, by }: { pairs: readonly FollowPair[]; by: string },
): Promise<{ users: Map<string, UserRecord>; events: NewEvent[] }> {
  const { networkId } = viewerOf(context);
  const { follows } = context.store.collections;
  const filter = { $or: pairs.map((pair) => ({ networkId, ...pair })) };
  const found = await follows.find(filter, { session }).toArray();
  // In the order of the pairs, so that events have a fixed order.
  const ended = pairs.flatMap((pair) =>
    found.filter((follow) => follow.userId === pair.userId && follow.followedUserId === pair.followedUserId),
  );
  if (ended.length === 0) return { users: new Map(), events: [] };
  await follows.deleteMany(filter, { session });
  const changes = new Map<string, CountChanges>();
  for (const { userId, followedUserId, status } of ended) {
    const isAccepted = status === 'accepted';
    addCount(changes, userId, 'followingCount', isAccepted ? -1 : 0);
    addCount(changes, followedUserId, isAccepted ? 'followerCount' : 'pendingCount', -1);
  }
  const users = await changeFollowCounts(context, session, networkId, changes);
  const events = ended.map((record) => {
    const parties = { follower: users.get(record.userId)!, followed: users.get(record.followedUserId)! };
    return followEvent(endEventOf(record, by), parties, { status: 'none', createdAt: record.createdAt });
  });
  return { users, events };
}

/** The type of the event that reports the end of a follow, depending on the user who ended it. */
export function endEventOf({ userId, status }: Pick<FollowRecord, 'userId' | 'status'>, by: string) {
  if (userId === by) return status === 'accepted' ? 'follow.unfollowed' : 'follow.requestCanceled';
  return status === 'accepted' ? 'follow.followerDeleted' : 'follow.requestDeclined';
}

function addCount(changes: Map<string, CountChanges>, userId: string, name: keyof CountChanges, by: number): void {
  const known = changes.get(userId) ?? {};
  changes.set(userId, { ...known, [name]: (known[name] ?? 0) + by });
}
