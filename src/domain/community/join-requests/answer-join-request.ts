import { ObjectId } from 'mongodb';
import type { z } from 'zod';
import { isBannedFrom, isMember } from '../../../access/community.ts';
import { canAnswerJoinRequests } from '../../../access/join-request.ts';
import { type Context, viewerOf } from '../../../context.ts';
import { notFound } from '../../../errors.ts';
import { appendEvents } from '../../../events/append-events.ts';
import type { CommunityUserRecord, JoinRequestRecord } from '../../../store/records/community.ts';
import { recordAudit } from '../../audit/record-audit.ts';
import { id, validate } from '../../input.ts';
import { lockFor } from '../../lock-for.ts';
import { requireUsers } from '../../user/lookup/require-users.ts';
import { communityIdInput } from '../community-fields.ts';
import { type ChangedMembers, changeMembers, invalidateMembers } from '../members/change-members.ts';
import { requireCommunityRight } from '../members/require-community-right.ts';
import { requireCommunity } from '../require-community.ts';
import { joinRequestEvent } from './join-request-events.ts';

export const answerJoinRequestInput = communityIdInput.extend({
  userId: id(50).describe('Public or internal id of the requestor.'),
});
export type AnswerInput = z.input<typeof answerJoinRequestInput>;

export interface Answered {
  community: ChangedMembers['community'];
  joinRequest: JoinRequestRecord;
  /** The membership of the requestor; null unless the request was approved. */
  member: CommunityUserRecord | null;
}

/**
 * Approves a pending join request and adds the user.
 * @throws {OperationError} NOT_FOUND when the viewer does not see the community or the user has no pending request;
 *   BANNED; PERMISSION_DENIED
 */
export async function approveJoinRequest(context: Context, input: AnswerInput): Promise<Answered> {
  const { communityId, userId: given } = validate(answerJoinRequestInput, input);
  const place = await requireCommunity(context, communityId, canAnswerJoinRequests);
  const { community } = place;
  const userId = await requestorIdOf(context, communityId, given);
  const users = await requireUsers(context, [userId], { path: 'userId' });
  const answered = await context.transaction(
    async (session) => {
      await requireCommunityRight(context, session, place, canAnswerJoinRequests);
      const joinRequest = await answer(context, { session, communityId, userId, status: 'approved' });
      const shouldChange = (membership: CommunityUserRecord | null) =>
        !isMember(membership) && !isBannedFrom(membership);
      const changed = await changeMembers(context, session, {
        community,
        users,
        to: 'member',
        reason: null,
        event: 'community.joined',
        shouldChange,
      });
      await recordAudit(context, session, [actOn(joinRequest)]);
      await appendEvents(context, session, [joinRequestEvent(joinRequest), ...changed.events]);
      return { joinRequest, changed };
    },
    lockFor(context, 'community', communityId),
  );
  invalidateMembers(context, answered.changed);
  invalidateRequest(context, answered.joinRequest);
  const { changed, joinRequest } = answered;
  return { community: changed.community, joinRequest, member: changed.members[0] ?? null };
}

/**
 * Rejects a pending join request; the user may request again. @throws {OperationError} as {@link approveJoinRequest}
 */
export async function rejectJoinRequest(context: Context, input: AnswerInput): Promise<Answered> {
  const { communityId, userId: given } = validate(answerJoinRequestInput, input);
  const place = await requireCommunity(context, communityId, canAnswerJoinRequests);
  const userId = await requestorIdOf(context, communityId, given);
  const joinRequest = await context.transaction(
    async (session) => {
      await requireCommunityRight(context, session, place, canAnswerJoinRequests);
      const rejected = await answer(context, { session, communityId, userId, status: 'rejected' });
      await recordAudit(context, session, [actOn(rejected)]);
      await appendEvents(context, session, [joinRequestEvent(rejected)]);
      return rejected;
    },
    lockFor(context, 'community', communityId),
  );
  invalidateRequest(context, joinRequest);
  return { community: place.community, joinRequest, member: null };
}

function actOn({ joinRequestId, requestorId, targetId }: JoinRequestRecord) {
  return {
    subjectType: 'joinRequest' as const,
    subjectId: joinRequestId,
    affectedUserId: requestorId,
    communityId: targetId,
  };
}

/** Cancels the viewer's pending request. @throws {OperationError} NOT_FOUND when there is none */
export async function cancelJoinRequest(
  context: Context,
  input: z.input<typeof communityIdInput>,
): Promise<JoinRequestRecord> {
  const { communityId } = validate(communityIdInput, input);
  const { userId } = viewerOf(context);
  const joinRequest = await context.transaction(
    async (session) => {
      const cancelled = await answer(context, { session, communityId, userId, status: 'cancelled' });
      await appendEvents(context, session, [joinRequestEvent(cancelled)]);
      return cancelled;
    },
    lockFor(context, 'community', communityId),
  );
  invalidateRequest(context, joinRequest);
  return joinRequest;
}

/**
 * The public id of a requestor. Published clients send the internal id of the request's record; an id that is the public
 * id of a user has precedence.
 */
async function requestorIdOf(context: Context, communityId: string, userId: string): Promise<string> {
  if (!ObjectId.isValid(userId) || (await context.load.users.load(userId))) return userId;
  const { networkId } = viewerOf(context);
  const request = await context.store.collections.joinRequests.findOne(
    { networkId, targetType: 'community', targetId: communityId, status: 'pending', requestorInternalId: userId },
    { projection: { _id: 0, requestorId: 1 } },
  );
  return request?.requestorId ?? userId;
}

interface Answer {
  session: Parameters<typeof changeMembers>[1];
  communityId: string;
  userId: string;
  status: 'approved' | 'rejected' | 'cancelled';
}

/** Sets the status of a pending request. Of two concurrent answers, the second finds no pending request. */
async function answer(context: Context, { session, communityId, userId, status }: Answer): Promise<JoinRequestRecord> {
  const viewer = viewerOf(context);
  const now = context.now();
  const responder = { responderId: viewer.userId, responderInternalId: viewer.userInternalId, respondedAt: now };
  const { networkId } = viewer;
  const { joinRequests } = context.store.collections;
  const pending = await joinRequests.findOne(
    { networkId, requestorId: userId, targetId: communityId, status: 'pending', targetType: 'community' },
    { session, projection: { _id: 0, joinRequestId: 1 } },
  );
  if (!pending) throw notFound('Join request');
  const answered = await joinRequests.findOneAndUpdate(
    { networkId, joinRequestId: pending.joinRequestId, status: 'pending' },
    { $set: { status, updatedAt: now, ...(status !== 'cancelled' && responder) } },
    { session, returnDocument: 'after' },
  );
  if (!answered) throw notFound('Join request');
  return answered;
}

function invalidateRequest(context: Context, { joinRequestId, requestorId, targetId }: JoinRequestRecord): void {
  context.load.joinRequests.clear(joinRequestId);
  context.load.myJoinRequests.clear([requestorId, targetId]);
}
