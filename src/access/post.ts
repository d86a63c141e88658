import type { Viewer } from '../context.ts';
import type { CommunityRecord, CommunityUserRecord } from '../store/records/community.ts';
import type { PostRecord } from '../store/records/content.ts';
import { canSeeInsideCommunity, isBannedFrom, isMember, mayInCommunity } from './community.ts';
import { canSeeUserFeed, type FeedPrivacy } from './follow.ts';
import { mayInNetwork } from './network.ts';

/** The community of a post with the viewer's membership; both null on a user's feed. */
export interface ModeratedPlace {
  community: CommunityRecord | null;
  membership: CommunityUserRecord | null;
}

/** As {@link ModeratedPlace}, with the privacy on which reading depends. */
export interface PostPlace extends ModeratedPlace {
  /** That of the user's feed; null in a community. */
  privacy: FeedPrivacy | null;
}

/** Whether the viewer moderates posts there: sees deleted and flagged ones, and those in review. */
export function canModeratePosts(viewer: Viewer, place: ModeratedPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'EDIT_COMMUNITY_POST');
  return mayInNetwork(viewer, 'EDIT_USER_FEED_POST');
}

/**
 * Published posts are visible to users who see the target, posts in review to their author, all posts to moderators. The
 * feed of a user with a private profile is visible to their followers.
 */
export function canSeePost(viewer: Viewer, post: PostRecord, place: PostPlace): boolean {
  const { community, membership, privacy } = place;
  if (post.targetType === 'community') {
    if (!community || !canSeeInsideCommunity(viewer, community, membership)) return false;
  } else if (!privacy || !canSeeUserFeed(viewer, post.targetId, privacy)) return false;
  if (canModeratePosts(viewer, place)) return true;
  if (post.isDeleted) return false;
  return post.feedType === 'published' || post.postedUserId === viewer.userId;
}

export interface PostingRights {
  /** Why the viewer may not post there; null when they may. */
  refusal: 'BANNED' | 'FORBIDDEN' | 'PERMISSION_DENIED' | null;
  /** Whether their post waits for review. */
  isReviewed: boolean;
}

/**
 * Members post in their community. Where only moderators post, CREATE_PRIVILEGED_POST is required; users who hold it in
 * the network need no membership. On a user's feed, the user and moderators of feeds post.
 * @param where.place null for a user's feed
 */
export function refusalToPost(
  viewer: Viewer,
  {
    place,
    targetId,
  }: { place: { community: CommunityRecord; membership: ModeratedPlace['membership'] } | null; targetId: string },
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

/** Authors and moderators edit posts. The caller has checked that the viewer sees the post. */
export function canEditPost(viewer: Viewer, post: PostRecord, place: ModeratedPlace): boolean {
  return post.postedUserId === viewer.userId || canModeratePosts(viewer, place);
}

/** As {@link canEditPost}, by the permissions to delete. */
export function canDeletePost(viewer: Viewer, post: PostRecord, place: ModeratedPlace): boolean {
  return post.postedUserId === viewer.userId || canErasePost(viewer, place);
}

/** Whether the viewer deletes posts of others there, and erases content permanently. */
export function canErasePost(viewer: Viewer, place: ModeratedPlace): boolean {
  if (place.community) return mayInCommunity(viewer, place.membership, 'DELETE_COMMUNITY_POST');
  return mayInNetwork(viewer, 'DELETE_USER_FEED_POST');
}

/** The users who saw a post are visible to its author and to moderators. */
export function canSeePostViewers(viewer: Viewer, post: PostRecord, place: ModeratedPlace): boolean {
  return post.postedUserId === viewer.userId || canModeratePosts(viewer, place);
}

/**
 * Posts of a private community can only be shared inside it. Posts on a private feed can only be shared by its owner, for
 * whom the feed is not private (`feedPrivacy`).
 */
export function canSharePost({ community, privacy }: PostPlace, to: { targetType: string; targetId: string }): boolean {
  if (privacy?.isPrivate) return false;
  if (!community || community.isPublic) return true;
  return to.targetType === 'community' && to.targetId === community.communityId;
}
