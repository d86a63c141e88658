import { type ClientSession, ObjectId } from 'mongodb';
import { type Context, viewerOf } from '../../../context.ts';
import type { NewEvent } from '../../../events/append-events.ts';
import type { CommunityRecord, JoinRequestRecord } from '../../../store/records/community.ts';
import { lockForJoinRequest } from '../members/lock-for-join-request.ts';
import { joinRequestEvent } from './join-request-events.ts';

/**
 * Returns the viewer's pending request to join a community, creating one if there is none.
 * @returns the request and the events for the caller to append
 * @throws {OperationError} as {@link lockForJoinRequest}
 */
export async function requestToJoin(
  context: Context,
  session: ClientSession,
  { networkId, communityId }: CommunityRecord,
): Promise<{ joinRequest: JoinRequestRecord; events: NewEvent[] }> {
  const { userId, userInternalId } = viewerOf(context);
  const { joinRequests } = context.store.collections;
  const now = context.now();
  await lockForJoinRequest(context, session, { communityId });
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
