import type { Viewer } from '../context.ts';
import type { CommunityUserRecord, JoinRequestRecord } from '../store/records/community.ts';
import { mayInCommunity } from './community.ts';

/** Whether the viewer answers requests to join the community, and so sees them. */
export function canAnswerJoinRequests(viewer: Viewer, membership: CommunityUserRecord | null): boolean {
  return mayInCommunity(viewer, membership, 'ADD_COMMUNITY_USER');
}

/** Join requests are visible to their requestor and to users who answer them. */
export function canSeeJoinRequest(
  viewer: Viewer,
  request: JoinRequestRecord,
  membership: CommunityUserRecord | null,
): boolean {
  return request.requestorId === viewer.userId || canAnswerJoinRequests(viewer, membership);
}
