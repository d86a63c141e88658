import type { Viewer } from '../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../store/records/community.ts';
import type { PostRecord } from '../store/records/content.ts';
import { canSeeInsideCommunity, isMember, mayInCommunity } from './community.ts';
import { mayInNetwork } from './network.ts';

/** Where a post was published, as far as access needs it; null community for a post on a user's own feed. */
export interface PostPlace {
  community: CommunityRecord | null;
  membership: CommunityUserRecord | null;
}

/** Whether the viewer moderates posts there: sees deleted and flagged ones, and those in review. */
export function canModeratePosts(viewer: Viewer, place: PostPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'EDIT_COMMUNITY_POST');
  return mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}

/** Published posts by whoever may see the place; the author sees their own in review, moderators see everything. */
export function canSeePost(viewer: Viewer, post: PostRecord, place: PostPlace): boolean {
  if (post.targetType === 'community' && !place.community) return false;
  if (place.community && !canSeeInsideCommunity(viewer, place.community, place.membership)) return false;
  if (canModeratePosts(viewer, place)) return true;
  if (post.isDeleted) return false;
  return post.feedType === 'published' || post.postedUserId === viewer.userId;
}

/** Reacting, commenting, flagging and voting need membership where there is something to be a member of. */
export function canTakePartInPost(viewer: Viewer, place: PostPlace): boolean {
  return (
    place.community === null ||
    place.community.isPublic ||
    isMember(place.membership) ||
    canModeratePosts(viewer, place)
  );
}
