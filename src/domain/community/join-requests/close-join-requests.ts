import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import type { JoinRequestRecord } from '../../../store/records/community.ts';
import { joinRequestEvent } from './join-request-events.ts';

interface Closing {
  communityId: string;
  userIds: readonly string[];
  status: 'approved' | 'rejected';
  now: Date;
}

/**
 * Closes pending requests of users who became members or were banned, in the same transaction.
 * @returns the events for the caller to append
 */
export async function closeJoinRequests(
  context: Context,
  session: ClientSession,
  { communityId, userIds, status, now }: Closing,
): Promise<NewEvent[]> {
  const { networkId, userId, userInternalId } = viewerOf(context);
  const pending = {
    networkId,
    targetType: 'community',
    targetId: communityId,
    status: 'pending',
    requestorId: { $in: [...userIds] },
  } as const;
  const answer: Partial<JoinRequestRecord> = {
    status,
    responderId: userId,
    responderInternalId: userInternalId,
    respondedAt: now,
    updatedAt: now,
  };
  const { joinRequests } = context.store.collections;
  const asking = await joinRequests.find(pending, { session, projection: { _id: 0, joinRequestId: 1 } }).toArray();
  if (asking.length === 0) return [];
  await joinRequests.updateMany(pending, { $set: answer }, { session });
  return asking.map(({ joinRequestId }) => joinRequestEvent({ networkId, joinRequestId, status }));
}

/** Cancels up to `limit` pending requests of a deleted user. @returns the events for the caller to append, one each */
export async function cancelJoinRequests(
  context: Context,
  session: ClientSession,
  { networkId, userId, limit }: { networkId: string; userId: string; limit: number },
): Promise<NewEvent[]> {
  const { joinRequests } = context.store.collections;
  const pending = { networkId, requestorId: userId, targetType: 'community', status: 'pending' } as const;
  const found = await joinRequests
    .find(pending, { session, projection: { _id: 0, joinRequestId: 1 } })
    .limit(limit)
    .toArray();
  if (found.length === 0) return [];
  const status = 'cancelled';
  const joinRequestId = { $in: found.map((request) => request.joinRequestId) };
  const changes = { status, updatedAt: context.now() } as const;
  await joinRequests.updateMany({ ...pending, joinRequestId }, { $set: changes }, { session });
  return found.map((request) => joinRequestEvent({ networkId, joinRequestId: request.joinRequestId, status }));
}
