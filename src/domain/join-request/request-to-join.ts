import { type ClientSession, ObjectId } from 'mongodb';
import { isBannedFrom, isMember } from '../../access/community.ts';
import { type Context, viewerOf } from '../../context.ts';
import { notFound, OperationError } from '../../errors.ts';
import type { NewEvent } from '../../events/append.ts';
import type { CommunityRecord, JoinRequestRecord } from '../../store/records/community.ts';
import { joinRequestEvent } from './join-request-events.ts';

/**
 * The viewer's pending request to join a community, made unless there is one. Every request writes the community's
 * record, so that of two at once the later one starts again and finds the first.
 * @returns with it what is to be told, for the caller to append
 */
export async function requestToJoin(
  context: Context,
  session: ClientSession,
  { networkId, communityId }: CommunityRecord,
): Promise<{ joinRequest: JoinRequestRecord; events: NewEvent[] }> {
  const { userId, userInternalId } = viewerOf(context);
  const { communities, communityUsers, joinRequests } = context.store.collections;
  const now = context.now();
  const asked = await communities.updateOne(
    { networkId, communityId, isDeleted: false },
    { $set: { joinRequestedAt: now } },
    { session },
  );
  if (asked.matchedCount === 0) throw notFound('Community');
  const membership = await communityUsers.findOne({ networkId, communityId, userId }, { session });
  if (isBannedFrom(membership)) throw new OperationError('BANNED');
  if (isMember(membership)) throw new OperationError('CONFLICT');
  const own = { networkId, requestorId: userId, targetId: communityId, status: 'pending' } as const;
  const pending = await joinRequests.findOne({ ...own, targetType: 'community' }, { session });
  if (pending) return { joinRequest: pending, events: [] };
  const _id = new ObjectId();
  const request: JoinRequestRecord = {
    _id,
    ...own,
    joinRequestId: _id.toHexString(),
    targetType: 'community',
    type: 'communityJoinRequest',
    requestorInternalId: userInternalId,
    responderId: null,
    responderInternalId: null,
    respondedAt: null,
    createdAt: now,
    updatedAt: now,
  };
  await joinRequests.insertOne(request, { session });
  return { joinRequest: request, events: [joinRequestEvent(request)] };
}
