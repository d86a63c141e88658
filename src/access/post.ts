import type { Viewer } from '../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../store/records/community.ts';
import type { PostRecord } from '../store/records/content.ts';
import { canSeeInsideCommunity, isBannedFrom, isMember, mayInCommunity } from './community.ts';
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

export interface PostingRights {
  /** Why the viewer may not publish there; null when they may. */
  refusal: 'BANNED' | 'FORBIDDEN' | 'PERMISSION_DENIED' | null;
  /** Whether what they publish waits for a moderator. */
  isReviewed: boolean;
}

/**
 * Members publish in their community; where only moderators post, those that hold CREATE_PRIVILEGED_POST; who holds it
 * network-wide needs no membership. On a feed its user publishes, and whoever moderates feeds.
 * @param where.place null for a user's feed
 */
export function refusalToPost(
  viewer: Viewer,
  {
    place,
    targetId,
  }: { place: { community: CommunityRecord; membership: PostPlace['membership'] } | null; targetId: string },
): PostingRights {
  if (!place) {
    const isTheirs = targetId === viewer.userId || mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
    return { refusal: isTheirs ? null : 'PERMISSION_DENIED', isReviewed: false };
  }
  const { community, membership } = place;
  const isReviewed = community.needApprovalOnPostCreation && !canModeratePosts(viewer, place);
  if (mayInNetwork(viewer, 'CREATE_PRIVILEGED_POST')) return { refusal: null, isReviewed };
  if (isBannedFrom(membership)) return { refusal: 'BANNED', isReviewed };
  if (!isMember(membership)) return { refusal: 'FORBIDDEN', isReviewed };
  const isOpen = !community.onlyAdminCanPost || mayInCommunity(viewer, membership, 'CREATE_PRIVILEGED_POST');
  return { refusal: isOpen ? null : 'PERMISSION_DENIED', isReviewed };
}

/** Authors change what they posted, and whoever moderates posts there. The caller made sure that the viewer sees it. */
export function canEditPost(viewer: Viewer, post: PostRecord, place: PostPlace): boolean {
  return post.postedUserId === viewer.userId || canModeratePosts(viewer, place);
}

/** As {@link canEditPost}, by the permissions to delete. */
export function canDeletePost(viewer: Viewer, post: PostRecord, place: PostPlace): boolean {
  return post.postedUserId === viewer.userId || canErasePost(viewer, place);
}

/** Whether the viewer deletes other people's posts there, and erases what they said for good. */
export function canErasePost(viewer: Viewer, place: PostPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'DELETE_COMMUNITY_POST');
  return mayInNetwork(viewer, 'DELETE_USER_FEED_POST');
}

/** Who saw a post is for whoever posted it, and for those who moderate posts there. */
export function canSeePostViewers(viewer: Viewer, post: PostRecord, place: PostPlace): boolean {
  return post.postedUserId === viewer.userId || canModeratePosts(viewer, place);
}

/** What a private community keeps to itself is shared inside it alone. */
export function canSharePost({ community }: PostPlace, to: { targetType: string; targetId: string }): boolean {
  if (!community || community.isPublic) return true;
  return to.targetType === 'community' && to.targetId === community.communityId;
}
