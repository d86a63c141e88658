import { canSeeJoinRequest } from '../../../access/join-request.ts';
import { type Context, viewerOf } from '../../../context.ts';
import type { JoinRequestRecord } from '../../../store/records/community.ts';

/** A join request; null unless the viewer created it or may answer it. */
export async function getJoinRequest(
  context: Context,
  { joinRequestId }: { joinRequestId: string },
): Promise<JoinRequestRecord | null> {
  const viewer = viewerOf(context);
  const request = await context.load.joinRequests.load(joinRequestId);
  if (!request) return null;
  const membership = await context.load.communityUsers.load([request.targetId, viewer.userId]);
  return canSeeJoinRequest(viewer, request, membership) ? request : null;
}
