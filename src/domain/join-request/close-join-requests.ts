import type { ClientSession } from 'mongodb';
import { type Context, viewerOf } from '../../context.ts';
import type { JoinRequestRecord } from '../../store/records/community.ts';

interface Closing {
  communityId: string;
  userIds: readonly string[];
  status: 'approved' | 'rejected';
  now: Date;
}

/** Whoever became a member, or was banned, asks no more: in the transaction that did it. */
export async function closeJoinRequests(
  context: Context,
  session: ClientSession,
  { communityId, userIds, status, now }: Closing,
): Promise<void> {
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
  await context.store.collections.joinRequests.updateMany(pending, { $set: answer }, { session });
}
